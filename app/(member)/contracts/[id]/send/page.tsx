import type { Metadata } from "next";
import { NeedsRight } from "#components/needs-right.tsx";
import { BeginPage } from "#components/signatures/draft/begin-page.tsx";
import { ask, Seed } from "../../../seed.tsx";

export const metadata: Metadata = { title: "Send for signature" };

type Params = { params: Promise<{ id: string }> };

export default async function Send({ params }: Params) {
  const { id } = await params;
  const asks = [
    ask("contracts.read", { id }),
    ask("versions.list", { id }),
    ask("versions.progress", { contractId: id }),
    ask("signatures.listOfContract", { id }),
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
