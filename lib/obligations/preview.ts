/** What other dates of a contract, or another schedule, would do to obligations. Writes nothing. */

import { reader } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import { midnight } from "#lib/core/dates.ts";
import { anchorsOf, findOwningContract } from "./contract.ts";
import { defaults, definedProperties, findObligation } from "./obligations.ts";
import { rescheduled, scheduleOf } from "./recurrence.ts";
import { type Anchors, resolve } from "./resolve.ts";
import type { ObligationDraft } from "./schema.ts";

/** The open obligations whose date, or its basis, would change. */
export async function previewObligations(ctx: Context, contractId: string, anchors: Anchors) {
  const rows = await reader().obligation.findMany({
    where: { ...own(ctx), contractId, state: "OPEN" },
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

/** When an obligation would be due, while someone is entering its schedule. */
export async function previewObligation(ctx: Context, { contractId, id, ...typed }: ObligationDraft) {
  const before = id === undefined ? null : await findObligation(ctx, id);
  const contract = await findOwningContract(ctx, before?.contractId ?? contractId);
  const fields = before
    ? rescheduled(before, definedProperties(typed))
    : { ...defaults, ...definedProperties(typed) };
  const { resolvedDate, resolutionBasis } = resolve(scheduleOf(fields), anchorsOf(contract));
  return { resolvedDate: resolvedDate && midnight(resolvedDate), resolutionBasis };
}
