/** What other dates of a contract would make of its obligations. Nothing is written. */
import { reader } from "#lib/change.ts";
import { type Context, own } from "#lib/context.ts";
import { midnight } from "#lib/dates.ts";
import { type Anchors, resolve } from "./resolve.ts";
import { scheduleOf } from "./rows.ts";

/** Those still to be done whose date, or its basis, would be another. */
export async function previewObligations(ctx: Context, contractId: string, anchors: Anchors) {
  const rows = await reader().obligation.findMany({
    where: { ...own(ctx), contractId, state: { in: ["OPEN", "SUGGESTED"] } },
    orderBy: { id: "asc" },
  });
  return rows.flatMap((row) => {
    const after = resolve(scheduleOf(row), anchors);
    const to = after.resolvedDate && midnight(after.resolvedDate);
    const isSame = row.resolvedDate?.getTime() === to?.getTime();
    if (isSame && row.resolutionBasis === after.resolutionBasis) return [];
    const resolvedDate = { from: row.resolvedDate, to };
    return [
      { id: row.id, title: row.title, kind: row.kind, resolvedDate, resolutionBasis: after.resolutionBasis },
    ];
  });
}
