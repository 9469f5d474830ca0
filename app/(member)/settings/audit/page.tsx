import type { Metadata } from "next";
import { AuditPage } from "#components/settings/audit/audit-page.tsx";
import { auditQuery, loadAuditSearch } from "#components/settings/audit/search.ts";
import { readFeed, Seed } from "../../seed.tsx";

export const metadata: Metadata = { title: "Audit log" };

type Query = Promise<Record<string, string | string[] | undefined>>;

export default async function Audit({ searchParams }: { searchParams: Query }) {
  const search = await loadAuditSearch(searchParams);
  return (
    <Seed asks={[readFeed("auditEvents.list", auditQuery(search))]}>
      <AuditPage />
    </Seed>
  );
}
