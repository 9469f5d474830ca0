import type { Metadata } from "next";
import { ContractsPage } from "#components/contracts/contracts-page.tsx";
import { contractQuery, loadContractSearch } from "#components/contracts/search.ts";
import { ask, Seed } from "../seed.tsx";

export const metadata: Metadata = { title: "Contracts" };

type Query = Promise<Record<string, string | string[] | undefined>>;

export default async function Contracts({ searchParams }: { searchParams: Query }) {
  const search = await loadContractSearch(searchParams);
  const list = search.in === "documents" ? [] : [ask("contracts.list", contractQuery(search))];
  return (
    <Seed asks={[ask("uploads.summary", {}), ...list]}>
      <ContractsPage />
    </Seed>
  );
}
