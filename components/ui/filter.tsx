"use client";
/** Filters of a list: each a button that says what it filters by, and what it leaves. */
import { clsx } from "clsx";
import { ChevronDown, X } from "lucide-react";
import type { ReactNode } from "react";
import { Checkbox } from "./choice.tsx";
import { Popover } from "./popover.tsx";
import type { Option } from "./select.tsx";

/** The filters of a list; on a phone one line of them, that scrolls. The search box, if any, comes first. */
export function FilterBar({ children }: { children: ReactNode }) {
  return (
    <search className="flex items-center gap-2 max-sm:-mx-4 max-sm:overflow-x-auto max-sm:px-4 max-sm:py-1 sm:flex-wrap">
      {children}
    </search>
  );
}

export interface FilterButtonProps {
  label: string;
  /** What it is set to, in words; null where it lets everything through. */
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
            <span className={clsx("shrink-0", set && "text-quiet")}>{label}</span>
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

/** Any of several. */
export function ChoiceFilter<Value extends string>({
  label,
  options,
  selected,
  onSelect,
}: ChoiceFilterProps<Value>) {
  const chosen = options.filter(({ value }) => selected.includes(value as Value));
  const said =
    chosen.length > 2 ? `${chosen.length} chosen` : chosen.map((option) => option.label).join(", ");
  return (
    <FilterButton
      label={label}
      value={chosen.length > 0 ? said : null}
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
