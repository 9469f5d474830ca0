/**
 * A request with an Idempotency-Key takes effect once: its response is stored in the same transaction as its effect. A
 * key is scoped to the API key or the member, and to the operation.
 */
import { hash } from "node:crypto";
import { change } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import type { Prisma, Transaction } from "#lib/core/db.ts";
import { type Issue, Refusal } from "#lib/core/errors.ts";
import type { Outcome } from "#lib/core/execute.ts";
import { housekeeping } from "#lib/core/housekeeping.ts";
import { runInLane, turnOf } from "#lib/core/lanes.ts";

const retentionMs = 24 * 60 * 60 * 1000;

/** The issues of a request's Idempotency-Key, if it has one. */
export function keyIssues(key: string | undefined): Issue[] {
  if (key === undefined || (key.length >= 1 && key.length <= 255)) return [];
  return [{ path: "Idempotency-Key", message: "must have 1 to 255 characters" }];
}

/**
 * Runs `effect` unless this key was already used at this path; then returns the stored response. If two requests
 * arrive at the same time, one runs and the other gets an error and may retry. Of requests that wait for documents,
 * few run at once, and too many more get 503, because each holds a database connection.
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
    // It may have finished between the first lookup and the lock.
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
  return awaitsDocuments ? runInLane("keyed", turnOf(ctx), act) : act();
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

/** Serializes an input independently of the order of its fields. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner) => {
    if (typeof inner === "bigint") return inner.toString();
    if (inner === null || typeof inner !== "object" || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** A secret is only in the first response; it is not stored. */
function withoutSecret(body: string | null): string | null {
  const answer = body === null ? null : JSON.parse(body);
  return answer && Object.hasOwn(answer, "secret") ? JSON.stringify({ ...answer, secret: null }) : body;
}

/** Deletes responses older than a day. Housekeeping: clients cannot see the difference. */
export async function forgetOldAnswers(now: Date): Promise<number> {
  const before = new Date(now.getTime() - retentionMs);
  const { count } = await housekeeping((store) =>
    store.idempotencyRecord.deleteMany({ where: { createdAt: { lt: before } } }),
  );
  return count;
}
