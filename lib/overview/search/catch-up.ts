/**
 * The job `clauses.catchUp`: indexes versions that are missing from the index, or were indexed by an earlier edition of
 * the rules, and gets missing embeddings. It runs at every start of a worker and every ten minutes.
 */

import { enqueueIndexing } from "#lib/contracts/prepare.ts";
import { changeUnaudited, reader, select } from "#lib/core/change.ts";
import { type Context, own, systemContext } from "#lib/core/context.ts";
import { edition } from "./edition.ts";
import { enqueueEmbedding } from "./embedding-job.ts";
import { embeddingModel } from "./embeddings.ts";
import { type IndexProgress, indexProgress } from "./progress.ts";

interface Lacking {
  organizationId: string;
  id: string;
}

/** The most versions per run: their jobs take some minutes. The next run finds the rest. */
const most = 1_000;

export async function catchUpClauses(): Promise<void> {
  const unread = await select<Lacking>(
    `SELECT v.organization_id AS "organizationId", v.id FROM document_versions v
     LEFT JOIN clause_indexes i ON i.organization_id = v.organization_id AND i.version_id = v.id
     WHERE v.text_state = 'READY' AND i.edition IS DISTINCT FROM $1 AND coalesce(i.edition, 0) < $1
     ORDER BY v.id LIMIT ${most}`,
    [edition],
  );
  const model = embeddingModel();
  const unembedded = await select<Lacking>(
    `SELECT organization_id AS "organizationId", version_id AS id FROM clause_indexes
     WHERE $1::text IS NOT NULL AND embedded_with IS DISTINCT FROM $1 AND clause_count > 0 AND edition = $2
     ORDER BY version_id LIMIT ${most}`,
    [model, edition],
  );
  for (const version of unread) {
    const ctx = systemContext(version.organizationId, "clauses.catchUp");
    await changeUnaudited(ctx, (tx) => enqueueIndexing(tx, version));
  }
  for (const { organizationId, id } of unembedded) {
    const ctx = systemContext(organizationId, "clauses.catchUp");
    await changeUnaudited(ctx, (tx) => enqueueEmbedding(tx, ctx, id));
  }
}

/** Enqueues all documents of a workspace to be indexed again. Returns their number. */
export async function rebuildIndex(ctx: Context): Promise<{ enqueued: number }> {
  const versions = await reader().documentVersion.findMany({
    where: { ...own(ctx), textState: "READY" },
    select: { organizationId: true, id: true },
    orderBy: { id: "asc" },
  });
  for (const version of versions) await changeUnaudited(ctx, (tx) => enqueueIndexing(tx, version));
  return { enqueued: versions.length };
}

/** For operators: the index's progress, and the number of clauses and of learned words. */
export async function describeIndex(
  ctx: Context,
): Promise<IndexProgress & { clauses: number; words: number }> {
  const [row] = await select<{ clauses: number; words: number }>(
    `SELECT (SELECT coalesce(sum(clause_count), 0)::int FROM clause_indexes WHERE organization_id = $1) AS clauses,
       coalesce((SELECT cardinality(stems) FROM word_models WHERE organization_id = $1), 0) AS words`,
    [ctx.organizationId],
  );
  return { ...(await indexProgress(ctx)), ...row! };
}
