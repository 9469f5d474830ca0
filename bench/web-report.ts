/** Formats the web's figures as text: a line for each page, each kind of change and each ceremony. */
import { type CeremonyRow, limitMs as ceremonyLimitMs } from "./web-ceremony.ts";
import type { MoveRow } from "./web-moves.ts";
import { type PageRow, limits as pageLimits } from "./web-pages.ts";
import { type ChangeRow, limitMs as changeLimitMs } from "./web-table.ts";

export interface WebFigures {
  pages: PageRow[];
  changes: ChangeRow[];
  moves: MoveRow[];
  ceremony: CeremonyRow[];
}

export function webTable({ pages, changes, moves, ceremony }: WebFigures): string {
  const parts = [
    lines(
      [
        "page, first load, CPU 4x slower",
        `LCP ms (limit ${pageLimits.lcpMs})`,
        `TBT ms (${pageLimits.tbtMs})`,
        `JS bytes (${whole(pageLimits.scriptBytes)})`,
        "then",
        "",
      ],
      pages.map(({ page, lcpMs, tbtMs, scriptBytes, laterBytes, holds }) => [
        ...[page, whole(lcpMs), whole(tbtMs), whole(scriptBytes), whole(laterBytes), verdict(holds)],
      ]),
    ),
    lines(
      [
        "table of 100,000 contracts, input to new rows",
        "changes",
        "p50 ms",
        `p95 ms (limit ${changeLimitMs})`,
        "",
      ],
      changes.map(({ change, count, p50Ms, p95Ms, holds }) => [
        ...[change, whole(count), whole(p50Ms), whole(p95Ms), verdict(holds)],
      ]),
    ),
    lines(
      ["input to what is shown, p50", "times", "ms", "limit", ""],
      moves.map(({ move, count, ms, limitMs, holds }) => [
        ...[move, whole(count), whole(ms), whole(limitMs), verdict(holds)],
      ]),
    ),
    lines(
      ["ceremony, 80 pages, 375 px, CPU 4x slower: first page for", `ms (limit ${ceremonyLimitMs})`, ""],
      ceremony.map(({ who, ms, holds }) => [who, whole(ms), verdict(holds)]),
    ),
  ];
  return parts.filter((part) => part !== "").join("\n");
}

const whole = (value: number) => Math.round(value).toLocaleString("en-US");
const verdict = (holds: boolean) => (holds ? "holds" : "BROKEN");

function lines(head: string[], rows: string[][]): string {
  if (rows.length === 0) return "";
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((line) => line[column]!.length)));
  const text = all.map((line) =>
    line
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!)))
      .join("  ")
      .trimEnd(),
  );
  return `${text.join("\n")}\n`;
}
