/** A tool: what an assistant can do here, as one or more operations, with a lean answer. */
import type { z } from "zod";
import type { Context } from "#lib/core/context.ts";
import { authorize, parseInput, perform } from "#lib/core/execute.ts";
import type { AnyOperation, Operation } from "#lib/core/operation.ts";

/** What a tool answers: as data, and in a short text that says the same for people. */
export interface Answer {
  data: Record<string, unknown>;
  text: string;
}

type InputOf<O> = O extends Operation<infer I, infer _> ? z.input<I> : never;
type OutputOf<O> =
  O extends Operation<infer _, infer Out> ? (Out extends z.ZodType ? z.output<Out> : null) : never;

/** Who calls a tool. Operations go the way that they go at every door: scopes, input, rules, history. */
export interface Caller {
  ctx: Context;
  /** Whether the caller has what an operation asks for. */
  may(operation: AnyOperation): boolean;
  /** What an operation answers. */
  ask<O extends AnyOperation>(operation: O, input: InputOf<O>): Promise<OutputOf<O>>;
  /** The id of what an operation made that answers nothing but its location. */
  create<O extends AnyOperation>(operation: O, input: InputOf<O>): Promise<string>;
}

export interface Tool<I extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  /** For the assistant: what it does and when to use it. Nothing that a user wrote stands here. */
  description: string;
  /** Who may not all of these is not told of the tool. */
  uses: readonly AnyOperation[];
  /** Further ones, for callers who may. */
  mayUse?: readonly AnyOperation[];
  input: I;
  /** What of the data is answered, and nothing else. */
  output: z.ZodObject;
  /** The input has been checked, and is as it was sent: operations check it again, by their own schemas. */
  run(caller: Caller, input: z.input<I>): Promise<Answer>;
}

// biome-ignore lint/suspicious/noExplicitAny: the input of `run` is checked against `input` just before.
export type AnyTool = Tool<any>;

export function tool<I extends z.ZodObject>(definition: Tool<I>): Tool<I> {
  return definition;
}

export const operationsOf = ({ uses, mayUse = [] }: AnyTool): AnyOperation[] => [...uses, ...mayUse];

/** What a caller lacks to use a tool. */
export function missingScopes({ uses }: AnyTool, scopes: readonly string[]): string[] {
  const needed = new Set(uses.flatMap((operation) => operation.scopes as readonly string[]));
  return [...needed].filter((scope) => !scopes.includes(scope));
}

/** A caller who reaches the operations that are named here, and no others. */
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
