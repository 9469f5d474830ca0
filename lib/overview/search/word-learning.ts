/**
 * The job `clauses.learn`: learns how a workspace's contracts use their words, each time its clauses have grown by a
 * quarter. Searches use the previous result meanwhile, so nothing waits for it.
 */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { changeUnaudited, select } from "#lib/core/change.ts";
import { type Context, own, systemContext } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { turnOf } from "#lib/core/lanes.ts";
import { log } from "#lib/core/log.ts";
import { parser, runInChild } from "#lib/documents/sandbox/child.ts";
import { ParserFailed } from "#lib/documents/sandbox/watch.ts";
import { enqueue } from "#lib/jobs/queue.ts";
import type { LearnedWords, learnWords } from "./word-vectors.ts";

const learner = parser<typeof learnWords>("lib/overview/search/word-vectors.ts", "learnWords", "background");

/** With fewer clauses, the result would be chance. */
const leastClauses = 200;
const growth = 1.25;

/** Of more clauses, this many are sampled at random: even 4,000 give nearly as good a result. */
const maxClauses = 10_000;
/** The most words of one clause. */
const maxWords = 1_000;

/** 10,000 clauses take 10 seconds. */
const limits = { timeoutMs: 60_000, memoryMb: 1_000, answerMb: 8 };

const Payload = z.object({ organizationId: z.string() });

/** Enqueues the job if there are enough new clauses. Must be called in the transaction that writes clauses. */
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
  await changeUnaudited(ctx, async (tx) => {
    await tx.wordModel.upsert({
      where: own(ctx),
      create: { ...own(ctx), ...seen, ...(model ?? nothing()) },
      update: { ...seen, ...model },
    });
  });
}

const nothing = () => ({ id: randomUUID(), stems: [], frequencies: [], vectors: Buffer.alloc(0) });

/**
 * Returns null if the words cannot be learned. The previous result stays, and the next growth triggers another attempt.
 */
async function learn(ctx: Context, rows: { stems: string }[]): Promise<LearnedWords | null> {
  try {
    const clauses = rows.map(({ stems }) => stems);
    return await runInChild(learner, { clauses }, limits, turnOf(ctx));
  } catch (error) {
    if (!(error instanceof ParserFailed) || error.reason === "stalled") throw error;
    log().warn(
      { organizationId: ctx.organizationId, error: error.message },
      "word vectors could not be computed",
    );
    return null;
  }
}

/**
 * Returns the stems of sampled clauses, in order. The sample depends neither on the age of clauses nor on their
 * contract.
 */
async function sampled(ctx: Context): Promise<{ stems: string; total: number }[]> {
  return select(
    `WITH keys AS (SELECT version_id, ordinal, count(*) OVER ()::int AS total FROM clauses
       WHERE organization_id = $1 AND is_current
       ORDER BY hashtext(version_id || ordinal) LIMIT ${maxClauses})
     SELECT total, coalesce((SELECT string_agg(lexeme, ' ' ORDER BY position) FROM (
       SELECT lexeme, position FROM unnest(words) AS word (lexeme, positions, weights), unnest(positions) position
       ORDER BY position LIMIT ${maxWords}) AS first), '') AS stems
     FROM keys JOIN clauses USING (version_id, ordinal) WHERE organization_id = $1`,
    [ctx.organizationId],
  );
}
