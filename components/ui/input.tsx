"use client";
import { clsx } from "clsx";
import { Eye, EyeOff, Search, X } from "lucide-react";
import { type ComponentProps, useRef, useState } from "react";
import { useFieldWiring } from "./field.tsx";

/** The look of everything that is typed into. 16 px on phones, or the browser zooms in. */
export const controlClass = clsx(
  "w-full min-w-0 rounded-md border border-edge bg-paper px-2.5 text-ink shadow-low",
  "text-[1rem] sm:text-sm outline-offset-0 transition-colors duration-100 hover:border-quiet",
  "disabled:cursor-not-allowed disabled:bg-well disabled:text-faint aria-invalid:border-danger",
  // Selects and buttons count as read-only, too.
  "[&:is(input,textarea):read-only]:bg-well",
);

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

/** A password that can be looked at. */
export function PasswordInput({ className, ...rest }: Omit<ComponentProps<"input">, "type">) {
  const [shown, setShown] = useState(false);
  return (
    <div className="relative">
      <Input {...rest} type={shown ? "text" : "password"} className={clsx("pr-10", className)} />
      <button
        type="button"
        aria-pressed={shown}
        aria-label="Show password"
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 right-0 grid w-9 place-items-center rounded-md text-faint hover:text-ink"
      >
        {shown ? <EyeOff aria-hidden className="size-4" /> : <Eye aria-hidden className="size-4" />}
      </button>
    </div>
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
