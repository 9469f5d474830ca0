import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { EditTemplatePage } from "#components/templates/edit-page.tsx";
import { currentMember } from "#lib/api/member-page.ts";
import { ask, Seed } from "../../../seed.tsx";

type Params = { params: Promise<{ id: string }> };

export const metadata: Metadata = { title: "Template settings" };

export default async function Edit({ params }: Params) {
  const { id } = await params;
  const member = await currentMember();
  if (
    typeof member === "object" &&
    !(member.isPaid && (member.scopes as string[]).includes("templates:write"))
  )
    redirect(`/templates/${encodeURIComponent(id)}`);
  return (
    <Seed asks={[ask("templates.readSettings", { id })]}>
      <EditTemplatePage id={id} />
    </Seed>
  );
}
