import type { Metadata } from "next";
import { NeedsRight } from "#components/needs-right.tsx";
import { DraftPage } from "#components/signatures/draft/draft-page.tsx";
import { read, Seed } from "../../../seed.tsx";

export const metadata: Metadata = { title: "Send for signature" };

type Params = { params: Promise<{ envelopeId: string }> };

export default async function Draft({ params }: Params) {
  const { envelopeId } = await params;
  return (
    <Seed asks={[read("signatures.progress", { envelopeId })]}>
      <NeedsRight
        scopes={["signatures:write"]}
        act="send documents for signature"
        back={{ href: `/signatures/${encodeURIComponent(envelopeId)}`, label: "Back to the request" }}
      >
        <DraftPage envelopeId={envelopeId} />
      </NeedsRight>
    </Seed>
  );
}
