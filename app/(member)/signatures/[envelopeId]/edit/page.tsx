import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { DraftPage } from "#components/signatures/draft/draft-page.tsx";
import { currentMember } from "#lib/api/member-page.ts";
import { ask, Seed } from "../../../seed.tsx";

export const metadata: Metadata = { title: "Send for signature" };

type Params = { params: Promise<{ envelopeId: string }> };

export default async function Draft({ params }: Params) {
  const { envelopeId } = await params;
  const member = await currentMember();
  if (typeof member === "object" && !(member.isPaid && member.scopes.includes("signatures:write")))
    redirect(`/signatures/${envelopeId}`);
  return (
    <Seed asks={[ask("signatures.progress", { envelopeId })]}>
      <DraftPage envelopeId={envelopeId} />
    </Seed>
  );
}
