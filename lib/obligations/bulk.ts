/** One change to many obligations. Each runs on its own, so a failure does not stop the others. */
import type { Context } from "#lib/core/context.ts";
import { Refusal } from "#lib/core/errors.ts";
import { patchObligation } from "./obligations.ts";
import { statusOf } from "./rows.ts";
import type { ObligationsPatch, ObligationsPatched } from "./schema.ts";

export async function patchObligations(
  ctx: Context,
  { ids, occurrences = [], ...patch }: ObligationsPatch,
): Promise<ObligationsPatched> {
  const results: ObligationsPatched["results"] = [];
  const seen = new Map(occurrences.map(({ id, occurrence }) => [id, occurrence]));
  for (const id of new Set(ids)) {
    try {
      const row = await patchObligation(ctx, { id, occurrence: seen.get(id), ...patch });
      results.push({ id, ok: true, status: statusOf(row, ctx.now), code: null, message: null });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      results.push({ id, ok: false, status: null, code: error.code, message: error.message });
    }
  }
  return { results };
}
