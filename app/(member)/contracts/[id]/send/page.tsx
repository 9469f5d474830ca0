import type { Metadata } from "next";
import { NeedsRight } from "#components/needs-right.tsx";
import { BeginPage } from "#components/signatures/draft/begin-page.tsx";
import { read, Seed } from "../../../seed.tsx";

export const metadata: Metadata = { title: "Send for signature" };

type Params = { params: Promise<{ id: string }> };

export default async function Send({ params }: Params) {
  const { id } = await params;
  const asks = [
    read("contracts.read", { id }),
    read("versions.list", { id }),
    read("versions.progress", { contractId: id }),
    read("signatures.listOfContract", { id }),
  ];
  return (
    <Seed asks={asks}>
      <NeedsRight
        scopes={["signatures:write"]}
        act="send documents for signature"
        back={{ href: `/contracts/${encodeURIComponent(id)}`, label: "Back to the contract" }}
      >
        <BeginPage contractId={id} />
      </NeedsRight>
    </Seed>
  );
}
