"use client";
import { dayWords, useReader } from "#components/ui/time.tsx";
import { addDays, type Day } from "#lib/core/dates.ts";
import type { Home } from "#lib/overview/home/schema.ts";

const weeks = 13;
const height = 56;
const column = 24;

const short = { day: "numeric", month: "short" } as const;

/** Contracts whose term ends, by week. The darker part renews automatically. */
export function RenewalChart({ byWeek, today }: { byWeek: Home["renewals"]["byWeek"]; today: Day }) {
  const { locale } = useReader();
  const columns = Array.from(
    { length: weeks },
    (_, week) => byWeek.find((found) => found.week === week) ?? { week, ends: 0, renews: 0 },
  );
  const most = Math.max(1, ...columns.map(({ ends, renews }) => ends + renews));
  const scale = height / most;
  return (
    <figure className="px-4 pt-4 pb-3">
      <svg
        role="img"
        aria-label={`Contracts that end or renew, by week: ${columns.map(({ ends, renews }) => ends + renews).join(", ")}`}
        viewBox={`0 0 ${weeks * column} ${height}`}
        preserveAspectRatio="none"
        className="h-14 w-full"
      >
        {columns.map(({ week, ends, renews }) => (
          <g key={week} transform={`translate(${week * column + 2} 0)`}>
            <rect width={column - 4} height={2} y={height - 2} className="fill-line" />
            <rect
              width={column - 4}
              height={ends * scale}
              y={height - ends * scale}
              className="fill-on-warn/70"
            />
            <rect
              width={column - 4}
              height={renews * scale}
              y={height - (ends + renews) * scale}
              className="fill-accent/70"
            />
          </g>
        ))}
      </svg>
      <figcaption className="mt-2 flex items-center gap-4 text-faint text-xs">
        <span>{dayWords(today, locale, short)}</span>
        <span className="ml-auto inline-flex items-center gap-1.5">
          <span aria-hidden className="size-2 rounded-sm bg-on-warn/70" /> ends
        </span>
        <span className="inline-flex items-center gap-1.5">
          <span aria-hidden className="size-2 rounded-sm bg-accent/70" /> renews
        </span>
        <span className="ml-auto">{dayWords(addDays(today, 90), locale, short)}</span>
      </figcaption>
    </figure>
  );
}
