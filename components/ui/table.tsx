import { clsx } from "clsx";
import { ArrowDown, ArrowUp } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";

/** A table that scrolls horizontally within itself if the page is too narrow. */
export function Table({
  label,
  className,
  children,
}: {
  label: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it.
      tabIndex={0}
      className="overflow-x-auto overflow-y-hidden outline-offset-[-2px]"
    >
      {/* The negative margin hides the border under the last row: a :last-child selector would
          recalculate the styles of all rows whenever one is added. */}
      <table className={clsx("-mb-px w-full border-separate border-spacing-0 text-left", className)}>
        {children}
      </table>
    </section>
  );
}

export function Th({ className, ...rest }: ComponentProps<"th">) {
  return (
    <th
      scope="col"
      {...rest}
      className={clsx(
        "h-9 whitespace-nowrap border-line border-b bg-paper px-3 font-medium text-quiet text-xs first:pl-4 last:pr-4 md:last:pr-6 md:first:pl-6",
        className,
      )}
    />
  );
}

/** The header of the column of buttons, visible only to screen readers. */
export function ActionsTh() {
  return (
    <Th>
      <span className="sr-only">Actions</span>
    </Th>
  );
}

export interface SortThProps {
  label: string;
  /** The current direction; null if the table is sorted by another column. */
  direction: "asc" | "desc" | null;
  onSort(): void;
  className?: string;
  /** Whether the label is truncated to the column's width, as for names given by users. */
  mayBeCut?: boolean;
}

export function SortTh({ label, direction, onSort, className, mayBeCut = false }: SortThProps) {
  const Arrow = direction === "asc" ? ArrowUp : ArrowDown;
  return (
    <Th
      aria-sort={direction === null ? "none" : direction === "asc" ? "ascending" : "descending"}
      className={className}
    >
      <button
        type="button"
        onClick={onSort}
        className={clsx(
          "group -mx-1 inline-flex items-center gap-1 rounded-sm px-1 hover:text-ink",
          mayBeCut && "max-w-full",
          direction && "text-ink",
        )}
      >
        <span className="truncate" title={label}>
          {label}
        </span>
        <Arrow
          aria-hidden
          className={clsx(
            "size-3 shrink-0",
            direction === null && "opacity-0 group-hover:opacity-60 group-focus-visible:opacity-60",
          )}
        />
      </button>
    </Th>
  );
}

export function Tr({ className, ...rest }: ComponentProps<"tr">) {
  return <tr {...rest} className={clsx("hover:bg-well", className)} />;
}

export function Td({ className, ...rest }: ComponentProps<"td">) {
  return (
    <td
      {...rest}
      className={clsx(
        "h-10 border-line border-b px-3 py-1 first:pl-4 last:pr-4 md:last:pr-6 md:first:pl-6",
        className,
      )}
    />
  );
}
