"use client";
/** A choice out of many, found by typing. */
import { clsx } from "clsx";
import { Command } from "cmdk";
import { Check, ChevronsUpDown, Plus } from "lucide-react";
import { useState } from "react";
import { useFieldWiring } from "./field.tsx";
import { controlClass } from "./input.tsx";
import { Popover } from "./popover.tsx";

export interface ComboboxOption {
  value: string;
  label: string;
  hint?: string;
}

export interface ComboboxProps {
  /** What is chosen here: "counterparty". */
  what: string;
  value: string | null;
  onValue(value: string | null): void;
  options: readonly ComboboxOption[];
  placeholder?: string;
  /** May it be none? */
  clearable?: boolean;
  /** Offers to make what was typed and not found. */
  onCreate?(name: string): void;
  className?: string;
  "aria-label"?: string;
}

/** Rows beyond these are found by typing more. */
const mostShown = 100;

export function Combobox({
  what,
  value,
  onValue,
  options,
  placeholder,
  clearable,
  onCreate,
  className,
  ...rest
}: ComboboxProps) {
  const [open, setOpen] = useState(false);
  const [search, setSearch] = useState("");
  const wiring = useFieldWiring();
  const chosen = options.find((option) => option.value === value);
  const wanted = search.trim().toLowerCase();
  const found = options.filter(({ label, hint }) => `${label} ${hint ?? ""}`.toLowerCase().includes(wanted));
  const shown = found.slice(0, mostShown);
  const choose = (next: string | null) => {
    onValue(next);
    setOpen(false);
    setSearch("");
  };
  return (
    <Popover
      label={`Choose a ${what}`}
      open={open}
      onOpenChange={setOpen}
      className="w-(--radix-popover-trigger-width) min-w-64"
      trigger={
        <button
          type="button"
          {...wiring}
          {...rest}
          role="combobox"
          aria-expanded={open}
          className={clsx(controlClass, "flex h-9 items-center gap-2 text-left sm:h-8", className)}
        >
          <span className={clsx("min-w-0 flex-1 truncate", !chosen && "text-faint")}>
            {chosen?.label ?? placeholder ?? `Choose a ${what}`}
          </span>
          <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-quiet" />
        </button>
      }
    >
      <Command shouldFilter={false} label={`Search for a ${what}`}>
        <Command.Input
          value={search}
          onValueChange={setSearch}
          placeholder={`Search ${what}`}
          className="w-full border-line border-b bg-transparent px-3 py-2.5 text-[1rem] outline-none sm:text-sm"
        />
        <Command.List className="max-h-64 overflow-y-auto p-1">
          {clearable && !wanted && (
            <Row value="-none-" onSelect={() => choose(null)}>
              <span className="text-quiet">None</span>
            </Row>
          )}
          {shown.map((option) => (
            <Row key={option.value} value={option.value} onSelect={() => choose(option.value)}>
              <span className="min-w-0 flex-1 truncate">
                {option.label}
                {option.hint && <span className="ml-2 text-faint text-xs">{option.hint}</span>}
              </span>
              {option.value === value && <Check aria-hidden className="size-4 text-accent" />}
            </Row>
          ))}
          {found.length > shown.length && (
            <p className="px-2 py-1.5 text-faint text-xs">
              {found.length - shown.length} more: type to find them.
            </p>
          )}
          {found.length === 0 && !onCreate && (
            <p className="px-2 py-1.5 text-quiet">Nothing is called that.</p>
          )}
          {onCreate && wanted && !found.some(({ label }) => label.toLowerCase() === wanted) && (
            <Row
              value="-create-"
              onSelect={() => {
                onCreate(search.trim());
                setOpen(false);
                setSearch("");
              }}
            >
              <Plus aria-hidden className="size-4 text-quiet" />
              Add “{search.trim()}”
            </Row>
          )}
        </Command.List>
      </Command>
    </Popover>
  );
}

function Row({ value, onSelect, children }: { value: string; onSelect(): void; children: React.ReactNode }) {
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
