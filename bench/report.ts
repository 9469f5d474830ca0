/** Formats the results, for people and as JSON. */
import type { Limited } from "./limits.ts";
import type { Figures } from "./measure.ts";

export interface Row extends Figures {
  op: string;
  temperature: "cold" | "warm";
  server: string;
  /** Requests per second, relative to the reference. */
  ratio: number;
}

export interface Flatness {
  contracts: number;
  rps: number;
  cpuMsPer1000: number | null;
  /** The cost of a request relative to the smallest workspace: processor time if known, else time per request. */
  cost: number;
}

const columns: [string, (row: Row) => string][] = [
  ["operation", (row) => row.op],
  ["", (row) => row.temperature],
  ["server", (row) => row.server],
  ["req/s", (row) => whole(row.rps)],
  ["p50 ms", (row) => row.p50Ms.toFixed(2)],
  ["p99 ms", (row) => row.p99Ms.toFixed(2)],
  ["CPU ms/1,000: server", (row) => whole(row.serverCpuMsPer1000)],
  ["database", (row) => whole(row.databaseCpuMsPer1000)],
  ["both", (row) => whole(row.cpuMsPer1000)],
  ["MB", (row) => whole(row.rssMb)],
  ["ratio", (row) => (row.server === "bare" ? "" : row.ratio.toFixed(2))],
];

const whole = (value: number | null) => (value === null ? "-" : Math.round(value).toLocaleString("en-US"));

export function table(rows: Row[], flatness: Flatness[]): string {
  const lines = [columns.map(([title]) => title), ...rows.map((row) => columns.map(([, cell]) => cell(row)))];
  return [...aligned(lines, 3), "", ...flatnessLines(flatness), ""].join("\n");
}

/** Aligns the cells in columns; the first `texts` columns are text. */
function aligned(lines: string[][], texts: number): string[] {
  const widths = lines[0]!.map((_, index) => Math.max(...lines.map((line) => line[index]!.length)));
  return lines.map((line) =>
    line
      .map((cell, index) => (index < texts ? cell.padEnd(widths[index]!) : cell.padStart(widths[index]!)))
      .join("  ")
      .trimEnd(),
  );
}

/** One request of `bench -- lists`, in a workspace of one size. */
export interface ListRow {
  request: string;
  contracts: number;
  p50Ms: number;
  p95Ms: number;
  bareP50Ms: number;
  limitMs: number;
  holds: boolean;
}

/** A table of the lists: for each size the 95th percentile, the median of bare SQL, and the limit. */
export function listsTable(rows: ListRow[], sizes: number[]): string {
  const head = sizes.flatMap((size) => [`${whole(size)}: p95 ms`, "bare p50", "limit", ""]);
  const names = [...new Set(rows.map(({ request }) => request))];
  const lines = names.map((name) => [
    name,
    ...sizes.flatMap((size) => {
      const row = rows.find((one) => one.request === name && one.contracts === size);
      if (!row) return ["-", "-", "-", ""];
      const { p95Ms, bareP50Ms, limitMs, holds } = row;
      return [p95Ms.toFixed(1), bareP50Ms.toFixed(1), whole(limitMs), holds ? "holds" : "BROKEN"];
    }),
  ]);
  return `${aligned([["request", ...head], ...lines], 1).join("\n")}\n`;
}

function flatnessLines(flatness: Flatness[]): string[] {
  return flatness.map(
    ({ contracts, rps, cpuMsPer1000, cost }) =>
      `list, page 1, cold, of ${whole(contracts)} contracts: ${whole(rps)} req/s, ` +
      `${whole(cpuMsPer1000)} ms CPU per 1,000, cost ${cost.toFixed(2)} times the smallest's`,
  );
}

export function json(result: {
  rows: Row[];
  flatness: Flatness[];
  machine: object;
  limits: Limited[];
}): string {
  return `${JSON.stringify(result, (_, value) =>
    typeof value === "number" ? Math.round(value * 1000) / 1000 : value,
  )}\n`;
}
