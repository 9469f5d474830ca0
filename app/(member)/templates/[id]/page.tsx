import type { Metadata } from "next";
import { TemplatePage } from "#components/templates/template-page.tsx";
import { performAsMember } from "#lib/doors/page.ts";
import { read, Seed } from "../../seed.tsx";

type Params = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: Params): Promise<Metadata> {
  const { id } = await params;
  const found = await performAsMember("templates.read", { id }).catch(() => null);
  return { title: found?.template.name ?? "Template" };
}

export default async function Template({ params }: Params) {
  const { id } = await params;
  const asks = [
    read("templates.readSettings", { id }),
    read("customFields.list", {}),
    read("templates.use", { id }),
    read("templates.history", { id }),
  ];
  return (
    <Seed asks={asks}>
      <TemplatePage id={id} />
    </Seed>
  );
}
