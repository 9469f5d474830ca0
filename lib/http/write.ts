/** From a request with a body to its effect: the input and its file, checked together, stored, then acted on. */
import type { Context } from "#lib/core/context.ts";
import { type Issue, Refusal } from "#lib/core/errors.ts";
import { noting, type Outcome, parseInput, perform } from "#lib/core/execute.ts";
import { inLane, refuseFull, type Turn, turnOf } from "#lib/core/lanes.ts";
import type { AnyOperation } from "#lib/core/operation.ts";
import type { Asked } from "./exchange.ts";
import { keyIssues, once } from "./idempotency.ts";
import { type BodyInput, bodyInput } from "./input.ts";
import type { Match } from "./router.ts";
import { described, inFormWords, inspectUpload, keepUpload } from "./upload.ts";

/** Carries out a request that changes something, once where it has an Idempotency-Key. */
export async function write(
  found: Match,
  ctx: Context,
  asked: Asked,
  path: string,
): Promise<Outcome & { replayed: boolean }> {
  const { operation, parameters } = found;
  const turn = turnOf(ctx);
  if (operation.file) refuseFull(operation.file.lane, turn);
  const taken = await bodyInput(asked, operation, parameters);
  try {
    const key = asked.method === "POST" ? asked.header("idempotency-key") : undefined;
    const { input, file } = await admit(
      operation,
      { ...taken.body, ...parameters },
      taken,
      keyIssues(key),
      turn,
    );
    // Bytes first, row second.
    if (taken.upload && file) await keepUpload(ctx, taken.upload);
    const effect = () => perform(operation, ctx, input, file ?? undefined);
    if (key === undefined) return { ...(await effect()), replayed: false };
    return await noting(() => once(ctx, { route: `POST ${path}`, key, input }, effect));
  } finally {
    await taken.upload?.discard();
  }
}

/**
 * Carries out a visitor's request with a file. It is kept nowhere: once the answer is there, or whoever asked has
 * hung up, it is gone.
 */
export async function passThrough<Caller>(
  operation: AnyOperation<Caller>,
  caller: Caller,
  asked: Asked,
  share: string,
): Promise<Outcome> {
  const turn = { share, signal: asked.gone() };
  if (operation.file) refuseFull(operation.file.lane, turn);
  return inLane("arrivals", turn, () => withFile(operation, caller, asked, turn));
}

async function withFile<Caller>(
  operation: AnyOperation<Caller>,
  caller: Caller,
  asked: Asked,
  turn: Turn,
): Promise<Outcome> {
  const taken = await bodyInput(asked, operation, {});
  try {
    const { input, file } = await admit(operation, taken.body, taken, [], turn);
    const path = taken.upload?.incoming.path;
    return await perform(operation, caller, input, file && path ? { ...file, path } : undefined);
  } finally {
    await taken.upload?.discard();
  }
}

/** All that is wrong with an input and with the file in it, at once. */
async function admit(
  operation: AnyOperation,
  raw: Record<string, unknown>,
  { refused, upload, isForm }: BodyInput,
  issues: Issue[],
  turn: Turn,
) {
  const { file: field, input: schema } = operation;
  const inspected = upload && field ? await inspectUpload(upload, field, described(raw, field), turn) : null;
  try {
    const wrong = [...refused, ...issues, ...(inspected?.issues ?? [])];
    return { input: parseInput(schema, raw, wrong), file: inspected?.stored ?? null };
  } catch (error) {
    if (error instanceof Refusal && field && isForm) throw inFormWords(error, field);
    throw error;
  }
}
