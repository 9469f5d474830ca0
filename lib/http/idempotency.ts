/**
 * A request with an Idempotency-Key takes effect once: the answer is stored in the effect's own transaction. At both
 * doors: the scope is the API key or the member, and the operation.
 */
import { hash } from "node:crypto";
import { change } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import type { Prisma, Transaction } from "#lib/core/db.ts";
import { type Issue, Refusal } from "#lib/core/errors.ts";
import type { Outcome } from "#lib/core/execute.ts";
import { housekeeping } from "#lib/core/housekeeping.ts";
import { inLane, turnOf } from "#lib/core/lanes.ts";

const retentionMs = 24 * 60 * 60 * 1000;

/** What is wrong with a request's key, if it has one. */
export function keyIssues(key: string | undefined): Issue[] {
  if (key === undefined || (key.length >= 1 && key.length <= 255)) return [];
  return [{ path: "Idempotency-Key", message: "must have 1 to 255 characters" }];
}

/**
 * Runs `effect` unless this key has already done so at this path; then answers what it answered.
 * Two at the same time: one runs, the other is refused, and may ask again. Of those that wait for documents few run at
 * once, and 503 is answered to who would be one too many to wait: each holds a connection of the database.
 */
export async function once(
  ctx: Context,
  request: { route: string; key: string; input: unknown; awaitsDocuments: boolean },
  effect: () => Promise<Outcome>,
): Promise<Outcome & { replayed: boolean }> {
  const id = { ...own(ctx), actorId: ctx.actor.id, route: request.route, key: request.key };
  const fingerprint = new Uint8Array(hash("sha256", canonical(request.input), "buffer"));
  const run = async (tx: Transaction) => {
    const lock = JSON.stringify(Object.values(id));
    const before = await findRecord(tx, id, ctx);
    if (before) return replay(before, fingerprint);
    const [row] = await tx.$queryRaw<{ taken: boolean }[]>`
      SELECT pg_try_advisory_xact_lock(hashtextextended(${lock}, 0)) AS taken`;
    if (!row?.taken) {
      throw new Refusal("idempotency_in_progress", "A request with this Idempotency-Key is still running.");
    }
    // It may have ended between the look and the lock.
    const meanwhile = await findRecord(tx, id, ctx);
    if (meanwhile) return replay(meanwhile, fingerprint);
    const outcome = await effect();
    await tx.idempotencyRecord.deleteMany({ where: id });
    await tx.idempotencyRecord.create({
      data: { ...id, ...outcome, body: withoutSecret(outcome.body), fingerprint, createdAt: ctx.now },
    });
    return { ...outcome, replayed: false };
  };
  const { awaitsDocuments } = request;
  const act = () => change(ctx, run, { awaitsDocuments });
  return awaitsDocuments ? inLane("keyed", turnOf(ctx), act) : act();
}

type Id = { organizationId: string; actorId: string; route: string; key: string };
type IdempotencyRecord = Prisma.IdempotencyRecordGetPayload<object>;

async function findRecord(tx: Transaction, id: Id, ctx: Context): Promise<IdempotencyRecord | null> {
  const since = new Date(ctx.now.getTime() - retentionMs);
  return tx.idempotencyRecord.findFirst({ where: { ...id, createdAt: { gt: since } } });
}

function replay({ fingerprint, status, body, location }: IdempotencyRecord, requested: Uint8Array) {
  if (!Buffer.from(fingerprint).equals(requested)) {
    throw new Refusal(
      "idempotency_key_reused",
      "This Idempotency-Key was used with another body. Send a new key for a new request.",
    );
  }
  return { status: status ?? 200, body, location, replayed: true };
}

/** The same input has the same text, whatever the order of its fields. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner) => {
    if (typeof inner === "bigint") return inner.toString();
    if (inner === null || typeof inner !== "object" || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** A secret is told once, in the first answer; no copy of it is kept. */
function withoutSecret(body: string | null): string | null {
  const answer = body === null ? null : JSON.parse(body);
  return answer && Object.hasOwn(answer, "secret") ? JSON.stringify({ ...answer, secret: null }) : body;
}

/** Forgets what is older than a day. Housekeeping, no change: no one can see the difference. */
export async function forgetOldAnswers(now: Date): Promise<number> {
  const before = new Date(now.getTime() - retentionMs);
  const { count } = await housekeeping((store) =>
    store.idempotencyRecord.deleteMany({ where: { createdAt: { lt: before } } }),
  );
  return count;
}
