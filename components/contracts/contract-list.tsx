"use client";
/** The table of contracts, page by page, and actions on the selected ones. */
import { Archive, FileText, SearchX } from "lucide-react";
import { useRouter } from "next/navigation";
import { useCallback, useEffect, useMemo, useState } from "react";
import { useDebounced } from "#components/debounced.ts";
import { useLastPage } from "#components/last-page.ts";
import { useNextPage } from "#components/next-page.ts";
import { useOperation, usePrefetch } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { Button } from "#components/ui/button.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { Pagination } from "#components/ui/pagination.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "#components/ui/states.tsx";
import { counted } from "#components/words.ts";
import type { Contract } from "#lib/contracts/schema.ts";
import { keyIn } from "#lib/custom-fields/catalogue.ts";
import type { CustomField } from "#lib/custom-fields/schema.ts";
import type { FiltersProps } from "./filters.tsx";
import {
  type ContractSearch,
  contractQuery,
  contractSearchQueryWith,
  hasFilters,
  noFiltersOf,
} from "./search.ts";
import { ContractsTable } from "./table.tsx";
import { rememberList, takeFocus } from "./trail.ts";

const BulkBar = lazily(() => import("./bulk-bar.tsx").then((module) => module.BulkBar));

const noIds: ReadonlySet<string> = new Set();

export interface ListProps {
  search: ContractSearch;
  /** The workspace's custom fields. */
  fields: CustomField[];
  onSearch(change: Parameters<FiltersProps["onSearch"]>[0], options?: { history: "push" }): void;
  /** Receives the number of contracts that match the filters. */
  onTotal(total: number): void;
}

export function ContractList({ search, fields, onSearch, onTotal }: ListProps) {
  const may = useMay();
  // One or two letters match nearly everything and are seldom complete: wait for the next one.
  const q = useDebounced(search.q, search.q.length < 3 ? 120 : 0);
  const input = contractQuery({ ...search, q });
  const reading = useOperation("contracts.list", input, { keepPrevious: true });
  const { error, isPrevious, refetch } = reading;
  const data = useLastPage(reading, (page) => onSearch({ page }));
  useNextPage("contracts.list", input, reading);
  const total = data?.total ?? 0;
  useEffect(() => onTotal(total), [onTotal, total]);
  const inputKey = JSON.stringify(input);
  const href = `/contracts${contractSearchQueryWith(fields)(search)}`;
  useEffect(() => {
    if (data && !isPrevious) rememberList(href, JSON.parse(inputKey), data);
  }, [href, inputKey, data, isPrevious]);
  const isShown = data !== undefined;
  useEffect(() => {
    const place = isShown ? takeFocus() : null;
    if (place) document.querySelector<HTMLElement>(`[data-row][href="/contracts/${place}"]`)?.focus();
  }, [isShown]);
  const [selection, setSelection] = useState({ inputKey, ids: noIds });
  // A selection belongs to its query: with another one, the selected rows may be out of sight.
  const selected = selection.inputKey === inputKey ? selection.ids : noIds;
  const setSelected = (ids: ReadonlySet<string>) => setSelection({ inputKey, ids });
  const shown = useShownFields(fields, search);
  const prefetchPage = usePrefetch();
  const router = useRouter();
  const onIntent = useCallback(({ id }: Contract) => router.prefetch(`/contracts/${id}`), [router]);
  const toPage = (page: number) => {
    onSearch({ page }, { history: "push" });
    document.getElementById("main")?.scrollIntoView();
  };
  if (error && !data) {
    return <ErrorState message={error.message} requestId={error.requestId} onRetry={refetch} />;
  }
  if (!data) return <SkeletonRows label="Loading contracts" rows={12} />;
  if (data.data.length === 0) {
    return hasFilters(search) ? (
      <NoResults search={search} onSearch={onSearch} />
    ) : (
      <NoContracts onSearch={onSearch} />
    );
  }
  const chosen = data.data.filter(({ id }) => selected.has(id));
  return (
    <>
      <ContractsTable
        contracts={data.data}
        fields={shown}
        sorting={search}
        onSort={(sorting) => onSearch({ ...sorting, page: null })}
        selection={may("contracts:write") ? { ids: selected, onChange: setSelected } : null}
        isPrevious={isPrevious}
        onIntent={onIntent}
      />
      <div className="border-line border-t px-4 py-2.5 md:px-6">
        <Pagination
          {...data}
          what={data.total === 1 ? "contract" : "contracts"}
          onPage={toPage}
          onIntent={(page) => prefetchPage("contracts.list", { ...input, page })}
        />
      </div>
      {chosen.length > 0 && <BulkBar contracts={chosen} onClear={() => setSelected(noIds)} />}
    </>
  );
}

/**
 * Returns the fields that have a column, including the one that the list is sorted by. Memoized, so that the
 * memoized rows do not render again.
 */
function useShownFields(fields: CustomField[], { columns, sort }: ContractSearch): CustomField[] {
  return useMemo(
    () => fields.filter(({ key }) => columns.includes(key) || keyIn(sort) === key),
    [fields, columns, sort],
  );
}

function NoResults({ search, onSearch }: Pick<ListProps, "search" | "onSearch">) {
  return (
    <EmptyState
      icon={SearchX}
      title="No results"
      action={
        <div className="flex flex-wrap justify-center gap-2">
          {search.q !== "" && (
            <Button variant="primary" onClick={() => onSearch({ in: "documents", page: null })}>
              Search inside documents
            </Button>
          )}
          <Button onClick={() => onSearch(noFiltersOf(search))}>Clear the filters</Button>
        </div>
      }
    >
      No contract matches these filters.
    </EmptyState>
  );
}

function NoContracts({ onSearch }: Pick<ListProps, "onSearch">) {
  const may = useMay();
  const { data: archived, error } = useOperation("contracts.list", { archived: "true" });
  if (!archived && !error) return <SkeletonRows label="Loading contracts" rows={12} />;
  const create = may("contracts:write") && (
    <ButtonLink href="/contracts/new" variant="primary">
      New contract
    </ButtonLink>
  );
  if (archived && archived.total > 0) {
    return (
      <EmptyState
        icon={Archive}
        title={archived.total === 1 ? "The only contract is archived" : "All contracts are archived"}
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <Button onClick={() => onSearch({ archived: "true", page: null })}>
              Show {counted(archived.total, "archived contract")}
            </Button>
            {create}
          </div>
        }
      >
        Archived contracts are hidden until you show them.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={FileText} title="No contracts yet" action={create}>
      A contract holds its parties, its dates and what follows from them. Drop a PDF or Word file on this
      page, or start with the form.
    </EmptyState>
  );
}
