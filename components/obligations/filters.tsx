"use client";
/** The filters that the list of obligations and its calendar share. */
import { CounterpartyFilter, OwnerFilter } from "#components/filters.tsx";
import { ChoiceFilter } from "#components/ui/filter.tsx";
import { Segments } from "#components/ui/segments.tsx";
import { optionsOf } from "#components/words.ts";
import { obligationKinds, obligationStatuses } from "#lib/obligations/lifecycle.ts";
import type { ObligationSearch } from "./search.ts";
import { obligationWord } from "./status.tsx";

type Shared = Pick<ObligationSearch, "view" | "status" | "kind" | "ownerId" | "counterpartyId">;

export interface SharedFilterProps<Name extends keyof Shared = keyof Shared> {
  search: Pick<Shared, Name>;
  onSearch(change: { [Key in keyof Shared]?: Shared[Key] | null }): void;
}

const statusOptions = obligationStatuses.map((value) => ({ value, label: obligationWord(value) }));
const views = [
  { value: "open", label: "Open" },
  { value: "all", label: "All" },
] as const;
const kindOptions = optionsOf(obligationKinds);

/** What is open, or everything; neither of the two where statuses are chosen one by one. */
export function ViewFilter({ search, onSearch }: SharedFilterProps<"view" | "status">) {
  return (
    <Segments
      label="Which"
      value={search.status.length > 0 ? null : search.view}
      options={views}
      onValue={(view) => onSearch({ view, status: null })}
    />
  );
}

export function ObligationFilters({ search, onSearch }: SharedFilterProps) {
  return (
    <>
      <ChoiceFilter
        label="Status"
        options={statusOptions}
        selected={search.status}
        onSelect={(status) => onSearch({ status })}
      />
      <ChoiceFilter
        label="Kind"
        options={kindOptions}
        selected={search.kind}
        onSelect={(kind) => onSearch({ kind })}
      />
      <OwnerFilter value={search.ownerId} onValue={(ownerId) => onSearch({ ownerId })} />
      <CounterpartyFilter
        value={search.counterpartyId}
        onValue={(counterpartyId) => onSearch({ counterpartyId })}
      />
    </>
  );
}
