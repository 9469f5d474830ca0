/** Finds contracts by tag, and lists the tags of a workspace. */
import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { escapeLike } from "#lib/core/wire.ts";
import type { TagQuery } from "./schema.ts";

/** A condition on contracts c: they have the tag in a parameter, ignoring case. */
export const hasTag = (parameter: string) => `EXISTS (SELECT FROM contract_tags t
  WHERE t.organization_id = c.organization_id AND t.key = lower(${parameter}) AND t.contract_id = c.id)`;

/** The same for a note n, as recorded by triggers. */
export const notesTag = (parameter: string) =>
  `lower(${parameter}) IN (SELECT lower(tag) FROM unnest(n.tags) AS tag)`;

const maxSuggested = 20;

/** The most tags compared to find the most used ones, however many a workspace has. */
const maxCompared = 5_000;

/**
 * The workspace's tags with this prefix, most used first, each in its most frequent spelling. Archived contracts are
 * not counted.
 */
export async function suggestTags(ctx: Context, { q }: TagQuery) {
  const rows = await select<{ tag: string; count: number }>(
    `SELECT (array_agg(tag ORDER BY count DESC, tag))[1] AS tag, sum(count)::int AS count FROM (
       SELECT key, tag, COALESCE(sum(count) FILTER (WHERE NOT archived), 0)::int AS count FROM (
         SELECT key, tag, archived, count FROM contract_tag_counts_now
         WHERE organization_id = $1 AND key LIKE lower($2) ORDER BY key LIMIT ${maxCompared}) known
       GROUP BY 1, 2 HAVING sum(count) > 0) written
     GROUP BY key ORDER BY 2 DESC, key LIMIT ${maxSuggested}`,
    [ctx.organizationId, `${escapeLike(q ?? "")}%`],
    "with its values",
  );
  return { data: rows };
}
