import { clsx } from "clsx";
import { Fragment, type ReactNode } from "react";

export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-grid h-5 min-w-5 place-items-center rounded-sm border border-line bg-well px-1 font-sans text-2xs text-quiet">
      {children}
    </kbd>
  );
}

/** A person's initials in a circle. */
export function Avatar({ name, size = "md" }: { name: string; size?: "sm" | "md" }) {
  const words = name.trim().split(/\s+/);
  const initials = [words[0], words.length > 1 ? words.at(-1) : ""]
    .map((word) => [...(word ?? "")][0] ?? "")
    .join("");
  return (
    <span
      aria-hidden
      className={clsx(
        "inline-grid shrink-0 place-items-center rounded-full bg-accent-soft font-semibold text-accent uppercase",
        size === "sm" ? "size-5 text-[0.5625rem]" : "size-7 text-2xs",
      )}
    >
      {initials}
    </span>
  );
}

/** Progress from 0 to 1, or indeterminate without a value. */
export function Progress({ label, value }: { label: string; value?: number }) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={value === undefined ? undefined : Math.round(value * 100)}
      className="h-1.5 w-full overflow-hidden rounded-full bg-hover"
    >
      <div
        className={clsx(
          "h-full rounded-full bg-accent transition-[width]",
          value === undefined && "w-1/3 animate-shimmer",
        )}
        style={value === undefined ? undefined : { width: `${value * 100}%` }}
      />
    </div>
  );
}

/** Names in a row. Each is isolated, so that one written from right to left does not reorder the others. */
export function Names({ names }: { names: string[] }) {
  return names.map((name, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: two may have the same name.
    <Fragment key={index}>
      {index > 0 && " · "}
      <bdi>{name}</bdi>
    </Fragment>
  ));
}

export interface Term {
  term: string;
  value: ReactNode;
}

/** A list of terms with their values. */
export function DefinitionList({ items, className }: { items: Term[]; className?: string }) {
  return (
    <dl className={clsx("grid gap-x-4 gap-y-3", className)}>
      {items.map(({ term, value }) => (
        <div key={term} className="min-w-0">
          <dt className="text-faint text-xs">{term}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
