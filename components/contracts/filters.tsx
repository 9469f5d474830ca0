"use client";
import { useState } from "react";
import { useOperation } from "#components/query.tsx";
import { Button } from "#components/ui/button.tsx";
import { ComboboxList } from "#components/ui/combobox.tsx";
import { Field } from "#components/ui/field.tsx";
import { ChoiceFilter, FilterBar, FilterButton } from "#components/ui/filter.tsx";
import { DateInput, SearchInput } from "#components/ui/input.tsx";
import { optionsOf } from "#components/words.ts";
import { contractStatuses, contractTypes, ourRoles } from "#lib/contracts/lifecycle.ts";
import { useCurrencies } from "./currencies.ts";
import { type ContractSearch, hasFilters, noContractFilters } from "./search.ts";

const statusOptions = optionsOf(contractStatuses);
const typeOptions = optionsOf(contractTypes);
const roleOptions = optionsOf(ourRoles);

type Nullable<T> = { [K in keyof T]?: T[K] | null };

export interface FiltersProps {
  search: ContractSearch;
  /** Any filter that changes leads back to page 1. */
  onSearch(change: Nullable<ContractSearch>): void;
}

export function ContractFilters({ search, onSearch }: FiltersProps) {
  const currencies = useCurrencies();
  const change = (what: Nullable<ContractSearch>) => onSearch({ ...what, page: null });
  return (
    <FilterBar
      lead={
        <SearchInput
          label="Search contracts"
          placeholder="Title or counterparty"
          value={search.q}
          onValue={(q) => change({ q: q || null })}
          className="min-w-40 flex-1 sm:w-64 sm:flex-none"
        />
      }
    >
      <ChoiceFilter
        label="Status"
        options={statusOptions}
        selected={search.status}
        onSelect={(status) => change({ status })}
      />
      <ChoiceFilter
        label="Type"
        options={typeOptions}
        selected={search.type}
        onSelect={(type) => change({ type })}
      />
      <ChoiceFilter
        label="Our role"
        options={roleOptions}
        selected={search.ourRole}
        onSelect={(ourRole) => change({ ourRole })}
      />
      {search.valueCurrency.length > 0 && (
        <ChoiceFilter
          label="Currency"
          options={currencies}
          selected={search.valueCurrency}
          onSelect={(valueCurrency) => change({ valueCurrency })}
        />
      )}
      <OwnerFilter value={search.ownerId} onValue={(ownerId) => change({ ownerId })} />
      <CounterpartyFilter
        value={search.counterpartyId}
        onValue={(counterpartyId) => change({ counterpartyId })}
      />
      <SpanFilter
        label="Starts"
        from={search.effectiveFrom}
        to={search.effectiveTo}
        onSpan={(effectiveFrom, effectiveTo) => change({ effectiveFrom, effectiveTo })}
      />
      <SpanFilter
        label="Ends"
        from={search.expiresFrom}
        to={search.expiresTo}
        onSpan={(expiresFrom, expiresTo) => change({ expiresFrom, expiresTo })}
      />
      {hasFilters(search) && (
        <Button variant="quiet" size="sm" data-set onClick={() => onSearch(noContractFilters)}>
          Clear all
        </Button>
      )}
    </FilterBar>
  );
}

interface PickProps {
  value: string | null;
  onValue(value: string | null): void;
}

export function OwnerFilter({ value, onValue }: PickProps) {
  const [open, setOpen] = useState(false);
  const { data } = useOperation("members.list", {}, { enabled: open || value !== null });
  const options = (data?.data ?? []).map(({ userId, name, email }) => ({
    value: userId,
    label: name,
    hint: email,
  }));
  return <PickFilter label="Owner" what="owner" options={options} {...{ value, onValue, open, setOpen }} />;
}

export function CounterpartyFilter({ value, onValue }: PickProps) {
  const [open, setOpen] = useState(false);
  const { data } = useOperation("counterparties.list", {}, { enabled: open || value !== null });
  const options = (data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <PickFilter
      label="Counterparty"
      what="counterparty"
      options={options}
      {...{ value, onValue, open, setOpen }}
    />
  );
}

interface PickFilterProps extends PickProps {
  label: string;
  what: string;
  options: { value: string; label: string; hint?: string }[];
  open: boolean;
  setOpen(open: boolean): void;
}

function PickFilter({ label, what, options, value, onValue, open, setOpen }: PickFilterProps) {
  const chosen = options.find((option) => option.value === value);
  const choose = (next: string | null) => {
    onValue(next);
    setOpen(false);
  };
  return (
    <FilterButton
      label={label}
      value={value === null ? null : (chosen?.label ?? "…")}
      onClear={() => onValue(null)}
      open={open}
      onOpenChange={setOpen}
    >
      <ComboboxList what={what} value={value} options={options} onChoose={choose} />
    </FilterButton>
  );
}

interface SpanProps {
  label: string;
  from: string | null;
  to: string | null;
  onSpan(from: string | null, to: string | null): void;
}

export function SpanFilter({ label, from, to, onSpan }: SpanProps) {
  const said = from && to ? `${from} to ${to}` : from ? `from ${from}` : to ? `until ${to}` : null;
  return (
    <FilterButton label={label} value={said} onClear={() => onSpan(null, null)}>
      <div className="grid grid-cols-2 gap-3 p-3">
        <Field label="From">
          <DateInput value={from ?? ""} onChange={(event) => onSpan(event.target.value || null, to)} />
        </Field>
        <Field label="To">
          <DateInput value={to ?? ""} onChange={(event) => onSpan(from, event.target.value || null)} />
        </Field>
      </div>
    </FilterButton>
  );
}
