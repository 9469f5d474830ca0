/** Templates, as they are read. */
import { reader } from "#lib/change.ts";
import { type Context, own } from "#lib/context.ts";
import { notFound } from "#lib/errors.ts";
import { byName } from "#lib/wire.ts";

/** All templates that can be used, by name. */
export async function listTemplates(ctx: Context) {
  const rows = await reader().template.findMany({ where: { ...own(ctx), archivedAt: null } });
  return { data: rows.sort(byName) };
}

/** One template; an archived one can still be read. */
export async function findTemplate(ctx: Context, id: string) {
  const row = await reader().template.findUnique({ where: { organizationId_id: { ...own(ctx), id } } });
  if (!row) throw notFound("template");
  return row;
}
