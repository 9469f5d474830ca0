/** The clause index's progress: searches use what is indexed, and say how much is missing. */
import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { edition } from "./edition.ts";

export interface IndexProgress {
  /** The versions that can be searched. `total` also counts those whose text is not indexed or not read yet. */
  indexed: number;
  total: number;
}

export async function indexProgress(ctx: Context): Promise<IndexProgress> {
  const [row] = await select<IndexProgress>(
    `SELECT count(*) FILTER (WHERE i.edition >= ${edition})::int AS indexed, count(*)::int AS total
     FROM document_versions v
     LEFT JOIN clause_indexes i ON i.organization_id = v.organization_id AND i.version_id = v.id
     WHERE v.organization_id = $1 AND v.text_state <> 'FAILED'`,
    [ctx.organizationId],
  );
  return row!;
}
