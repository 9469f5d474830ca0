"use client";
/** Controls for the filters of GET /audit-events. */
import { useState } from "react";
import { useDebounced } from "#components/debounced.ts";
import { SpanFilter } from "#components/filters.tsx";
import { useOperation } from "#components/query.tsx";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/choice.tsx";
import { ComboboxList } from "#components/ui/combobox.tsx";
import type { ComboboxOption } from "#components/ui/combobox-list.tsx";
import { FilterBar, FilterButton } from "#components/ui/filter.tsx";
import { SearchInput } from "#components/ui/input.tsx";
import { Segments } from "#components/ui/segments.tsx";
import { inWords } from "#components/words.ts";
import { type AuditAction, auditActions } from "#lib/audit/lifecycle.ts";
import { type AuditSearch, hasAuditFilters, noAuditFilters } from "./search.ts";

type Nullable<T> = { [K in keyof T]?: T[K] | null };

export interface AuditFiltersProps {
  search: AuditSearch;
  onSearch(change: Nullable<AuditSearch>): void;
}

export function AuditFilters({ search, onSearch }: AuditFiltersProps) {
  return (
    <FilterBar
      lead={
        <Segments
          label="Done by"
          value={search.via ?? "all"}
          options={ways}
          onValue={(via) => onSearch({ via: via === "all" ? null : via })}
        />
      }
    >
      <ActionFilter selected={search.action} onSelect={(action) => onSearch({ action })} />
      <MemberFilter value={search.actorId} onValue={(actorId) => onSearch({ actorId })} />
      <KeyFilter value={search.apiKeyId} onValue={(apiKeyId) => onSearch({ apiKeyId })} />
      <ContractFilter value={search.contractId} onValue={(contractId) => onSearch({ contractId })} />
      <SpanFilter
        label="Days (UTC)"
        from={search.from}
        to={search.to}
        onSpan={(from, to) => onSearch({ from, to })}
      />
      {hasAuditFilters(search) && (
        <Button variant="quiet" size="sm" data-set onClick={() => onSearch(noAuditFilters)}>
          Clear all
        </Button>
      )}
    </FilterBar>
  );
}

interface ActionFilterProps {
  selected: AuditAction[];
  onSelect(selected: AuditAction[]): void;
}

function ActionFilter({ selected, onSelect }: ActionFilterProps) {
  const [wanted, setWanted] = useState("");
  const said =
    selected.length > 2 ? `${selected.length} chosen` : selected.map((action) => inWords(action)).join(", ");
  const shown = auditActions.filter((action) =>
    inWords(action).toLowerCase().includes(wanted.trim().toLowerCase()),
  );
  const toggle = (action: AuditAction) =>
    onSelect(
      selected.includes(action) ? selected.filter((other) => other !== action) : [...selected, action],
    );
  return (
    <FilterButton
      label="Action"
      value={selected.length > 0 ? said : null}
      onClear={() => onSelect([])}
      className="w-72"
    >
      <div className="p-1.5">
        <SearchInput label="Search actions" value={wanted} onValue={setWanted} />
      </div>
      <fieldset className="grid max-h-72 gap-0.5 overflow-y-auto p-1.5 pt-0">
        <legend className="sr-only">Action</legend>
        {shown.map((action) => (
          <Checkbox
            key={action}
            label={inWords(action)}
            checked={selected.includes(action)}
            onChange={() => toggle(action)}
            className="rounded-sm px-2 py-1.5 hover:bg-hover"
          />
        ))}
        {shown.length === 0 && <p className="px-2 py-1.5 text-quiet">No action matches.</p>}
      </fieldset>
    </FilterButton>
  );
}

const ways = [
  { value: "all", label: "All" },
  { value: "user", label: "People" },
  { value: "api", label: "API keys" },
  { value: "assistant", label: "Assistants" },
] as const;

interface PickProps {
  value: string | null;
  onValue(value: string | null): void;
}

function MemberFilter({ value, onValue }: PickProps) {
  const [open, setOpen] = useState(false);
  const { data } = useOperation("members.list", {}, { enabled: open || value !== null });
  const options = (data?.data ?? []).map(({ userId, name, email }) => ({
    value: userId,
    label: name,
    hint: email,
  }));
  return <PickFilter label="Member" options={options} {...{ value, onValue, open, setOpen }} />;
}

function KeyFilter({ value, onValue }: PickProps) {
  const [open, setOpen] = useState(false);
  const { data } = useOperation("apiKeys.list", {}, { enabled: open || value !== null });
  const options = (data?.data ?? []).map(({ id, name, publicId }) => ({
    value: id,
    label: name,
    hint: `csk_${publicId}_…`,
  }));
  return <PickFilter label="API key" options={options} {...{ value, onValue, open, setOpen }} />;
}

interface OneOfProps extends PickProps {
  label: string;
  options: ComboboxOption[];
  open: boolean;
  setOpen(open: boolean): void;
}

function PickFilter({ label, options, value, onValue, open, setOpen }: OneOfProps) {
  const chosen = options.find((option) => option.value === value);
  return (
    <FilterButton
      label={label}
      value={value === null ? null : (chosen?.label ?? "…")}
      onClear={() => onValue(null)}
      open={open}
      onOpenChange={setOpen}
    >
      <ComboboxList
        what={label}
        value={value}
        options={options}
        onChoose={(next) => {
          onValue(next);
          setOpen(false);
        }}
      />
    </FilterButton>
  );
}

/** Searches on the server, because there may be very many contracts. */
function ContractFilter({ value, onValue }: PickProps) {
  const [open, setOpen] = useState(false);
  const [search, setSearch] = useState("");
  const q = useDebounced(search.trim(), 150);
  const found = useOperation("search.jump", { q }, { enabled: open && q !== "", keepPrevious: true });
  const chosen = useOperation("contracts.read", { id: value ?? "" }, { enabled: value !== null });
  const said = chosen.error ? "unknown" : (chosen.data?.contract.title ?? "…");
  return (
    <FilterButton
      label="Contract"
      value={value === null ? null : said}
      onClear={() => onValue(null)}
      open={open}
      onOpenChange={setOpen}
    >
      <div className="grid gap-1 p-1.5">
        <SearchInput
          label="Search contracts"
          placeholder="Title or counterparty"
          value={search}
          onValue={setSearch}
        />
        {(q === "" ? [] : (found.data?.contracts ?? [])).map(({ id, title, counterpartyName }) => (
          <button
            key={id}
            type="button"
            onClick={() => {
              onValue(id);
              setOpen(false);
            }}
            className="rounded-sm px-2 py-1.5 text-left hover:bg-hover"
          >
            <span className="block truncate">{title}</span>
            {counterpartyName && (
              <span className="block truncate text-faint text-xs">{counterpartyName}</span>
            )}
          </button>
        ))}
        <p aria-live="polite" className="px-2 py-1 text-quiet text-xs empty:hidden">
          {q === "" ? "Type to find a contract." : found.data?.contracts.length === 0 ? "No matches." : ""}
        </p>
      </div>
    </FilterButton>
  );
}
