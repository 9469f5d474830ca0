import type { Metadata } from "next";
import { NeedsRight } from "#components/needs-right.tsx";
import { UseTemplatePage } from "#components/templates/use-page.tsx";
import { read, Seed } from "../../../seed.tsx";

type Params = { params: Promise<{ id: string }> };

export const metadata: Metadata = { title: "Use a template" };

export default async function Use({ params }: Params) {
  const { id } = await params;
  const asks = [
    read("templates.readSettings", { id }),
    read("customFields.list", {}),
    read("members.list", {}),
    read("counterparties.list", {}),
  ];
  return (
    <Seed asks={asks}>
      <NeedsRight
        scopes={["contracts:write"]}
        act="create contracts"
        back={{ href: `/templates/${encodeURIComponent(id)}`, label: "Back to the template" }}
      >
        <UseTemplatePage id={id} />
      </NeedsRight>
    </Seed>
  );
}
