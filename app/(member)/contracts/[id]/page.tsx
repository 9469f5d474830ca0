import type { Metadata } from "next";
import { ContractPage } from "#components/contracts/contract-page.tsx";
import { performAsMember } from "#lib/doors/page.ts";
import { read, readFeed, Seed } from "../../seed.tsx";

type Params = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: Params): Promise<Metadata> {
  const { id } = await params;
  const found = await performAsMember("contracts.read", { id }).catch(() => null);
  return { title: found?.contract.title ?? "Contract" };
}

export default async function Contract({ params }: Params) {
  const { id } = await params;
  const recent = await performAsMember("versions.recent", { contractId: id }).catch(() => null);
  const newest = recent?.data[0];
  const asks = [
    read("contracts.read", { id }),
    read("customFields.list", {}),
    read("versions.recent", { contractId: id }),
    ...(newest?.pdfState === "READY"
      ? [read("previews.read", { contractId: id, versionId: newest.id })]
      : []),
    read("approvals.ofContract", { id }),
    read("proposals.list", { id }),
    read("obligations.listOfContract", { id }),
    read("signatures.listOfContract", { id }),
    readFeed("contracts.activity", { id }),
  ];
  return (
    <Seed asks={asks}>
      <ContractPage id={id} />
    </Seed>
  );
}
