import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { Frame } from "#components/accounts/frame.tsx";
import { WorkspaceChoice } from "#components/accounts/workspace-choice.tsx";
import { currentMember, performAsMember } from "#lib/api/member-page.ts";

export const metadata: Metadata = { title: "Workspaces" };

export default async function WorkspacesPage() {
  if ((await currentMember()) === "signed_out") redirect("/sign-in?next=/workspaces");
  const [{ data }, { signUp }] = await Promise.all([
    performAsMember("workspaces.list", {}),
    performAsMember("account.ways", {}),
  ]);
  return (
    <Frame
      title={data.length > 0 ? "Choose a workspace" : "You are in no workspace"}
      lead={data.length > 0 ? undefined : "Ask an admin for an invitation."}
    >
      <WorkspaceChoice workspaces={data} mayCreate={signUp === "open"} />
    </Frame>
  );
}
