"use client";
/** A list of many options, filtered by typing. */
import { Command } from "cmdk";
import { Check, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";

export interface ComboboxOption {
  value: string;
  label: string;
  hint?: string;
}

export interface ComboboxListProps {
  /** The noun for an option, such as "counterparty". */
  what: string;
  value: string | null;
  options: readonly ComboboxOption[];
  onChoose(value: string | null): void;
  /** Whether the value may be cleared. */
  clearable?: boolean;
  /** Creates an option with the typed name. If set, this is offered when no option has that name. */
  onCreate?(name: string): void;
  /** Called with the typed text, if `options` is only a part of all options. */
  onSearch?(typed: string): void;
}

/** The maximum number of rows; further options appear as the search is narrowed. */
const maxShown = 100;

/** The list without its button and popover. */
export function ComboboxList({
  what,
  value,
  options,
  onChoose,
  clearable,
  onCreate,
  onSearch,
}: ComboboxListProps) {
  const [search, setSearch] = useState("");
  const wanted = search.trim().toLowerCase();
  const found = options.filter(({ label, hint }) => `${label} ${hint ?? ""}`.toLowerCase().includes(wanted));
  const isNew = wanted !== "" && !found.some(({ label }) => label.toLowerCase() === wanted);
  return (
    <Command shouldFilter={false} label={`Search for a ${what}`}>
      <Command.Input
        value={search}
        onValueChange={(typed) => {
          setSearch(typed);
          onSearch?.(typed);
        }}
        placeholder={`Search ${what}`}
        className="w-full rounded-t-lg border-line border-b bg-transparent px-3 py-2.5 text-[1rem] outline-none sm:text-sm"
      />
      <Command.List className="max-h-64 overflow-y-auto p-1">
        {clearable && !wanted && (
          <Row value="-none-" onSelect={() => onChoose(null)}>
            <span className="text-quiet">None</span>
          </Row>
        )}
        {found.slice(0, maxShown).map((option) => (
          <Row key={option.value} value={option.value} onSelect={() => onChoose(option.value)}>
            <span className="min-w-0 flex-1 truncate">
              {option.label}
              {option.hint && <span className="ml-2 text-faint text-xs">{option.hint}</span>}
            </span>
            {option.value === value && <Check aria-hidden className="size-4 text-accent" />}
          </Row>
        ))}
        {found.length > maxShown && (
          <p className="px-2 py-1.5 text-faint text-xs">{found.length - maxShown} more: type to find them.</p>
        )}
        {found.length === 0 && !onCreate && <p className="px-2 py-1.5 text-quiet">No matches.</p>}
        {onCreate && isNew && (
          <Row value="-create-" onSelect={() => onCreate(search.trim())}>
            <Plus aria-hidden className="size-4 text-quiet" />
            Add “{search.trim()}”
          </Row>
        )}
      </Command.List>
    </Command>
  );
}

function Row({ value, onSelect, children }: { value: string; onSelect(): void; children: ReactNode }) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex min-h-8 items-center gap-2 rounded-sm px-2 py-1.5 data-[selected=true]:bg-hover"
    >
      {children}
    </Command.Item>
  );
}
