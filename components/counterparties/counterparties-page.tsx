"use client";
/** The page of all counterparties. */
import { Building2, Plus, SearchX } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import { useDeferredValue, useState } from "react";
import { useOpenedByAddress } from "#components/opened-by-address.ts";
import { useOperation } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { SearchInput } from "#components/ui/input.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { NameLink } from "#components/ui/link.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "#components/ui/states.tsx";
import { Table, Td, Th, Tr } from "#components/ui/table.tsx";
import { Ago } from "#components/ui/time.tsx";
import { counted, inWords } from "#components/words.ts";
import type { Counterparty } from "#lib/counterparties/schema.ts";

/** Loaded on demand, because it includes the form library. */
const CounterpartyDialog = lazily(() =>
  import("./counterparty-dialog.tsx").then((module) => module.CounterpartyDialog),
);

/** The number of rows rendered at first; a button shows more. */
const firstRows = 100;

export function CounterpartiesPage() {
  const may = useMay();
  const [q, setQ] = useQueryState("q", parseAsString.withDefault("").withOptions({ clearOnDefault: true }));
  const { data, error, refetch } = useOperation("counterparties.list", {});
  const [adding, setAdding] = useState(false);
  useOpenedByAddress(() => setAdding(may("counterparties:write")));
  // The list is complete, so it is searched in the browser.
  const wanted = useDeferredValue(q.trim().toLowerCase());
  const found = (data?.data ?? []).filter(({ name, domain }) =>
    `${name} ${domain ?? ""}`.toLowerCase().includes(wanted),
  );
  const add = may("counterparties:write") && (
    <Button variant="primary" onClick={() => setAdding(true)}>
      <Plus aria-hidden />
      New counterparty
    </Button>
  );
  return (
    <>
      <div className="grid gap-4 px-4 pt-5 pb-4 md:px-6">
        <PageHeader title="Counterparties" actions={add} />
        <search className="flex flex-wrap items-center gap-3">
          <SearchInput
            label="Search counterparties"
            placeholder="Name or domain"
            value={q}
            onValue={(value) => void setQ(value || null)}
            className="w-full sm:w-64"
          />
          {data && data.data.length > 0 && (
            <span className="text-quiet text-xs" aria-live="polite">
              {counted(found.length, "counterparty", "counterparties")}
            </span>
          )}
        </search>
      </div>
      <div className="border-line border-t">
        {error && !data ? (
          <ErrorState message={error.message} requestId={error.requestId} onRetry={refetch} />
        ) : !data ? (
          <SkeletonRows label="Loading counterparties" rows={12} />
        ) : data.data.length === 0 ? (
          <EmptyState icon={Building2} title="No counterparties yet" action={add}>
            The companies and people on the other side of your contracts, with their contacts and notes.
          </EmptyState>
        ) : found.length === 0 ? (
          <EmptyState
            icon={SearchX}
            title="No results"
            action={<Button onClick={() => void setQ(null)}>Clear the search</Button>}
          >
            No counterparty matches the search.
          </EmptyState>
        ) : (
          <CounterpartiesTable key={wanted} counterparties={found} />
        )}
      </div>
      {adding && <CounterpartyDialog onClose={() => setAdding(false)} />}
    </>
  );
}

function CounterpartiesTable({ counterparties }: { counterparties: Counterparty[] }) {
  const [shown, setShown] = useState(firstRows);
  return (
    <>
      <Table label="Counterparties">
        <thead>
          <tr>
            <Th>Name</Th>
            <Th className="max-sm:hidden">Relationship</Th>
            <Th className="text-right">Contracts</Th>
            <Th className="max-lg:hidden">Domain</Th>
            <Th className="max-lg:hidden">Changed</Th>
          </tr>
        </thead>
        <tbody>
          {counterparties
            .slice(0, shown)
            .map(({ id, name, domain, relationshipTypes, contractCount, updatedAt }) => (
              <Tr key={id} className="relative">
                <Td className="w-full max-w-0">
                  <NameLink
                    href={`/counterparties/${id}`}
                    prefetch={false}
                    className="block truncate after:absolute after:inset-0"
                  >
                    {name}
                  </NameLink>
                </Td>
                <Td className="whitespace-nowrap max-sm:hidden">
                  <span className="flex gap-1">
                    {relationshipTypes.map((type) => (
                      <Badge key={type}>{inWords(type)}</Badge>
                    ))}
                  </span>
                </Td>
                <Td className="text-right tabular-nums">{contractCount}</Td>
                <Td className="max-w-56 truncate text-quiet max-lg:hidden">{domain ?? "–"}</Td>
                <Td className="whitespace-nowrap text-quiet max-lg:hidden">
                  <Ago value={updatedAt} />
                </Td>
              </Tr>
            ))}
        </tbody>
      </Table>
      {shown < counterparties.length && (
        <div className="border-line border-t p-3 text-center">
          <Button onClick={() => setShown(shown + 200)}>
            Show {Math.min(200, counterparties.length - shown)} more
          </Button>
        </div>
      )}
    </>
  );
}
