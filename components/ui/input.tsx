"use client";
import { clsx } from "clsx";
import { Search, X } from "lucide-react";
import { type ComponentProps, useRef } from "react";
import { controlClass } from "./control.ts";
import { useFieldWiring } from "./field.tsx";

export function Input({ className, ...rest }: ComponentProps<"input">) {
  return (
    <input
      type="text"
      {...rest}
      {...useFieldWiring(rest)}
      className={clsx(controlClass, "h-9 sm:h-8", className)}
    />
  );
}

/** A day; the browser's own calendar, keyboard and format. */
export function DateInput({ className, ...rest }: Omit<ComponentProps<"input">, "type">) {
  return (
    <input
      max="9999-12-31"
      {...rest}
      {...useFieldWiring(rest)}
      type="date"
      className={clsx(controlClass, "h-9 tabular-nums sm:h-8", className)}
    />
  );
}

export function Textarea({ className, rows = 4, ...rest }: ComponentProps<"textarea">) {
  return (
    <textarea
      rows={rows}
      {...rest}
      {...useFieldWiring(rest)}
      className={clsx(controlClass, "py-1.5 leading-5", className)}
    />
  );
}

export interface SearchInputProps extends Omit<ComponentProps<"input">, "type" | "onChange" | "value"> {
  label: string;
  value: string;
  onValue(value: string): void;
}

/** The search box of a list. `/` leads to the first one of a page. */
export function SearchInput({ label, value, onValue, className, ...rest }: SearchInputProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className={clsx("relative", className)}>
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-faint"
      />
      <input
        {...rest}
        ref={input}
        type="search"
        aria-label={label}
        data-search
        autoComplete="off"
        spellCheck={false}
        placeholder={rest.placeholder ?? label}
        value={value}
        onChange={(event) => onValue(event.target.value)}
        className={clsx(controlClass, "h-9 px-8 sm:h-8")}
      />
      {value && (
        <button
          type="button"
          aria-label="Clear the search"
          className="absolute inset-y-0 right-0 grid w-8 place-items-center text-faint hover:text-ink"
          onClick={() => {
            onValue("");
            input.current?.focus();
          }}
        >
          <X aria-hidden className="size-3.5" />
        </button>
      )}
    </div>
  );
}
