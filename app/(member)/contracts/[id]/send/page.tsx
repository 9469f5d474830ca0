import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { BeginPage } from "#components/signatures/draft/begin-page.tsx";
import { currentMember } from "#lib/api/member-page.ts";
import { ask, Seed } from "../../../seed.tsx";

export const metadata: Metadata = { title: "Send for signature" };

type Params = { params: Promise<{ id: string }> };

export default async function Send({ params }: Params) {
  const { id } = await params;
  const member = await currentMember();
  if (typeof member === "object" && !(member.isPaid && member.scopes.includes("signatures:write")))
    redirect(`/contracts/${id}`);
  const asks = [
    ask("contracts.read", { id }),
    ask("versions.list", { id }),
    ask("versions.progress", { contractId: id }),
    ask("signatures.listOfContract", { id }),
  ];
  return (
    <Seed asks={asks}>
      <BeginPage contractId={id} />
    </Seed>
  );
}
