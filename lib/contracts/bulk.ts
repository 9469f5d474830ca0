/** One move for many contracts: each on its own, so that one that cannot be moved does not hold up the others. */
import type { Context } from "#lib/core/context.ts";
import { Refusal } from "#lib/core/errors.ts";
import { moveContract } from "./contracts.ts";
import type { ManyMoved } from "./schema.ts";

export async function moveContracts(
  ctx: Context,
  { ids, ...move }: { ids: string[] } & Omit<Parameters<typeof moveContract>[1], "id">,
): Promise<ManyMoved> {
  const results: ManyMoved["results"] = [];
  for (const id of new Set(ids)) {
    try {
      const { status } = await moveContract(ctx, { id, ...move });
      results.push({ id, ok: true, status, code: null, message: null });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      results.push({ id, ok: false, status: null, code: error.code, message: error.message });
    }
  }
  return { results };
}
