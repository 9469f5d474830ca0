/** The clause index's progress: a search uses what is there, and says how much is missing. */
import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { edition } from "./edition.ts";

export interface IndexProgress {
  /** Versions whose clauses can be searched, of all whose text is there or still being read. */
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
