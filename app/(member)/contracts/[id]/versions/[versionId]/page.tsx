import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { VersionPage } from "#components/documents/version-page.tsx";
import { performAsMember } from "#lib/doors/page.ts";
import { read, Seed } from "../../../../seed.tsx";

type Params = { params: Promise<{ id: string; versionId: string }> };

export const metadata: Metadata = { title: "Document" };

export default async function Version({ params }: Params) {
  const { id, versionId } = await params;
  const versions = await performAsMember("versions.list", { id }).catch(() => null);
  if (versions && !versions.data.some((version) => version.id === versionId)) notFound();
  const asks = [
    read("contracts.read", { id }),
    read("versions.list", { id }),
    read("versions.progress", { contractId: id }),
  ];
  return (
    <Seed asks={asks}>
      <VersionPage contractId={id} versionId={versionId} />
    </Seed>
  );
}
