import type { Metadata } from "next";
import { ComparisonPage } from "#components/documents/comparison-page.tsx";
import { read, Seed } from "../../../seed.tsx";

type Params = { params: Promise<{ id: string }> };

export const metadata: Metadata = { title: "Compare versions" };

export default async function Compare({ params }: Params) {
  const { id } = await params;
  return (
    <Seed asks={[read("contracts.read", { id }), read("versions.list", { id })]}>
      <ComparisonPage contractId={id} />
    </Seed>
  );
}
