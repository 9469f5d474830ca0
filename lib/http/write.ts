/**
 * Handles a request that changes something: reads the input and its file, checks both, stores the file, then runs the
 * operation.
 */

import { clock } from "#lib/core/clock.ts";
import { retryDuringOutage } from "#lib/core/connections/retry.ts";
import { type Issue, Refusal } from "#lib/core/errors.ts";
import { parseInput, perform, trackEffect } from "#lib/core/execute.ts";
import { refuseIfFull, runInLane, type Turn } from "#lib/core/lanes.ts";
import { type AnyOperation, onlyReads, type StoredUpload, successStatusOf } from "#lib/core/operation.ts";
import type { Call, Door, Result } from "./door.ts";
import { keyIssues } from "./idempotency.ts";
import { type BodyInput, bodyInput, refuseOtherThanJson } from "./input.ts";
import { limitFiles } from "./rate-limit.ts";
import { asFormIssues, descriptionOf, inspectUpload } from "./upload.ts";

/** Runs the operation of a request other than GET, only once if it has an Idempotency-Key. */
export async function write<Ctx>(door: Door<Ctx>, call: Call, ctx: Ctx): Promise<Result> {
  const { operation, request, caller, headers } = call;
  if (!operation.file) {
    if (door.requiresJson) refuseOtherThanJson(request);
    return act(door, call, ctx, null);
  }
  if (!door.files) throw new Error(`"${operation.summary}" takes a file, and this door takes none.`);
  const turn = door.files.turn(ctx);
  if (door.files.isForVisitors) await limitFiles(turn.share, caller.now, headers);
  refuseIfFull(operation.file.lane, turn);
  const work = () => act(door, call, ctx, turn);
  return door.files.isForVisitors ? runInLane("arrivals", turn, work) : work();
}

/** A slower body may have been held back until its sender lost access. */
const readmitAfterMs = 500;

async function act<Ctx>(door: Door<Ctx>, call: Call, admitted: Ctx, turn: Turn | null): Promise<Result> {
  const { operation, request, parameters } = call;
  const since = performance.now();
  const given = await bodyInput(request, operation, parameters);
  try {
    const ctx = performance.now() - since > readmitAfterMs ? await admitAgain(door, call) : admitted;
    const key = door.once && request.method === "POST" ? request.header("idempotency-key") : undefined;
    const { input, file } = await check(call, given, keyIssues(key), turn);
    const actor = door.admitInput ? await door.admitInput(ctx, input, call) : ctx;
    // Store the bytes before the row that references them.
    const stored = file && given.upload ? await door.files?.store(ctx, given.upload, file) : undefined;
    const effect = () => perform(operation, actor, input, stored);
    if (operation.cacheable && door.cached) {
      const question = `${request.url} ${JSON.stringify(given.body)}`;
      const { body } = await door.cached(ctx, operation, question, async () => (await effect()).body ?? "");
      return { status: successStatusOf(operation), body, location: null, replayed: false };
    }
    const { once } = door;
    // A read is repeated: the link that it returned before may have expired.
    if (!once || key === undefined || operation.ignoresIdempotencyKey || onlyReads(operation)) {
      return { ...(await effect()), replayed: false };
    }
    const { awaitsDocuments = false } = operation;
    const keyed = { route: `POST ${call.path}`, key, input, awaitsDocuments };
    return await trackEffect(() => once(ctx, keyed, effect));
  } finally {
    await given.upload?.discard();
  }
}

/** Authenticates and authorizes the caller again, as for a new request. */
async function admitAgain<Ctx>(door: Door<Ctx>, { caller, operation }: Call): Promise<Ctx> {
  // Lookups are memoized per caller object, so pass a copy. The sender must not choose the time of the check.
  const admission = await retryDuringOutage(() => door.admit({ ...caller, now: clock() }));
  door.authorize?.(operation, admission);
  return admission.ctx;
}

/** Checks an input and its file, and reports all issues at once. */
async function check(
  { operation, parameters }: Call,
  { body, issues, upload, isForm }: BodyInput,
  keyIssues: Issue[],
  turn: Turn | null,
): Promise<{ input: Record<string, unknown>; file: StoredUpload | null }> {
  const { file: field, input: schema }: AnyOperation = operation;
  const raw = { ...body, ...parameters };
  const inspected =
    upload && field && turn ? await inspectUpload(upload, field, descriptionOf(raw, field), turn) : null;
  try {
    const wrong = [...issues, ...keyIssues, ...(inspected?.issues ?? [])];
    return { input: parseInput(schema, raw, wrong), file: inspected?.stored ?? null };
  } catch (error) {
    if (error instanceof Refusal && field && isForm) throw asFormIssues(error, field);
    throw error;
  }
}
