import type { Metadata } from "next";
import { ComparisonPage } from "#components/documents/comparison-page.tsx";
import { ask, Seed } from "../../../seed.tsx";

type Params = { params: Promise<{ id: string }> };

export const metadata: Metadata = { title: "Compare versions" };

export default async function Compare({ params }: Params) {
  const { id } = await params;
  return (
    <Seed asks={[ask("contracts.read", { id }), ask("versions.list", { id })]}>
      <ComparisonPage contractId={id} />
    </Seed>
  );
}
