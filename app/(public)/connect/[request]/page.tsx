import type { Metadata } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { Frame } from "#components/accounts/frame.tsx";
import { Consent } from "#components/assistants/consent.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Refusal } from "#lib/core/errors.ts";
import { currentMember, performAsMember } from "#lib/doors/page.ts";
import { MemberPage } from "../../../(member)/member-page.tsx";

export const metadata: Metadata = { title: "Connect an assistant", referrer: "no-referrer" };

export default async function ConnectPage({ params }: { params: Promise<{ request: string }> }) {
  const { request: id } = await params;
  const member = await currentMember();
  if (member === "signed_out") {
    const path = (await headers()).get("x-path") ?? "/home";
    redirect(`/sign-in?next=${encodeURIComponent(path)}`);
  }
  if (member === "no_workspace") redirect("/workspaces");
  const opened = await performAsMember("assistantRequests.open", { request: id }).catch((error) => {
    if (error instanceof Refusal) return error.message;
    throw error;
  });
  if (typeof opened === "string") {
    return (
      <Frame title="This request cannot be used" lead={opened}>
        <ButtonLink href="/home" size="lg">
          Go to Countersign
        </ButtonLink>
      </Frame>
    );
  }
  const { request } = opened;
  return (
    <MemberPage>
      <Frame title={`Connect ${request.program.name}?`} lead="It is asking for access to your workspace.">
        <Consent id={id} email={member.user.email} {...request} />
      </Frame>
    </MemberPage>
  );
}
