"use client";
/** The filters shared by the list of obligations and the calendar. */
import { AssigneeFilter, CounterpartyFilter, OwnerFilter } from "#components/filters.tsx";
import { useSession } from "#components/session.tsx";
import { ChoiceFilter } from "#components/ui/filter.tsx";
import { Segments } from "#components/ui/segments.tsx";
import { optionsOf } from "#components/words.ts";
import { obligationKinds, obligationStatuses } from "#lib/obligations/lifecycle.ts";
import type { ObligationSearch } from "./search.ts";
import { obligationWord } from "./status.tsx";

type Shared = Pick<
  ObligationSearch,
  "view" | "status" | "kind" | "ownerId" | "assigneeId" | "counterpartyId"
>;

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

/** Selects open obligations, or all. Neither is selected if individual statuses are chosen. */
export function ViewFilter({ search, onSearch }: SharedFilterProps<"view" | "status">) {
  return (
    <Segments
      label="Show"
      value={search.status.length > 0 ? null : search.view}
      options={views}
      onValue={(view) => onSearch({ view, status: null })}
    />
  );
}

const whose = [
  { value: "mine", label: "Mine" },
  { value: "owned", label: "Of my contracts" },
  { value: "everyone", label: "Everyone's" },
] as const;

/**
 * Selects the obligations assigned to the member, those of contracts that the member owns, or all. None is
 * selected for other people's.
 */
export function WhoseFilter({ search, onSearch }: SharedFilterProps<"ownerId" | "assigneeId">) {
  const { user } = useSession();
  const { ownerId, assigneeId } = search;
  const chosen =
    ownerId === null && assigneeId === null
      ? "everyone"
      : assigneeId === user.id && ownerId === null
        ? "mine"
        : ownerId === user.id && assigneeId === null
          ? "owned"
          : null;
  return (
    <Segments
      label="Responsible"
      value={chosen}
      options={whose}
      onValue={(value) =>
        onSearch({
          assigneeId: value === "mine" ? user.id : null,
          ownerId: value === "owned" ? user.id : null,
        })
      }
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
      <AssigneeFilter value={search.assigneeId} onValue={(assigneeId) => onSearch({ assigneeId })} />
      <OwnerFilter value={search.ownerId} onValue={(ownerId) => onSearch({ ownerId })} />
      <CounterpartyFilter
        value={search.counterpartyId}
        onValue={(counterpartyId) => onSearch({ counterpartyId })}
      />
    </>
  );
}
