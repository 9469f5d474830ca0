"use client";
/** The page of all obligations of the workspace, the soonest first. */
import { CalendarClock, SearchX } from "lucide-react";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { useDebounced } from "#components/debounced.ts";
import { SpanFilter } from "#components/filters.tsx";
import { useLastPage } from "#components/last-page.ts";
import { useNextPage } from "#components/next-page.ts";
import { useOperation, usePrefetch } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { Button } from "#components/ui/button.tsx";
import { FilterBar } from "#components/ui/filter.tsx";
import { SearchInput } from "#components/ui/input.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Pagination } from "#components/ui/pagination.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "#components/ui/states.tsx";
import type { Obligation } from "#lib/obligations/schema.ts";
import { ObligationFilters, ViewFilter, WhoseFilter } from "./filters.tsx";
import { ObligationsTable } from "./obligations-table.tsx";
import { hasObligationFilters, noObligationFilters, obligationParsers, obligationQuery } from "./search.ts";
import { ObligationViews } from "./views.tsx";

/** Loaded on demand, because it includes the form library. */
const ObligationDialog = lazily(() =>
  import("./obligation-dialog.tsx").then((module) => module.ObligationDialog),
);

const BulkBar = lazily(() => import("./bulk-bar.tsx").then((module) => module.BulkBar));

const noIds: ReadonlySet<string> = new Set();

export function ObligationsPage() {
  const [search, setSearch] = useQueryStates(obligationParsers, { clearOnDefault: true });
  const q = useDebounced(search.q, 150);
  const input = obligationQuery({ ...search, q });
  const reading = useOperation("obligations.agenda", input, { keepPrevious: true });
  const { error, isPrevious, refetch } = reading;
  const data = useLastPage(reading, (page) => setSearch({ page }));
  useNextPage("obligations.agenda", input, reading);
  const [editing, setEditing] = useState<Obligation | null>(null);
  const may = useMay();
  const inputKey = JSON.stringify(input);
  const [selection, setSelection] = useState({ inputKey, ids: noIds });
  // A selection belongs to its query and page: with another one, the selected rows are no longer visible.
  const selected = selection.inputKey === inputKey ? selection.ids : noIds;
  const setSelected = (ids: ReadonlySet<string>) => setSelection({ inputKey, ids });
  const chosen = (data?.data ?? []).filter(({ id }) => selected.has(id));
  const prefetchPage = usePrefetch();
  const change = (what: Record<string, unknown>) =>
    void setSearch({ ...what, page: null } as Parameters<typeof setSearch>[0]);
  return (
    <>
      <div className="grid gap-4 px-4 pt-5 pb-4 md:px-6">
        <PageHeader
          title="Obligations"
          description="What has to be done, the soonest first. Days are calendar days, in UTC."
          actions={<ObligationViews current="list" />}
        />
        <FilterBar
          lead={
            <>
              <WhoseFilter search={search} onSearch={change} />
              <ViewFilter search={search} onSearch={change} />
              <SearchInput
                label="Search obligations"
                placeholder="Title"
                value={search.q}
                onValue={(value) => change({ q: value || null })}
                className="min-w-40 flex-1 sm:w-64 sm:flex-none"
              />
            </>
          }
        >
          <ObligationFilters search={search} onSearch={change} />
          <SpanFilter
            label="Due"
            from={search.dueFrom}
            to={search.dueTo}
            onSpan={(dueFrom, dueTo) => change({ dueFrom, dueTo })}
          />
          {hasObligationFilters(search) && (
            <Button variant="quiet" size="sm" data-set onClick={() => void setSearch(noObligationFilters)}>
              Clear all
            </Button>
          )}
        </FilterBar>
      </div>
      <div className="border-line border-t">
        {error && !data ? (
          <ErrorState message={error.message} requestId={error.requestId} onRetry={refetch} />
        ) : !data ? (
          <SkeletonRows label="Loading obligations" rows={12} />
        ) : data.data.length === 0 ? (
          hasObligationFilters(search) ? (
            <EmptyState
              icon={SearchX}
              title="No results"
              action={<Button onClick={() => void setSearch(noObligationFilters)}>Clear the filters</Button>}
            >
              No obligation matches these filters.
            </EmptyState>
          ) : (
            <EmptyState icon={CalendarClock} title="Nothing to do">
              Nothing is open. Obligations are added on a contract's page: notices, payments, reports. Their
              dates follow the contract's.
            </EmptyState>
          )
        ) : (
          <>
            <ObligationsTable
              obligations={data.data}
              isPrevious={isPrevious}
              onEdit={setEditing}
              selection={may("obligations:write") ? { ids: selected, onChange: setSelected } : null}
            />
            <div className="border-line border-t px-4 py-2.5 md:px-6">
              <Pagination
                {...data}
                what={data.total === 1 ? "obligation" : "obligations"}
                onPage={(page) => void setSearch({ page }, { history: "push" })}
                onIntent={(page) => prefetchPage("obligations.agenda", { ...input, page })}
              />
            </div>
            {chosen.length > 0 && <BulkBar obligations={chosen} onClear={() => setSelected(noIds)} />}
          </>
        )}
      </div>
      {editing && (
        <ObligationDialog
          contractId={editing.contractId}
          obligation={editing}
          onClose={() => setEditing(null)}
        />
      )}
    </>
  );
}
