import type { Metadata } from "next";
import { ObligationsPage } from "#components/obligations/obligations-page.tsx";
import { loadObligationSearch, obligationQuery } from "#components/obligations/search.ts";
import { read, Seed } from "../seed.tsx";

export const metadata: Metadata = { title: "Obligations" };

type Query = Promise<Record<string, string | string[] | undefined>>;

export default async function Obligations({ searchParams }: { searchParams: Query }) {
  const search = await loadObligationSearch(searchParams);
  return (
    <Seed asks={[read("obligations.agenda", obligationQuery(search))]}>
      <ObligationsPage />
    </Seed>
  );
}
