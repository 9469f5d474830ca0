import type { Metadata } from "next";
import { RequestPage } from "#components/signatures/request/request-page.tsx";
import { performAsMember } from "#lib/doors/page.ts";
import { read, Seed } from "../../seed.tsx";

type Params = { params: Promise<{ envelopeId: string }> };

export async function generateMetadata({ params }: Params): Promise<Metadata> {
  const { envelopeId } = await params;
  const found = await performAsMember("signatures.progress", { envelopeId }).catch(() => null);
  return { title: found?.envelope.subject ?? "Signature request" };
}

export default async function Request({ params }: Params) {
  const { envelopeId } = await params;
  const asks = [
    read("signatures.progress", { envelopeId }),
    read("signatures.events", { envelopeId, page: 1 }),
  ];
  return (
    <Seed asks={asks}>
      <RequestPage envelopeId={envelopeId} />
    </Seed>
  );
}
