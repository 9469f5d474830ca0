"use client";
import { clsx } from "clsx";
import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";
import { controlClass } from "./control.ts";
import { useFieldWiring } from "./field.tsx";

export interface Option {
  value: string;
  label: string;
  disabled?: boolean;
}

export interface SelectProps extends ComponentProps<"select"> {
  options: readonly Option[];
  /** The label of the empty option. */
  placeholder?: string;
}

/** A native select: it supports every keyboard and phone, and costs no script. */
export function Select({ options, placeholder, className, ...rest }: SelectProps) {
  return (
    <span className={clsx("relative block", className)}>
      <select
        {...rest}
        {...useFieldWiring(rest)}
        className={clsx(controlClass, "cs-select h-9 appearance-none truncate pr-8 sm:h-8")}
      >
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {options.map(({ value, label, disabled }) => (
          <option key={value} value={value} disabled={disabled}>
            {label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-2.5 size-3.5 -translate-y-1/2 text-quiet"
      />
    </span>
  );
}
