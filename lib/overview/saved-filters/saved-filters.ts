/** A member's saved filters. They are private: nobody else sees them, and they are not in the audit log. */
import { reader } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import { notFound, Refusal } from "#lib/core/errors.ts";
import { housekeeping } from "#lib/core/housekeeping.ts";
import { newId } from "#lib/core/ids.ts";
import type { NewSavedFilter, SavedFilterQuery } from "./schema.ts";

const most = 50;

const mine = (ctx: Context) => ({ ...own(ctx), userId: ctx.actor.id });

/** Lists the member's filters by name, those of one list or of all. */
export async function listSavedFilters(ctx: Context, { list }: SavedFilterQuery) {
  const where = { ...mine(ctx), ...(list ? { list } : {}) };
  return { data: await reader().savedFilter.findMany({ where, orderBy: [{ name: "asc" }, { id: "asc" }] }) };
}

/** Saves a filter. Replaces one with the same name. */
export async function saveFilter(ctx: Context, input: NewSavedFilter) {
  const { list, name, query } = input;
  const kept = await reader().savedFilter.count({ where: { ...mine(ctx), list, name: { not: name } } });
  if (kept >= most) {
    throw new Refusal("conflict", `You already have ${most} saved filters for this list. Remove one first.`);
  }
  const row = await housekeeping((store) =>
    store.savedFilter.upsert({
      where: { organizationId_userId_list_name: { ...mine(ctx), list, name } },
      create: { ...mine(ctx), id: newId("savedFilter"), list, name, query, createdAt: ctx.now },
      update: { query },
    }),
  );
  return { savedFilter: row };
}

export async function removeFilter(ctx: Context, { id }: { id: string }): Promise<void> {
  const { count } = await housekeeping((store) =>
    store.savedFilter.deleteMany({ where: { ...mine(ctx), id } }),
  );
  if (count === 0) throw notFound("saved filter");
}
