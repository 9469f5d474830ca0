/** An operation: something the product can do, declared once for every door and for the API description. */
import type { z } from "zod";
import type { Context, SignedIn, Visitor } from "./context.ts";
import type { ErrorCode } from "./errors.ts";
import type { Lane, Turn } from "./lanes.ts";
import type { PeopleScope, Scope } from "./scopes.ts";

type InputSchema = z.ZodObject;
type OutputSchema = z.ZodType | undefined;
type Result<O extends OutputSchema> = O extends z.ZodType ? object : unknown;

/** A file that came with a request, inspected and stored; `run` receives it along with its input. */
export interface StoredUpload {
  sha256: string;
  sizeBytes: number;
  /** Detected from its content. */
  contentType: string;
  pageCount: number | null;
  /** The path of a visitor's file while `run` works: it is not stored. */
  path?: string;
}

/** How an operation accepts a file. */
export interface FileField {
  /** The input's field: `{fileName, contentType, contentBase64}`. In multipart/form-data the part `file`. */
  name: string;
  limitBytes: number;
  /** The lane in which it waits to be read; if that is full, the caller is told before sending the file. */
  lane: Lane;
  /** Detects the type of the file at `path`, or what is wrong with which part of the field. */
  inspect(
    file: { path: string; fileName: string; contentType: string },
    turn: Turn,
  ): Promise<
    Pick<StoredUpload, "contentType" | "pageCount"> | { wrong: { name: string; message: string }[] }
  >;
}

/** A stored file as the result of an operation. */
export interface Download {
  sha256: string;
  fileName: string;
  contentType: string;
  disposition: "attachment" | "inline";
  /** Runs when the file is about to be sent. */
  onSend?(): Promise<void>;
}

export interface Operation<
  I extends InputSchema = InputSchema,
  O extends OutputSchema = OutputSchema,
  Ctx = Context,
> {
  summary: string;
  description?: string;
  /** All of them are required. Empty: any valid key, any member. */
  scopes: readonly (Scope | PeopleScope)[];
  /** One flat object: path parameters, and the query or the body. A body with unknown names is rejected. */
  input: I;
  /** The input has a file. Its field's contentBase64 is then its SHA-256. */
  file?: FileField;
  /** `run` returns a Download of one of these content types, whose bytes are sent. */
  download?: readonly string[];
  /** The response body; fields that the schema does not name are removed. If not set, there is no body. */
  output?: O;
  status?: 200 | 201 | 202 | 204;
  /** Its own error codes, in addition to the general ones (key, scope, limit, shape). */
  errors: readonly ErrorCode[];
  /** The path of the created resource, for the location header. */
  location?(result: Result<O>): string;
  /** The response depends only on the input, the workspace's data and the UTC day. */
  cacheable?: boolean;
  /**
   * A heavy read of data that changes only with the workspace's change number: a replica that has reached the number
   * which the caller saw may answer it.
   */
  mayUseReplica?: boolean;
  /** Works while the subscription is inactive. */
  worksUnpaid?: boolean;
  /** Ignores an Idempotency-Key: it makes many independent changes, or its response must not be stored. */
  ignoresIdempotencyKey?: boolean;
  /**
   * Waits for processes that read, fill or render documents. With an Idempotency-Key it holds a database connection in
   * the meantime, so few of these run at once.
   */
  awaitsDocuments?: boolean;
  run(ctx: Ctx, input: z.output<I>, file?: StoredUpload): Promise<Result<O>>;
}

/** An operation in a workspace: by a key, a member or a signer. */
export function operation<I extends InputSchema, O extends OutputSchema = undefined>(
  definition: Operation<I, O>,
): Operation<I, O> {
  return definition;
}

type WithoutWorkspace<I extends InputSchema, O extends OutputSchema, Ctx> = Omit<
  Operation<I, O, Ctx>,
  "scopes" | "location" | "cacheable" | "worksUnpaid"
>;

/** An operation of a signed-in person on their own account: no workspace is needed. */
export function personalOperation<I extends InputSchema, O extends OutputSchema = undefined>(
  definition: WithoutWorkspace<I, O, SignedIn>,
): Operation<I, O, SignedIn> {
  return { ...definition, scopes: [] };
}

/** An operation for anyone, such as signing up or resetting a password. */
export function visitorOperation<I extends InputSchema, O extends OutputSchema = undefined>(
  definition: WithoutWorkspace<I, O, Visitor>,
): Operation<I, O, Visitor> {
  return { ...definition, scopes: [] };
}

/** An operation of any type, for code that only needs its description. */
// biome-ignore lint/suspicious/noExplicitAny: the input of `run` is checked against `input` just before.
export type AnyOperation<Ctx = any> = Operation<any, any, Ctx>;

/** The status of a success. */
export function successStatusOf(operation: AnyOperation): number {
  return operation.status ?? (operation.output ? 200 : 204);
}

/** Whether an operation certainly changes nothing. */
export function onlyReads(operation: AnyOperation): boolean {
  return operation.cacheable === true || (operation.scopes.length > 0 && !hasWriteScope(operation));
}

/** Whether an operation requires a `:write` scope. */
export function hasWriteScope(operation: AnyOperation): boolean {
  return operation.scopes.some((scope) => scope.endsWith(":write"));
}
