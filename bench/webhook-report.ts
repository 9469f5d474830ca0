/** Formats the results of the webhooks bench, for people and as JSON. */
import { availableParallelism, cpus } from "node:os";
import { median } from "./percentiles.ts";

/** How long after a moment the first attempt of each event arrived, in milliseconds. */
export interface Delay {
  since: string;
  times: number[];
}

/** How many deliveries per second a sender made, in each round. */
export interface Rate {
  sender: string;
  perSecond: number[];
}

export function table(delays: Delay[], rates: Rate[]): string {
  const lines = [
    ...section(["event arrives after", "events", "p50 ms", "p99 ms", "worst ms"], delays, (delay) => {
      const { since, events, p50Ms, p99Ms, maxMs } = figuresOf(delay);
      return [since, String(events), p50Ms.toFixed(1), p99Ms.toFixed(1), maxMs.toFixed(1)];
    }),
    ...section(["backlog", "deliveries/s", "lowest", "highest", "ratio"], rates, ({ sender, perSecond }) => [
      sender,
      ...[median(perSecond), Math.min(...perSecond), Math.max(...perSecond)].map((rate) => rate.toFixed(0)),
      sender === rates.at(-1)!.sender ? "" : ratioOf(rates).toFixed(2),
    ]),
  ];
  return `${lines.join("\n")}\n`;
}

export function json(delays: Delay[], rates: Rate[]): string {
  const result = {
    delays: delays.map(figuresOf),
    rates: rates.map((rate) => ({ ...rate, medianPerSecond: median(rate.perSecond) })),
    ratio: rates.length > 0 ? ratioOf(rates) : null,
    machine: {
      cpu: cpus()[0]?.model ?? null,
      cores: availableParallelism(),
      node: process.version,
    },
  };
  return `${JSON.stringify(result, (_, value) =>
    typeof value === "number" ? Math.round(value * 1000) / 1000 : value,
  )}\n`;
}

function section<T>(titles: string[], items: T[], cells: (item: T) => string[]): string[] {
  if (items.length === 0) return [];
  const rows = [titles, ...items.map(cells)];
  const widths = titles.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!);
  return [...rows.map((row) => row.map(pad).join("  ")), ""];
}

function figuresOf({ since, times }: Delay) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
  return { since, events: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: sorted.at(-1)! };
}

/** The product's deliveries per second, relative to the reference's. */
const ratioOf = ([product, reference]: Rate[]) => median(product!.perSecond) / median(reference!.perSecond);
