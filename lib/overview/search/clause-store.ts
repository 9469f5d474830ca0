/** Replaces a version's clauses in the index, all or none. */
import { changeUnaudited, select } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { edition } from "./edition.ts";
import { enqueueEmbedding } from "./embedding-job.ts";
import { fold } from "./fold.ts";
import { functionPairsOf } from "./function-pairs.ts";
import type { Passage, ReadDocument } from "./passages.ts";
import { enqueueLearning } from "./word-learning.ts";

/** 20,000 clauses take 15 seconds on a busy machine. */
const timeoutMs = 180_000;

/** Replaces the clauses that the index has of a version. */
export async function storeClauses(
  ctx: Context,
  version: { id: string; contractId: string },
  { language, passages }: ReadDocument,
): Promise<void> {
  const known = await knownLanguage(language);
  await changeUnaudited(
    ctx,
    async (tx) => {
      if (!(await lockContract(tx, ctx, version))) return;
      const isCurrent = passages.length > 0 && !(await isSuperseded(tx, ctx, version));
      await tx.clauseIndex.deleteMany({ where: { ...own(ctx), versionId: version.id } });
      await tx.clauseIndex.create({
        data: {
          ...own(ctx),
          versionId: version.id,
          contractId: version.contractId,
          ...{ edition, language: known, clauseCount: passages.length, isCurrent, indexedAt: ctx.now },
        },
      });
      const batch = { version, language: known, isCurrent };
      for (let from = 0; from < passages.length; from += rowsAtOnce) {
        await insertClauses(tx, ctx, { ...batch, from, passages: passages.slice(from, from + rowsAtOnce) });
      }
      if (isCurrent) await supersede(tx, ctx, version);
      await enqueueLearning(tx, ctx);
      if (passages.length > 0) await enqueueEmbedding(tx, ctx, version.id);
    },
    { timeoutMs },
  );
}

/** Few, since other requests are served between batches: extracting the words of one takes some 20 ms at most. */
const rowsAtOnce = 50;

/** PostgreSQL may have been built without a language. Then words are compared without stemming. */
async function knownLanguage(language: string): Promise<string> {
  const found = await select("SELECT FROM pg_ts_config WHERE cfgname = $1 AND pg_ts_config_is_visible(oid)", [
    language,
  ]);
  return found.length > 0 ? language : "simple";
}

const rowOf = (
  { label, heading, text, pageIndex, pageStarts }: Passage,
  ordinal: number,
  pairs: string[],
) => ({
  ...{ ordinal, label: label.slice(0, 100), heading: heading.slice(0, 200).toWellFormed(), text },
  ...{ page_index: pageIndex, page_starts: pageStarts, function_pairs: pairs },
  // A heading that is only the beginning of the clause is already in its text.
  folded_heading: text.startsWith(heading.replace(/…$/, "")) ? "" : fold(heading),
  folded_text: fold(text),
});

/**
 * Locks the contract's versions, so that they are indexed one at a time, and the last one knows which is the newest.
 */
async function lockContract(
  tx: Transaction,
  ctx: Context,
  { id, contractId }: { id: string; contractId: string },
) {
  const versions = await tx.$queryRaw<{ id: string }[]>`SELECT id FROM document_versions
    WHERE organization_id = ${ctx.organizationId} AND contract_id = ${contractId}
    ORDER BY id FOR NO KEY UPDATE`;
  return versions.some((version) => version.id === id);
}

/** Whether a later version is searchable. A version without words, such as a scan, does not replace an earlier one. */
async function isSuperseded(
  tx: Transaction,
  ctx: Context,
  { id, contractId }: { id: string; contractId: string },
) {
  const later = await tx.$queryRaw<object[]>`SELECT FROM clause_indexes i
    JOIN document_versions v ON v.organization_id = i.organization_id AND v.id = i.version_id
    WHERE i.organization_id = ${ctx.organizationId} AND i.contract_id = ${contractId} AND i.clause_count > 0
      AND v.version_number > (SELECT version_number FROM document_versions
        WHERE organization_id = ${ctx.organizationId} AND id = ${id}) LIMIT 1`;
  return later.length > 0;
}

interface Batch {
  version: { id: string; contractId: string };
  language: string;
  isCurrent: boolean;
  /** The ordinal of the first passage. */
  from: number;
  passages: Passage[];
}

async function insertClauses(tx: Transaction, ctx: Context, { version, language, ...batch }: Batch) {
  const texts = batch.passages.map(({ text }) => text);
  const pairs = await functionPairsOf(texts, language);
  const rows = batch.passages.map((passage, at) => rowOf(passage, batch.from + at, pairs[at]!));
  await tx.$executeRaw`INSERT INTO clauses (organization_id, version_id, contract_id, is_current, ordinal, label,
      heading, text, page_index, page_starts, function_pairs, words)
    SELECT ${ctx.organizationId}, ${version.id}, ${version.contractId}, ${batch.isCurrent}, ordinal, label,
      heading, text, page_index, page_starts, function_pairs,
      setweight(to_tsvector(${language}::regconfig, folded_heading), 'C')
        || to_tsvector(${language}::regconfig, folded_text)
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS row (ordinal int, label text, heading text, text text,
      page_index int, page_starts int[], function_pairs text[], folded_heading text, folded_text text)`;
}

async function supersede(
  tx: Transaction,
  ctx: Context,
  { id, contractId }: { id: string; contractId: string },
) {
  const older = await tx.clauseIndex.findMany({
    where: { ...own(ctx), contractId, isCurrent: true, versionId: { not: id } },
    select: { versionId: true },
  });
  const where = { ...own(ctx), versionId: { in: older.map(({ versionId }) => versionId) } };
  await tx.clauseIndex.updateMany({ where, data: { isCurrent: false } });
  await tx.clause.updateMany({ where: { ...where, isCurrent: true }, data: { isCurrent: false } });
}
