"use client";
import { clsx } from "clsx";

export interface SegmentsProps<Value extends string> {
  label: string;
  /** Null if none is selected. */
  value: Value | null;
  options: readonly { value: Value; label: string }[];
  onValue(value: Value): void;
}

/** A choice between a few views of the same thing. */
export function Segments<Value extends string>({ label, value, options, onValue }: SegmentsProps<Value>) {
  return (
    <fieldset aria-label={label} className="inline-flex shrink-0 rounded-md bg-hover p-0.5">
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={value === option.value}
          onClick={() => onValue(option.value)}
          className={clsx(
            "h-7 rounded-[0.3125rem] px-2.5 font-medium",
            value === option.value ? "bg-paper text-ink shadow-low" : "text-quiet hover:text-ink",
          )}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  );
}
