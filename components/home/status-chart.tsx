"use client";
import { clsx } from "clsx";
import NextLink from "next/link";
import { contractTones } from "#components/contracts/status.tsx";
import type { Tone } from "#components/ui/badge.tsx";
import { Card, Section } from "#components/ui/card.tsx";
import { inWords } from "#components/words.ts";
import type { Home } from "#lib/overview/home/schema.ts";

const fills: Record<Tone, string> = {
  neutral: "bg-on-neutral/45",
  info: "bg-on-info/75",
  review: "bg-on-review/70",
  good: "bg-on-good/75",
  warn: "bg-on-warn/75",
  bad: "bg-on-bad/70",
};

/** The number of contracts in each status, as bars that link to the list. */
export function StatusChart({ counts }: { counts: Home["contractsByStatus"] }) {
  const rows = counts.filter(({ count }) => count > 0);
  const most = Math.max(1, ...rows.map(({ count }) => count));
  return (
    <Section title="Contracts by status">
      <Card className="p-2">
        <ul>
          {rows.map(({ status, count, list, query }) => (
            <li key={status}>
              <NextLink
                href={`/${list}?${query}`}
                prefetch={false}
                className="grid grid-cols-[8.5rem_minmax(0,1fr)_3rem] items-center gap-2 rounded-md px-2 py-1.5 hover:bg-hover"
              >
                <span className="truncate">{inWords(status)}</span>
                <span aria-hidden className="h-2">
                  <span
                    className={clsx("block h-full rounded-full", fills[contractTones[status]])}
                    style={{ width: `${Math.max(2, (count / most) * 100)}%` }}
                  />
                </span>
                <span className="text-right text-quiet tabular-nums">{count}</span>
              </NextLink>
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  );
}
