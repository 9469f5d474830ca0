"use client";
/** Selects rows of a table, for actions on several at once. */
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/choice.tsx";
import { Th } from "#components/ui/table.tsx";

export interface Selection {
  ids: ReadonlySet<string>;
  onChange(ids: ReadonlySet<string>): void;
}

export function toggled(ids: ReadonlySet<string>, id: string): Set<string> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}

/** The header of the column of checkboxes: selects all rows of this page, or none. */
export function SelectAllTh({ rows, selection }: { rows: readonly { id: string }[]; selection: Selection }) {
  const chosen = rows.filter(({ id }) => selection.ids.has(id)).length;
  return (
    <Th className="w-9 pr-0">
      <Checkbox
        label="Select all on this page"
        labelHidden
        checked={chosen > 0 && chosen === rows.length}
        indeterminate={chosen > 0 && chosen < rows.length}
        onChange={({ target }) => selection.onChange(new Set(target.checked ? rows.map(({ id }) => id) : []))}
      />
    </Th>
  );
}

export interface SelectionBarProps {
  /** The toolbar's accessible name, such as "Selected contracts". */
  label: string;
  count: number;
  onClear(): void;
  /** The buttons for the actions. */
  children: ReactNode;
  /** Dialogs that the actions open. */
  dialogs?: ReactNode;
}

/** A toolbar of actions on the selected rows, which floats over the end of the table. */
export function SelectionBar({ label, count, onClear, children, dialogs }: SelectionBarProps) {
  return (
    <div className="pointer-events-none sticky bottom-20 z-20 flex justify-center px-3 md:bottom-5">
      <div
        role="toolbar"
        aria-label={label}
        className="pointer-events-auto flex max-w-full animate-rise flex-wrap items-center gap-2 rounded-xl bg-raised py-1.5 pr-1.5 pl-4 shadow-high"
      >
        <span className="font-medium tabular-nums" aria-live="polite">
          {count} selected
        </span>
        {children}
        <IconButton label="Clear the selection" onClick={onClear}>
          <X aria-hidden />
        </IconButton>
      </div>
      {dialogs}
    </div>
  );
}
