"use client";
/** All contracts: found, compared, moved. */
import { FileText, Plus, SearchX } from "lucide-react";
import { useRouter } from "next/navigation";
import { useQueryStates } from "nuqs";
import { useCallback, useState } from "react";
import { useDebounced } from "#components/debounced.ts";
import { ExportButton } from "#components/export-button.tsx";
import { useNextPage } from "#components/next-page.ts";
import { useOperation, usePrefetch } from "#components/query.tsx";
import { SavedFilters } from "#components/saved-filters.tsx";
import { useMay } from "#components/session.tsx";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { usePageDrop } from "#components/ui/file-drop.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Pagination } from "#components/ui/pagination.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "#components/ui/states.tsx";
import type { Contract } from "#lib/contracts/schema.ts";
import { DropVeil } from "./drop-veil.tsx";
import { keepDropped, useOnlyFirst } from "./dropped.ts";
import { ContractFilters } from "./filters.tsx";
import {
  type ContractSearch,
  contractParsers,
  contractQuery,
  contractSearchQuery,
  hasFilters,
  noContractFilters,
} from "./search.ts";
import { ContractsTable } from "./table.tsx";

const BulkBar = lazily(() => import("./bulk-bar.tsx").then((module) => module.BulkBar));

const nothing: ReadonlySet<string> = new Set();

export function ContractsPage() {
  const may = useMay();
  const [search, setSearch] = useQueryStates(contractParsers, { clearOnDefault: true });
  // A letter or two fit nearly everything and are seldom all: the next one is waited for.
  const q = useDebounced(search.q, search.q.length < 3 ? 120 : 0);
  const input = contractQuery({ ...search, q });
  const reading = useOperation("contracts.list", input, { keepPrevious: true });
  const { data, error, isPrevious, again } = reading;
  useNextPage("contracts.list", input, reading);
  const question = JSON.stringify(input);
  const [selection, setSelection] = useState({ question, ids: nothing });
  // Another question, another page: what was chosen is out of sight.
  const selected = selection.question === question ? selection.ids : nothing;
  const setSelected = (ids: ReadonlySet<string>) => setSelection({ question, ids });
  const foresee = usePrefetch();
  const router = useRouter();
  const onlyFirst = useOnlyFirst();
  const isOver = usePageDrop(
    may("contracts:write")
      ? (files) => {
          keepDropped(onlyFirst(files));
          router.push("/contracts/new");
        }
      : null,
  );
  const toPage = (page: number) => {
    void setSearch({ page }, { history: "push" });
    document.getElementById("main")?.scrollIntoView();
  };
  const onIntent = useCallback(({ id }: Contract) => router.prefetch(`/contracts/${id}`), [router]);
  const chosen = (data?.data ?? []).filter(({ id }) => selected.has(id));
  return (
    <>
      <div className="grid gap-4 px-4 pt-5 pb-4 md:px-6">
        <PageHeader
          title="Contracts"
          actions={
            <>
              <SavedFilters list="contracts" href="/contracts" query={addressOf({ ...search, page: 1 })} />
              {may("data:export") && data && data.total > 0 && (
                <ExportButton
                  file="contracts.csv"
                  what="contract"
                  query={addressOf({ ...search, page: 1 })}
                />
              )}
              {may("contracts:write") && (
                <ButtonLink href="/contracts/new" variant="primary">
                  <Plus aria-hidden />
                  New contract
                </ButtonLink>
              )}
            </>
          }
        />
        <ContractFilters
          search={search}
          onSearch={(change) => void setSearch(change as Parameters<typeof setSearch>[0])}
        />
      </div>
      <div className="border-line border-t">
        {error && !data ? (
          <ErrorState message={error.message} requestId={error.requestId} onRetry={again} />
        ) : !data ? (
          <SkeletonRows label="Loading contracts" rows={12} />
        ) : data.data.length === 0 ? (
          hasFilters(search) || search.page > 1 ? (
            <EmptyState
              icon={SearchX}
              title="No results"
              action={<Button onClick={() => void setSearch(noContractFilters)}>Clear the filters</Button>}
            >
              No contract matches these filters.
            </EmptyState>
          ) : (
            <NoContracts />
          )
        ) : (
          <>
            <ContractsTable
              contracts={data.data}
              sorting={search}
              onSort={(sorting) => void setSearch({ ...sorting, page: null })}
              selection={may("contracts:write") ? { ids: selected, onChange: setSelected } : null}
              isPrevious={isPrevious}
              onIntent={onIntent}
            />
            <div className="border-line border-t px-4 py-2.5 md:px-6">
              <Pagination
                {...data}
                what={data.total === 1 ? "contract" : "contracts"}
                onPage={toPage}
                onIntent={(page) => foresee("contracts.list", { ...input, page })}
              />
            </div>
          </>
        )}
      </div>
      {isOver && <DropVeil />}
      {chosen.length > 0 && <BulkBar contracts={chosen} onClear={() => setSelected(nothing)} />}
    </>
  );
}

/** What stands in the address after the question mark. */
const addressOf = (search: ContractSearch) => contractSearchQuery(search).replace(/^\?/, "");

function NoContracts() {
  const may = useMay();
  return (
    <EmptyState
      icon={FileText}
      title="No contracts yet"
      action={
        may("contracts:write") && (
          <ButtonLink href="/contracts/new" variant="primary">
            New contract
          </ButtonLink>
        )
      }
    >
      A contract holds its parties, its dates and what follows from them. Drop a PDF or Word file on this
      page, or start with the form.
    </EmptyState>
  );
}
