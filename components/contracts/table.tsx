"use client";
import { clsx } from "clsx";
import { type KeyboardEvent, memo, useCallback, useEffect, useRef } from "react";
import { FieldValue } from "#components/custom-fields/field-value.tsx";
import { usePeople } from "#components/custom-fields/people.ts";
import { useFading } from "#components/fading.ts";
import { Money } from "#components/money.tsx";
import { useRowKeys } from "#components/row-keys.ts";
import { SelectAllTh, type Selection, toggled } from "#components/selection.tsx";
import { useToday } from "#components/today.ts";
import { Checkbox } from "#components/ui/choice.tsx";
import { NameLink } from "#components/ui/link.tsx";
import { SortTh, Table, Td, Th, Tr } from "#components/ui/table.tsx";
import { Ago, DayText } from "#components/ui/time.tsx";
import { inWords } from "#components/words.ts";
import type { contractSorts } from "#lib/contracts/lifecycle.ts";
import type { Contract } from "#lib/contracts/schema.ts";
import { dayOf, daysBetween } from "#lib/core/dates.ts";
import { columnOfKey } from "#lib/custom-fields/catalogue.ts";
import type { CustomField } from "#lib/custom-fields/schema.ts";
import { ContractStatusBadge } from "./status.tsx";

export type ContractSort = (typeof contractSorts)[number] | `customFields.${string}`;

export interface Sorting {
  sort: ContractSort;
  dir: "asc" | "desc";
}

export interface ContractsTableProps {
  contracts: Contract[];
  /** The custom fields that have a column. */
  fields: CustomField[];
  sorting: Sorting;
  onSort(sorting: Sorting): void;
  /** Null if the member can do nothing with a selection. */
  selection: Selection | null;
  isPrevious: boolean;
  onIntent(contract: Contract): void;
}

/** The direction in which a column is sorted first; by default descending. */
const firstDirection: Partial<Record<ContractSort, "asc" | "desc">> = { title: "asc", expiresAt: "asc" };

export function ContractsTable({
  contracts,
  fields,
  sorting,
  onSort,
  selection,
  isPrevious,
  onIntent,
}: ContractsTableProps) {
  const column = (sort: ContractSort) => ({
    direction: sorting.sort === sort ? sorting.dir : null,
    onSort: () =>
      onSort({
        sort,
        dir:
          sorting.sort === sort ? (sorting.dir === "asc" ? "desc" : "asc") : (firstDirection[sort] ?? "desc"),
      }),
  });
  const fading = useFading(isPrevious);
  const rowKeys = useRowKeys(contracts.map(({ id }) => id));
  const people = usePeople(fields.some(({ type }) => type === "member"));
  const latestSelection = useRef(selection);
  useEffect(() => {
    latestSelection.current = selection;
  });
  const onToggle = useCallback((id: string) => {
    const { current } = latestSelection;
    current?.onChange(toggled(current.ids, id));
  }, []);
  return (
    <Table label="Contracts" className={fading}>
      <thead>
        <tr>
          {selection && <SelectAllTh rows={contracts} selection={selection} />}
          <SortTh label="Contract" {...column("title")} />
          <Th className="max-2xl:hidden">Counterparty</Th>
          <Th className="max-2xl:hidden">Type</Th>
          <Th className="max-sm:hidden">Status</Th>
          <SortTh label="Value" {...column("valueCents")} className="text-right max-lg:hidden" />
          <SortTh label="Starts" {...column("effectiveDate")} className="max-2xl:hidden" />
          <SortTh label="Ends" {...column("expiresAt")} className="max-sm:hidden" />
          <Th className="max-2xl:hidden">Owner</Th>
          {fields.map(({ id, key, name }) => (
            <SortTh
              key={id}
              label={name}
              {...column(columnOfKey(key))}
              mayBeCut
              className="max-w-48 max-sm:hidden"
            />
          ))}
          <SortTh label="Activity" {...column("lastActivityAt")} className="max-lg:hidden" />
        </tr>
      </thead>
      <tbody onKeyDown={moveBetweenRows}>
        {contracts.map((contract) => (
          <ContractRow
            key={rowKeys.get(contract.id)}
            contract={contract}
            fields={fields}
            people={people}
            isSelected={selection ? selection.ids.has(contract.id) : null}
            onToggle={onToggle}
            onIntent={onIntent}
          />
        ))}
      </tbody>
    </Table>
  );
}

interface ContractRowProps {
  contract: Contract;
  fields: CustomField[];
  people: ReadonlyMap<string, string>;
  /** Null if rows cannot be selected. */
  isSelected: boolean | null;
  onToggle(id: string): void;
  onIntent(contract: Contract): void;
}

/** Memoized, so that typing in the filters above does not render every row again. */
const ContractRow = memo(function ContractRow({
  contract,
  fields,
  people,
  isSelected,
  onToggle,
  onIntent,
}: ContractRowProps) {
  return (
    <Tr className={clsx("relative", isSelected && "bg-accent-soft/50")}>
      {isSelected !== null && (
        <Td className="relative z-10 pr-0">
          <Checkbox
            label={`Select ${contract.title}`}
            labelHidden
            checked={isSelected}
            onChange={() => onToggle(contract.id)}
          />
        </Td>
      )}
      <Td className="w-full max-w-0 py-1.5 sm:min-w-52">
        <NameLink
          href={`/contracts/${contract.id}`}
          prefetch={false}
          data-row
          title={contract.title}
          onPointerEnter={() => onIntent(contract)}
          onFocus={() => onIntent(contract)}
          className="line-clamp-2 after:absolute after:inset-0"
        >
          {contract.title}
        </NameLink>
        <span className="block truncate text-faint text-xs 2xl:hidden">
          {contract.counterparty?.name ?? "No counterparty"}
        </span>
        {(contract.archivedAt !== null || contract.tags.length > 0) && (
          <span className="block truncate text-quiet text-xs" title={contract.tags.join(", ")}>
            {[...(contract.archivedAt === null ? [] : ["Archived"]), ...contract.tags].join(" · ")}
          </span>
        )}
        <span className="mt-1 block sm:hidden">
          <ContractStatusBadge status={contract.status} />
        </span>
      </Td>
      <Td className="max-w-52 truncate max-2xl:hidden" title={contract.counterparty?.name}>
        {contract.counterparty ? contract.counterparty.name : <span className="text-faint">–</span>}
      </Td>
      <Td className="whitespace-nowrap text-quiet max-2xl:hidden">{inWords(contract.type)}</Td>
      <Td className="max-sm:hidden">
        <ContractStatusBadge status={contract.status} />
      </Td>
      <Td className="text-right max-lg:hidden">
        <Money cents={contract.valueCents} currency={contract.valueCurrency} />
      </Td>
      <Td className="text-quiet max-2xl:hidden">
        <DayText value={contract.effectiveDate} />
      </Td>
      <Td className="max-sm:hidden">
        <EndsCell contract={contract} />
      </Td>
      <Td className="max-w-36 truncate text-quiet max-2xl:hidden" title={contract.owner.name}>
        {contract.owner.name}
      </Td>
      {fields.map((field) => (
        <Td key={field.id} className="max-w-48 truncate text-quiet max-sm:hidden">
          <FieldValue field={field} value={contract.customFields[field.key] ?? null} people={people} />
        </Td>
      ))}
      <Td className="whitespace-nowrap text-quiet max-lg:hidden">
        <Ago value={contract.lastActivityAt} />
      </Td>
    </Tr>
  );
});

/** The number of days before the end from which the date is highlighted. */
const soonDays = 60;

function EndsCell({ contract }: { contract: Contract }) {
  const today = useToday();
  const { expiresAt, status, autoRenews } = contract;
  if (!expiresAt) return <DayText value={null} />;
  const left = daysBetween(today, dayOf(new Date(expiresAt)));
  const isSoon = status === "ACTIVE" && left >= 0 && left <= soonDays;
  return (
    <span className={clsx("whitespace-nowrap", isSoon ? "font-medium text-on-warn leading-4" : "text-quiet")}>
      <DayText value={expiresAt} />
      {isSoon && (
        <span className="block font-normal text-xs leading-4">
          {autoRenews ? "renews" : "ends"} in {left} d
        </span>
      )}
    </span>
  );
}

/** Moves the focus between contracts with the up and down arrow keys. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-row]")];
  const row = (event.target as HTMLElement).closest("tr")?.querySelector<HTMLElement>("[data-row]");
  const next = rows[rows.indexOf(row as HTMLElement) + (event.key === "ArrowDown" ? 1 : -1)];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
