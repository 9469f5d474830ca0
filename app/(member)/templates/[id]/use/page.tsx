import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { UseTemplatePage } from "#components/templates/use-page.tsx";
import { currentMember } from "#lib/api/member-page.ts";
import { ask, Seed } from "../../../seed.tsx";

type Params = { params: Promise<{ id: string }> };

export const metadata: Metadata = { title: "Use a template" };

export default async function Use({ params }: Params) {
  const { id } = await params;
  const member = await currentMember();
  if (typeof member === "object" && !(member.isPaid && member.scopes.includes("contracts:write")))
    redirect(`/templates/${encodeURIComponent(id)}`);
  const asks = [
    ask("templates.readSettings", { id }),
    ask("members.list", {}),
    ask("counterparties.list", {}),
  ];
  return (
    <Seed asks={asks}>
      <UseTemplatePage id={id} />
    </Seed>
  );
}
