import type { Metadata } from "next";
import { NeedsRight } from "#components/needs-right.tsx";
import { EditTemplatePage } from "#components/templates/edit-page.tsx";
import { read, Seed } from "../../../seed.tsx";

type Params = { params: Promise<{ id: string }> };

export const metadata: Metadata = { title: "Template settings" };

export default async function Edit({ params }: Params) {
  const { id } = await params;
  return (
    <Seed asks={[read("templates.readSettings", { id })]}>
      <NeedsRight
        scopes={["templates:write"]}
        act="change templates"
        back={{ href: `/templates/${encodeURIComponent(id)}`, label: "Back to the template" }}
      >
        <EditTemplatePage id={id} />
      </NeedsRight>
    </Seed>
  );
}
