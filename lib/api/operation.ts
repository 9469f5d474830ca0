/** An operation: something the product can do, said once for every door and for the API description. */
import type { z } from "zod";
import type { Context } from "#lib/context.ts";
import type { ErrorCode } from "#lib/errors.ts";
import type { Scope } from "#lib/scopes.ts";

type InputSchema = z.ZodObject;
type OutputSchema = z.ZodType | undefined;
type Result<O extends OutputSchema> = O extends z.ZodType ? object : unknown;

export interface Operation<I extends InputSchema = InputSchema, O extends OutputSchema = OutputSchema> {
  summary: string;
  description?: string;
  /** All of them are needed. Empty: any valid key. */
  scopes: readonly Scope[];
  /** One flat object: what the path names, and the query or the body. A body is refused for unknown names. */
  input: I;
  /** What is answered, and nothing that it does not name. Without one: no body. */
  output?: O;
  status?: 200 | 201 | 202 | 204;
  /** The refusals of its own; those of the machine (key, scope, limit, shape) go without saying. */
  errors: readonly ErrorCode[];
  /** The path of the made resource, for the location header. */
  location?: (result: never) => string;
  /** The answer depends on nothing but the input, the workspace's data and the UTC day. */
  cacheable?: boolean;
  /** Works while the subscription is inactive. */
  worksUnpaid?: boolean;
  run(ctx: Context, input: z.output<I>): Promise<Result<O>>;
}

export function operation<I extends InputSchema, O extends OutputSchema = undefined>(
  definition: Operation<I, O>,
): Operation<I, O> {
  return definition;
}

/** Any operation, where only its description matters. */
// biome-ignore lint/suspicious/noExplicitAny: the input of `run` is checked against `input` just before.
export type AnyOperation = Operation<any, any>;

/** The status of a success. */
export function successOf(operation: AnyOperation): number {
  return operation.status ?? (operation.output ? 200 : 204);
}
