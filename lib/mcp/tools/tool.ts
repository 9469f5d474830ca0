/** A tool: one or more operations that an assistant can perform, with a concise result. */
import type { z } from "zod";
import type { Context } from "#lib/core/context.ts";
import { authorize, parseInput, perform } from "#lib/core/execute.ts";
import type { AnyOperation, Operation } from "#lib/core/operation.ts";

/** A tool's result: data, and a short text that says the same for people. */
export interface Answer {
  data: Record<string, unknown>;
  text: string;
}

type InputOf<O> = O extends Operation<infer I, infer _> ? z.input<I> : never;
type OutputOf<O> =
  O extends Operation<infer _, infer Out> ? (Out extends z.ZodType ? z.output<Out> : null) : never;

/**
 * The caller of a tool. Operations run as they do for every other client, with scopes, validation, rules and history.
 */
export interface Caller {
  ctx: Context;
  /** Whether the caller has the scopes of an operation. */
  may(operation: AnyOperation): boolean;
  /** Performs an operation and returns its response. */
  ask<O extends AnyOperation>(operation: O, input: InputOf<O>): Promise<OutputOf<O>>;
  /** Performs an operation that returns only a location. Returns the id of what it created. */
  create<O extends AnyOperation>(operation: O, input: InputOf<O>): Promise<string>;
}

export interface Tool<I extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  /** For the assistant: what the tool does and when to use it. It never contains text from users. */
  description: string;
  /** The tool is offered only to callers who may perform all of these. */
  uses: readonly AnyOperation[];
  /** Further operations, used if the caller may perform them. */
  mayUse?: readonly AnyOperation[];
  input: I;
  /** The schema of the data. Fields that it does not have are left out of the result. */
  output: z.ZodObject;
  /** The input has been validated, but is passed as it was sent: operations parse it again with their own schemas. */
  run(caller: Caller, input: z.input<I>): Promise<Answer>;
}

// biome-ignore lint/suspicious/noExplicitAny: the input of `run` is checked against `input` just before.
export type AnyTool = Tool<any>;

export function tool<I extends z.ZodObject>(definition: Tool<I>): Tool<I> {
  return definition;
}

export const operationsOf = ({ uses, mayUse = [] }: AnyTool): AnyOperation[] => [...uses, ...mayUse];

/** Returns the scopes that a caller lacks to use a tool. */
export function missingScopes({ uses }: AnyTool, scopes: readonly string[]): string[] {
  const needed = new Set(uses.flatMap((operation) => operation.scopes as readonly string[]));
  return [...needed].filter((scope) => !scopes.includes(scope));
}

/** Returns a caller that can perform only the given operations. */
export function callerFor(ctx: Context, named: readonly AnyOperation[]): Caller {
  const run = (operation: AnyOperation, input: unknown) => {
    if (!named.includes(operation)) throw new Error(`"${operation.summary}" is not named by what uses it.`);
    authorize(operation, ctx);
    return perform(operation, ctx, parseInput(operation.input, input));
  };
  return {
    ctx,
    may: ({ scopes }) => scopes.every((scope: string) => ctx.scopes.includes(scope)),
    ask: async (operation, input) => JSON.parse((await run(operation, input)).body ?? "null"),
    create: async (operation, input) => (await run(operation, input)).location?.split("/").at(-1) ?? "",
  };
}
