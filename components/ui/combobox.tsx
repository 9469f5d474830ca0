"use client";
/** A button that opens a searchable list of options. */
import { clsx } from "clsx";
import { ChevronsUpDown } from "lucide-react";
import { useState } from "react";
import type { ComboboxListProps } from "./combobox-list.tsx";
import { controlClass } from "./control.ts";
import { useFieldLabel, useFieldWiring } from "./field.tsx";
import { lazily } from "./lazily.tsx";
import { Popover } from "./popover.tsx";

/** The list without its button and popover, for callers that open it themselves. */
export const ComboboxList = lazily(() => import("./combobox-list.tsx").then((module) => module.ComboboxList));

export interface ComboboxProps extends Omit<ComboboxListProps, "onChoose"> {
  onValue(value: string | null): void;
  placeholder?: string;
  className?: string;
  disabled?: boolean;
  onOpen?(): void;
  /** The accessible name if it is not in a Field. The chosen option is read after it. */
  label?: string;
}

export function Combobox({
  onValue,
  placeholder,
  className,
  disabled,
  onOpen,
  onCreate,
  label,
  ...list
}: ComboboxProps) {
  const [open, setOpen] = useState(false);
  // ARIA does not allow aria-required on a button.
  const { "aria-required": _, ...wiring }: ReturnType<typeof useFieldWiring> & { "aria-required"?: boolean } =
    useFieldWiring();
  const field = useFieldLabel();
  const chosen = list.options.find((option) => option.value === list.value);
  const shown = chosen?.label ?? placeholder ?? `Choose a ${list.what}`;
  return (
    <Popover
      label={`Choose a ${list.what}`}
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        if (next) onOpen?.();
      }}
      className="w-(--radix-popover-trigger-width) min-w-64"
      trigger={
        <button
          type="button"
          {...wiring}
          aria-label={label && `${label}: ${shown}`}
          aria-labelledby={field ? `${field.labelId} ${field.id}` : undefined}
          disabled={disabled}
          className={clsx(controlClass, "flex h-9 items-center gap-2 text-left sm:h-8", className)}
        >
          <span className={clsx("min-w-0 flex-1 truncate", !chosen && "text-faint")}>{shown}</span>
          <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-quiet" />
        </button>
      }
    >
      <ComboboxList
        {...list}
        onChoose={(value) => {
          onValue(value);
          setOpen(false);
        }}
        onCreate={
          onCreate &&
          ((name) => {
            onCreate(name);
            setOpen(false);
          })
        }
      />
    </Popover>
  );
}
