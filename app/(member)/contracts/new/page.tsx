import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { NewContractPage } from "#components/contracts/new-contract-page.tsx";
import { currentMember } from "#lib/api/member-page.ts";
import { ask, Seed } from "../../seed.tsx";

export const metadata: Metadata = { title: "New contract" };

export default async function NewContract() {
  const member = await currentMember();
  if (typeof member === "object" && !(member.isPaid && member.scopes.includes("contracts:write")))
    redirect("/contracts");
  return (
    <Seed asks={[ask("members.list", {})]}>
      <NewContractPage />
    </Seed>
  );
}
