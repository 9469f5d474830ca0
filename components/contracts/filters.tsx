"use client";
import { CounterpartyFilter, OwnerFilter, SpanFilter } from "#components/filters.tsx";
import { Button } from "#components/ui/button.tsx";
import { ChoiceFilter, FilterBar } from "#components/ui/filter.tsx";
import { SearchInput } from "#components/ui/input.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { Segments } from "#components/ui/segments.tsx";
import { optionsOf } from "#components/words.ts";
import { contractStatuses, contractTypes, ourRoles } from "#lib/contracts/lifecycle.ts";
import { columnOfKey } from "#lib/custom-fields/catalogue.ts";
import type { CustomField } from "#lib/custom-fields/schema.ts";
import { useCurrencies } from "./currencies.ts";
import { type ContractSearch, fieldFilters, hasFilters, noFiltersOf } from "./search.ts";
import { ArchivedFilter, TagFilter } from "./tag-filter.tsx";

const FieldFilters = lazily(() =>
  import("#components/custom-fields/field-filters.tsx").then((module) => module.FieldFilters),
);

const statusOptions = optionsOf(contractStatuses);
const typeOptions = optionsOf(contractTypes);
const roleOptions = optionsOf(ourRoles);
const places = [
  { value: "titles", label: "Titles" },
  { value: "documents", label: "Documents" },
] as const;

type Nullable<T> = { [K in keyof T]?: T[K] | null };

export interface FiltersProps {
  search: ContractSearch;
  /** The workspace's custom fields. */
  fields: CustomField[];
  /** Receives the changed values, null for the default. A change to a filter also returns to page 1. */
  onSearch(change: Nullable<ContractSearch>): void;
}

export function ContractFilters({ search, fields, onSearch }: FiltersProps) {
  const currencies = useCurrencies();
  const isInDocuments = search.in === "documents";
  const change = (what: Nullable<ContractSearch>) => onSearch({ ...what, page: null });
  return (
    <FilterBar
      lead={
        <>
          <SearchInput
            label={isInDocuments ? "Search documents" : "Search contracts"}
            placeholder={isInDocuments ? "Words or a question" : "Title or counterparty"}
            value={search.q}
            onValue={(q) => change({ q: q || null })}
            className="min-w-40 flex-1 sm:w-64 sm:flex-none"
          />
          <Segments
            label="Search in"
            value={search.in}
            options={places}
            onValue={(place) => change({ in: place })}
          />
        </>
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
      <TagFilter tags={search.tag} onTags={(tag) => change({ tag })} />
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
      <ArchivedFilter value={search.archived} onValue={(archived) => change({ archived })} />
      {fields.length > 0 && (
        <FieldFilters
          fields={fields}
          filters={fieldFilters(search)}
          onFilter={(name, values) => change({ [columnOfKey(name)]: values.length > 0 ? values : null })}
          columns={isInDocuments ? null : search.columns}
          onColumns={(columns) => onSearch({ columns })}
        />
      )}
      {hasFilters(search) && (
        <Button variant="quiet" size="sm" data-set onClick={() => onSearch(noFiltersOf(search))}>
          Clear all
        </Button>
      )}
    </FilterBar>
  );
}
