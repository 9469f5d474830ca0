"use client";
import { clsx } from "clsx";
import { Search, X } from "lucide-react";
import { type ComponentProps, useEffect, useRef, useState } from "react";
import { controlClass } from "./control.ts";
import { useFieldWiring, useIsSubmitting } from "./field.tsx";

export function Input({ className, ...rest }: ComponentProps<"input">) {
  return (
    <input
      type="text"
      readOnly={useIsSubmitting()}
      {...rest}
      {...useFieldWiring(rest)}
      className={clsx(controlClass, "h-9 sm:h-8", className)}
    />
  );
}

/** A date input, with the browser's own calendar, keyboard handling and format. */
export function DateInput({ className, ...rest }: Omit<ComponentProps<"input">, "type">) {
  return (
    <input
      max="9999-12-31"
      readOnly={useIsSubmitting()}
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
      readOnly={useIsSubmitting()}
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

const settleMs = 1000;

/** The search box of a list. The `/` key focuses the first one on a page. */
export function SearchInput({ label, value, onValue, className, ...rest }: SearchInputProps) {
  const input = useRef<HTMLInputElement>(null);
  // If the value is stored in the address, it is updated only after the next letter was typed, and would
  // overwrite it. So the typed text takes precedence until `settleMs` after the last change, or until blur.
  const [typed, setTyped] = useState<string | null>(null);
  useEffect(() => {
    if (typed === null) return;
    const timer = setTimeout(() => setTyped(null), settleMs);
    return () => clearTimeout(timer);
  }, [typed]);
  const type = (next: string) => {
    setTyped(next);
    onValue(next);
  };
  const shown = typed ?? value;
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
        value={shown}
        onChange={(event) => type(event.target.value)}
        onBlur={() => setTyped(null)}
        className={clsx(controlClass, "h-9 px-8 sm:h-8")}
      />
      {shown && (
        <button
          type="button"
          aria-label="Clear the search"
          className="absolute inset-y-0 right-0 grid w-8 place-items-center text-faint hover:text-ink"
          onClick={() => {
            type("");
            input.current?.focus();
          }}
        >
          <X aria-hidden className="size-3.5" />
        </button>
      )}
    </div>
  );
}
