import type { Metadata } from "next";
import { ContractsPage } from "#components/contracts/contracts-page.tsx";
import { contractQuery, loadContractSearch } from "#components/contracts/search.ts";
import { performAsMember } from "#lib/doors/page.ts";
import { read, Seed } from "../seed.tsx";

export const metadata: Metadata = { title: "Contracts" };

type Query = Promise<Record<string, string | string[] | undefined>>;

export default async function Contracts({ searchParams }: { searchParams: Query }) {
  const fields = await performAsMember("customFields.list", {}).catch(() => null);
  const search = await loadContractSearch(fields?.data ?? [])(searchParams);
  const list = search.in === "documents" ? [] : [read("contracts.list", contractQuery(search))];
  return (
    <Seed asks={[read("customFields.list", {}), read("uploads.summary", {}), ...list]}>
      <ContractsPage />
    </Seed>
  );
}
