"use client";
/** Filters of a list: buttons that show what they filter by and their current value. */
import { clsx } from "clsx";
import { ChevronDown, SlidersHorizontal, X } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { Button } from "./button.tsx";
import { Checkbox } from "./choice.tsx";
import { Popover } from "./popover.tsx";
import type { Option } from "./select.tsx";

/**
 * The filters of a list. On phones, unset filters are hidden behind a button; `lead`, such as a search box,
 * stays visible.
 */
export function FilterBar({ lead, children }: { lead?: ReactNode; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <search className="flex flex-wrap items-center gap-2">
      {lead}
      <Button
        className="sm:hidden"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <SlidersHorizontal aria-hidden />
        Filters
      </Button>
      <div
        id={id}
        className={clsx(
          "flex min-w-0 flex-wrap items-center gap-2 max-sm:empty:hidden",
          !isOpen && "max-sm:*:not-data-set:hidden",
        )}
      >
        {children}
      </div>
    </search>
  );
}

export interface FilterButtonProps {
  label: string;
  /** Its current value as text; null if it is not set. */
  value: string | null;
  onClear(): void;
  open?: boolean;
  onOpenChange?(open: boolean): void;
  className?: string;
  children: ReactNode;
}

export function FilterButton({
  label,
  value,
  onClear,
  open,
  onOpenChange,
  className,
  children,
}: FilterButtonProps) {
  const set = value !== null;
  return (
    <span
      data-set={set || undefined}
      className={clsx(
        "inline-flex h-8 max-w-full shrink-0 items-center rounded-md border text-sm",
        set
          ? "border-accent/40 bg-accent-soft text-ink"
          : "border-line border-dashed text-quiet hover:bg-hover hover:text-ink",
      )}
    >
      <Popover
        label={label}
        open={open}
        onOpenChange={onOpenChange}
        className={className}
        trigger={
          <button type="button" className="flex h-full min-w-0 items-center gap-1.5 rounded-md px-2.5">
            <span className={clsx("max-w-48 shrink-0 truncate", set && "text-quiet")}>{label}</span>
            {set ? (
              <span className="truncate font-medium">{value}</span>
            ) : (
              <ChevronDown aria-hidden className="size-3.5" />
            )}
          </button>
        }
      >
        {children}
      </Popover>
      {set && (
        <button
          type="button"
          aria-label={`Clear the filter ${label}`}
          onClick={onClear}
          className="-ml-1 grid h-full w-7 shrink-0 place-items-center rounded-md text-quiet hover:text-ink"
        >
          <X aria-hidden className="size-3.5" />
        </button>
      )}
    </span>
  );
}

export interface ChoiceFilterProps<Value extends string> {
  label: string;
  options: readonly Option[];
  selected: readonly Value[];
  onSelect(selected: Value[]): void;
}

/** A filter by any of several options. */
export function ChoiceFilter<Value extends string>({
  label,
  options,
  selected,
  onSelect,
}: ChoiceFilterProps<Value>) {
  const chosen = options.filter(({ value }) => selected.includes(value as Value));
  const valueText =
    chosen.length > 2 ? `${chosen.length} chosen` : chosen.map((option) => option.label).join(", ");
  return (
    <FilterButton
      label={label}
      value={chosen.length > 0 ? valueText : null}
      onClear={() => onSelect([])}
      className="w-60"
    >
      <fieldset className="grid gap-0.5 p-1.5">
        <legend className="sr-only">{label}</legend>
        {options.map((option) => {
          const value = option.value as Value;
          const isOn = selected.includes(value);
          return (
            <Checkbox
              key={value}
              label={option.label}
              checked={isOn}
              onChange={() =>
                onSelect(isOn ? selected.filter((other) => other !== value) : [...selected, value])
              }
              className="rounded-sm px-2 py-1.5 hover:bg-hover"
            />
          );
        })}
      </fieldset>
    </FilterButton>
  );
}
