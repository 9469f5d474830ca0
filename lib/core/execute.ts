/** Runs an operation: checks the caller's scopes, the input, and the output against its schema. */
import type { z } from "zod";
import { isInChange, readIn } from "./change.ts";
import { retryDuringOutage } from "./connections/retry.ts";
import type { Context } from "./context.ts";
import { readReplica } from "./db.ts";
import { type Issue, invalidInput, Refusal } from "./errors.ts";
import { observer } from "./observer.ts";
import {
  type AnyOperation,
  type Operation,
  onlyReads,
  type StoredUpload,
  successStatusOf,
} from "./operation.ts";
import { rolesWith, scopesOf } from "./scopes.ts";
import { serialize } from "./serialize.ts";

/** An operation's result, independent of HTTP. */
export interface Outcome {
  status: number;
  /** JSON text, or null if there is no body. */
  body: string | null;
  location: string | null;
}

/** Refuses a caller who lacks a scope, naming what is missing. */
export function authorize(operation: Pick<AnyOperation, "scopes">, ctx: Context): void {
  const missing = operation.scopes.filter((scope) => !ctx.scopes.includes(scope));
  if (missing.length === 0) return;
  const { actor, assistant } = ctx;
  // An assistant may lack a scope that its member has: it can be granted more.
  const isUpToRole =
    actor.kind === "user" && (!assistant || missing.some((scope) => !scopesOf[actor.role].includes(scope)));
  if (isUpToRole) {
    const roles = rolesWith(operation.scopes).join(" or ");
    throw new Refusal("forbidden", `This requires the role ${roles}. Yours is ${actor.role}.`);
  }
  const needed = `${missing.length > 1 ? "the scopes" : "the scope"} ${missing.join(" and ")}`;
  const why = assistant ? "this assistant was not granted in this workspace" : "the API key does not have";
  throw new Refusal("insufficient_scope", `This needs ${needed}, which ${why}.`);
}

/** Validates an input; the refusal lists all of its issues, and those already found (`wrong`). */
export function parseInput<I extends z.ZodObject>(
  schema: I,
  input: unknown,
  wrong: Issue[] = [],
): z.output<I> {
  const parsed = schema.safeParse(input, { error: inWords });
  if (parsed.success && wrong.length === 0) return parsed.data;
  throw invalidInput([...wrong, ...(parsed.error?.issues ?? []).flatMap(issuesOf)]);
}

const kinds: Record<string, string> = { string: "text", boolean: "true or false", array: "a list" };

/** Rewords zod's messages about wrong types in plain English; a schema's own messages are kept. */
function inWords(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== "invalid_type") return undefined;
  if (issue.input === undefined) return "is required";
  return `must be ${kinds[issue.expected] ?? `a ${issue.expected}`}`;
}

function issuesOf(issue: z.core.$ZodIssue): Issue[] {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      path: [...path, key].join("."),
      message: "is not a field that can be set here",
    }));
  }
  return [{ path: path.join("."), message: issue.message }];
}

/** Runs an operation whose caller and input have been checked. */
export async function perform<I extends z.ZodObject, Ctx>(
  operation: Operation<I, z.ZodType | undefined, Ctx>,
  ctx: Ctx,
  input: z.output<I>,
  file?: StoredUpload,
): Promise<Outcome> {
  const run = async () => {
    const result = await runOperation(operation, ctx, input, file);
    const location = operation.location ? operation.location(result) : null;
    const body = operation.output ? serialize(operation.output, result) : null;
    return { status: successStatusOf(operation), body, location };
  };
  return onlyReads(operation) ? run() : trackEffect(run);
}

const mayHaveEffect = new WeakSet<object>();

/** Marks errors thrown by work that may already have taken effect. */
export async function trackEffect<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    mayHaveEffect.add(Object(error));
    throw error;
  }
}

/** Whether an error was thrown after a change had started, so that the change may have taken effect. */
export const mayHaveTakenEffect = (error: unknown): boolean => mayHaveEffect.has(Object(error));

/** Runs an operation without serializing its result. */
export async function runOperation<I extends z.ZodObject, Ctx>(
  operation: Operation<I, z.ZodType | undefined, Ctx>,
  ctx: Ctx,
  input: z.output<I>,
  file?: StoredUpload,
) {
  const run = () => operation.run(ctx, input, file);
  const result = onlyReads(operation) && !isInChange() ? read(operation, ctx, run) : run();
  return result.catch((error) => {
    throw observer()?.operationFails(operation, error) ?? error;
  });
}

/**
 * Runs heavy reads on a replica, as long as it has caught up with what the caller has seen, and everything else on the
 * primary. A response is never older than the caller's own writes.
 */
async function read<T>(operation: AnyOperation, ctx: unknown, run: () => Promise<T>): Promise<T> {
  const { organizationId, seq } = ctx as Partial<Context>;
  if (operation.mayUseReplica && organizationId && typeof seq === "number") {
    const isRefusal = (error: unknown) => error instanceof Refusal;
    const read = await readReplica({ organizationId, seq }, (tx) => readIn(tx, run), isRefusal);
    if (read) return read.result;
  }
  return retryDuringOutage(run);
}

/** Runs an operation in this process for an authenticated caller; the result is what the doors return. */
export async function execute(operation: AnyOperation, ctx: unknown, input: unknown) {
  const outcome = await perform(operation, ctx, parseInput(operation.input, input));
  return JSON.parse(outcome.body ?? "null");
}
