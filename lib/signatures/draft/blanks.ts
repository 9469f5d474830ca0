/** Finds the blanks of a document that no field fills in. */
import type { Context } from "#lib/core/context.ts";
import { turnOf } from "#lib/core/lanes.ts";
import { parser, runInChild } from "#lib/documents/sandbox/child.ts";
import { ParserFailed } from "#lib/documents/sandbox/watch.ts";
import type { Blank, findBlanksIn } from "#lib/documents/text/blanks.ts";
import { withStoredFile } from "#lib/storage/store.ts";

const blanksParser = parser<typeof findBlanksIn>("lib/documents/text/blanks.ts", "findBlanksIn", "requests");

/** The positions of the blanks in a PDF; null if it cannot be searched. */
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

/** A box on a page, in percent of the page. */
export interface Place {
  pageIndex: number;
  xPct: number;
  yPct: number;
  wPct: number;
  hPct: number;
}

/** Fields are placed by hand and may miss the line by this fraction of its height. */
const aim = 0.5;

/**
 * A field fills in every blank it overlaps. A field that overlaps none was placed next to its blank: it fills in the
 * nearest open blank on its line.
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

/** Horizontal distance between two boxes; 0 if they overlap. */
const gapBetween = (one: Place, other: Place): number =>
  Math.max(0, one.xPct - (other.xPct + other.wPct), other.xPct - (one.xPct + one.wPct));
