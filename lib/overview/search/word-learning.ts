/**
 * The job `clauses.learn`: learns how a workspace's contracts use their words, whenever its clauses have grown by a
 * quarter. What was learned is used for searching until the next time, so nothing waits for it.
 */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { derive, select } from "#lib/core/change.ts";
import { type Context, own, systemContext } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { turnOf } from "#lib/core/lanes.ts";
import { log } from "#lib/core/log.ts";
import { parser, runInChild } from "#lib/documents/sandbox/child.ts";
import { ParserFailed } from "#lib/documents/sandbox/watch.ts";
import { enqueue } from "#lib/jobs/queue.ts";
import type { LearnedWords, learnWords } from "./word-vectors.ts";

const learner = parser<typeof learnWords>("lib/overview/search/word-vectors.ts", "learnWords", "background");

/** Of fewer, what is learned is chance. */
const leastClauses = 200;
const growth = 1.25;

/** Of a workspace with more, as many at random: 4,000 teach nearly as much. */
const mostClauses = 10_000;
/** Of one clause. */
const mostWords = 1_000;

/** 10,000 clauses take 10 s. */
const limits = { timeoutMs: 60_000, memoryMb: 1_000, answerMb: 8 };

const Payload = z.object({ organizationId: z.string() });

/** Has the words learned, where there is enough that is new. To be called where clauses are written. */
export async function enqueueLearning(tx: Transaction, ctx: Context): Promise<void> {
  const { organizationId } = ctx;
  if (!(await isDue(ctx))) return;
  await enqueue(
    tx,
    "clauses.learn",
    { organizationId },
    { jobKey: `clauses.learn ${organizationId}`, maxAttempts: 5 },
  );
}

async function isDue(ctx: Context): Promise<boolean> {
  const [row] = await select<{ now: number; learned: number | null }>(
    `SELECT coalesce(sum(clause_count), 0)::int AS now,
       (SELECT clause_count FROM word_models WHERE organization_id = $1) AS learned
     FROM clause_indexes WHERE organization_id = $1 AND is_current`,
    [ctx.organizationId],
  );
  return row!.now >= Math.max(leastClauses, (row!.learned ?? 0) * growth);
}

export async function learnWorkspace(payload: unknown): Promise<void> {
  const { organizationId } = Payload.parse(payload);
  const ctx = systemContext(organizationId, "clauses.learn");
  if (!(await isDue(ctx))) return;
  const rows = await sampled(ctx);
  const all = rows[0]?.total ?? 0;
  const learned = await learn(ctx, rows);
  const frequencies = learned?.frequencies.map((count) => Math.round((count * all) / rows.length));
  const seen = { clauseCount: all, learnedAt: ctx.now };
  const model = learned && {
    ...{ id: randomUUID(), stems: learned.stems, frequencies: frequencies! },
    vectors: Buffer.from(learned.vectors, "base64"),
  };
  await derive(ctx, async (tx) => {
    await tx.wordModel.upsert({
      where: own(ctx),
      create: { ...own(ctx), ...seen, ...(model ?? nothing()) },
      update: { ...seen, ...model },
    });
  });
}

const nothing = () => ({ id: randomUUID(), stems: [], frequencies: [], vectors: Buffer.alloc(0) });

/** Null where it cannot be done: what was learned before stays, and the next growth is tried again. */
async function learn(ctx: Context, rows: { stems: string }[]): Promise<LearnedWords | null> {
  try {
    const clauses = rows.map(({ stems }) => stems);
    return await runInChild(learner, { clauses }, limits, turnOf(ctx));
  } catch (error) {
    if (!(error instanceof ParserFailed) || error.reason === "stalled") throw error;
    log().warn({ organizationId: ctx.organizationId, error: error.message }, "words not learned");
    return null;
  }
}

/** Stems in their order, of clauses chosen by what cannot be guessed from their age or contract. */
async function sampled(ctx: Context): Promise<{ stems: string; total: number }[]> {
  return select(
    `WITH keys AS (SELECT version_id, ordinal, count(*) OVER ()::int AS total FROM clauses
       WHERE organization_id = $1 AND is_current
       ORDER BY hashtext(version_id || ordinal) LIMIT ${mostClauses})
     SELECT total, coalesce((SELECT string_agg(lexeme, ' ' ORDER BY position) FROM (
       SELECT lexeme, position FROM unnest(words) AS word (lexeme, positions, weights), unnest(positions) position
       ORDER BY position LIMIT ${mostWords}) AS first), '') AS stems
     FROM keys JOIN clauses USING (version_id, ordinal) WHERE organization_id = $1`,
    [ctx.organizationId],
  );
}
