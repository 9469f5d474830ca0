/**
 * The job `clauses.embed`: gets embeddings of a version's clauses from the operator's model. Searches do not wait for
 * it.
 */
import { z } from "zod";
import { changeUnaudited, reader } from "#lib/core/change.ts";
import { type Context, own, systemContext } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { enqueue } from "#lib/jobs/queue.ts";
import { embed, embeddingModel } from "./embeddings.ts";

const Payload = z.object({ organizationId: z.string(), versionId: z.string() });

export async function enqueueEmbedding(tx: Transaction, ctx: Context, versionId: string): Promise<void> {
  if (!embeddingModel()) return;
  const { organizationId } = ctx;
  await enqueue(
    tx,
    "clauses.embed",
    { organizationId, versionId },
    { jobKey: `clauses.embed ${versionId}`, share: organizationId, maxAttempts: 12 },
  );
}

const atOnce = 64;
const timeoutMs = 60_000;
/** Models read about 8,000 tokens, and the beginning of a clause is enough for its meaning. */
const maxCharacters = 4_000;

export async function embedVersion(payload: unknown): Promise<void> {
  const { organizationId, versionId } = Payload.parse(payload);
  const ctx = systemContext(organizationId, "clauses.embed");
  const model = embeddingModel();
  const where = { ...own(ctx), versionId };
  const index = await reader().clauseIndex.findFirst({ where });
  if (!model || !index || index.embeddedWith === model) return;
  for (let from = 0; from < index.clauseCount; from += atOnce) {
    const clauses = await reader().clause.findMany({
      where: { ...where, ordinal: { gte: from, lt: from + atOnce } },
      select: { ordinal: true, heading: true, text: true },
    });
    if (clauses.length === 0) continue;
    const texts = clauses.map(({ heading, text }) =>
      (text.startsWith(heading) ? text : `${heading}\n${text}`).slice(0, maxCharacters).toWellFormed(),
    );
    const vectors = await embed(texts, timeoutMs);
    await changeUnaudited(ctx, async (tx) => {
      for (const [at, { ordinal, text }] of clauses.entries()) {
        // If the version was indexed again meanwhile, a clause with another text must not get this embedding.
        await tx.clause.updateMany({ where: { ...where, ordinal, text }, data: { embedding: vectors[at]! } });
      }
    });
  }
  await changeUnaudited(ctx, async (tx) => {
    await tx.clauseIndex.updateMany({
      where: { ...where, indexedAt: index.indexedAt },
      data: { embeddedWith: model },
    });
  });
}
