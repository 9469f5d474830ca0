import type { Metadata } from "next";
import { loadSignatureSearch, signatureQuery } from "#components/signatures/search.ts";
import { SignaturesPage } from "#components/signatures/signatures-page.tsx";
import { read, Seed } from "../seed.tsx";

export const metadata: Metadata = { title: "Signatures" };

type Query = Promise<Record<string, string | string[] | undefined>>;

export default async function Signatures({ searchParams }: { searchParams: Query }) {
  const search = await loadSignatureSearch(searchParams);
  return (
    <Seed asks={[read("signatures.list", signatureQuery(search))]}>
      <SignaturesPage />
    </Seed>
  );
}
