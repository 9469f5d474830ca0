/** Which blanks of a document no field fills in. */
import type { Context } from "#lib/core/context.ts";
import { turnOf } from "#lib/core/lanes.ts";
import { parser, runInChild } from "#lib/documents/sandbox/child.ts";
import { ParserFailed } from "#lib/documents/sandbox/watch.ts";
import type { Blank, findBlanksIn } from "#lib/documents/text/blanks.ts";
import { withStoredFile } from "#lib/storage/store.ts";

const blanksParser = parser<typeof findBlanksIn>("lib/documents/text/blanks.ts", "findBlanksIn", "requests");

/** Where the blanks of a PDF stand; null where it cannot be searched for them. */
export async function findBlanks(ctx: Context, pdfSha256: string): Promise<Blank[] | null> {
  try {
    return await withStoredFile(ctx.organizationId, pdfSha256, (path) =>
      runInChild(blanksParser, { path }, { timeoutMs: 30_000, memoryMb: 512 }, turnOf(ctx)),
    );
  } catch (error) {
    if (!(error instanceof ParserFailed)) throw error;
    return null;
  }
}

/** A box on a page, in per cent of it. */
export interface Place {
  pageIndex: number;
  xPct: number;
  yPct: number;
  wPct: number;
  hPct: number;
}

/** Fields are placed by hand, and people aim at the line: so much of its height they may miss it by. */
const aim = 0.5;

/**
 * A field fills in every blank that it lies over. One that lies over none stands beside what it is for: it fills in
 * the nearest blank of its line.
 */
export function unfilled<Blank extends Place>(blanks: readonly Blank[], fields: readonly Place[]): Blank[] {
  const open = new Set(blanks);
  const beside: { field: Place; line: Blank[] }[] = [];
  for (const field of fields) {
    const line = blanks.filter((blank) => isLevel(blank, field));
    const under = line.filter((blank) => gapBetween(blank, field) === 0);
    for (const blank of under) open.delete(blank);
    if (under.length === 0) beside.push({ field, line });
  }
  for (const { field, line } of beside) {
    const gap = (blank: Blank) => gapBetween(blank, field);
    const [nearest] = line.filter((blank) => open.has(blank)).toSorted((a, b) => gap(a) - gap(b));
    if (nearest) open.delete(nearest);
  }
  return blanks.filter((blank) => open.has(blank));
}

function isLevel(blank: Place, field: Place): boolean {
  const slack = blank.hPct * aim;
  return (
    blank.pageIndex === field.pageIndex &&
    field.yPct < blank.yPct + blank.hPct + slack &&
    field.yPct + field.hPct > blank.yPct - slack
  );
}

/** How far they stand from each other on the line; 0 where one is over the other. */
const gapBetween = (one: Place, other: Place): number =>
  Math.max(0, one.xPct - (other.xPct + other.wPct), other.xPct - (one.xPct + one.wPct));
