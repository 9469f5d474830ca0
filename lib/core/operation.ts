/** An operation: something the product can do, said once for every door and for the API description. */
import type { z } from "zod";
import type { Context, SignedIn, Visitor } from "./context.ts";
import type { ErrorCode } from "./errors.ts";
import type { Lane, Turn } from "./lanes.ts";
import type { PeopleScope, Scope } from "./scopes.ts";

type InputSchema = z.ZodObject;
type OutputSchema = z.ZodType | undefined;
type Result<O extends OutputSchema> = O extends z.ZodType ? object : unknown;

/** A file that came with a request, inspected and stored: what `run` gets beside its input. */
export interface StoredUpload {
  sha256: string;
  sizeBytes: number;
  /** What it is by its bytes. */
  contentType: string;
  pageCount: number | null;
  /** Where a visitor's lies while `run` works: no one keeps it. */
  path?: string;
}

/** How an operation takes a file. */
export interface FileField {
  /** The input's field: `{fileName, contentType, contentBase64}`. In multipart/form-data the part `file`. */
  name: string;
  limitBytes: number;
  /** Where it waits to be read: who would find this full is told so before the file is sent. */
  lane: Lane;
  /** Says what the file at `path` is, or what is wrong with which part of the field. */
  inspect(
    file: { path: string; fileName: string; contentType: string },
    turn: Turn,
  ): Promise<
    Pick<StoredUpload, "contentType" | "pageCount"> | { wrong: { name: string; message: string }[] }
  >;
}

/** A stored file as the answer of an operation. */
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
  /** All of them are needed. Empty: any valid key, any member. */
  scopes: readonly (Scope | PeopleScope)[];
  /** One flat object: what the path names, and the query or the body. A body is refused for unknown names. */
  input: I;
  /** The input carries a file. What stands in its field's contentBase64 is then its sha256. */
  file?: FileField;
  /** `run` answers a Download, and its bytes are sent. Of these content types. */
  download?: readonly string[];
  /** What is answered, and nothing that it does not name. Without one: no body. */
  output?: O;
  status?: 200 | 201 | 202 | 204;
  /** The refusals of its own; those of the machine (key, scope, limit, shape) go without saying. */
  errors: readonly ErrorCode[];
  /** The path of the made resource, for the location header. */
  location?(result: Result<O>): string;
  /** The answer depends on nothing but the input, the workspace's data and the UTC day. */
  cacheable?: boolean;
  /**
   * Reads much, and nothing that changes without raising the workspace's number: a replica that has reached the number
   * which the caller saw may answer it.
   */
  mayUseReplica?: boolean;
  /** Works while the subscription is inactive. */
  worksUnpaid?: boolean;
  /** An Idempotency-Key is of no account: it does many things on their own, or answers what must not be stored. */
  ignoresIdempotencyKey?: boolean;
  /**
   * Waits for processes that read, fill or render documents. With an Idempotency-Key it holds a connection of the
   * database meanwhile, so few of these run at once.
   */
  awaitsDocuments?: boolean;
  run(ctx: Ctx, input: z.output<I>, file?: StoredUpload): Promise<Result<O>>;
}

/** What is done in a workspace: by a key, a member, a signer. */
export function operation<I extends InputSchema, O extends OutputSchema = undefined>(
  definition: Operation<I, O>,
): Operation<I, O> {
  return definition;
}

type WithoutWorkspace<I extends InputSchema, O extends OutputSchema, Ctx> = Omit<
  Operation<I, O, Ctx>,
  "scopes" | "location" | "cacheable" | "worksUnpaid"
>;

/** What a signed-in person does with what is their own: no workspace is needed. */
export function personalOperation<I extends InputSchema, O extends OutputSchema = undefined>(
  definition: WithoutWorkspace<I, O, SignedIn>,
): Operation<I, O, SignedIn> {
  return { ...definition, scopes: [] };
}

/** What anyone can ask for: to sign up, to be let in again. */
export function visitorOperation<I extends InputSchema, O extends OutputSchema = undefined>(
  definition: WithoutWorkspace<I, O, Visitor>,
): Operation<I, O, Visitor> {
  return { ...definition, scopes: [] };
}

/** Any operation, where only its description matters. */
// biome-ignore lint/suspicious/noExplicitAny: the input of `run` is checked against `input` just before.
export type AnyOperation<Ctx = any> = Operation<any, any, Ctx>;

/** The status of a success. */
export function successOf(operation: AnyOperation): number {
  return operation.status ?? (operation.output ? 200 : 204);
}

/** Whether an operation certainly changes nothing. */
export function onlyReads(operation: AnyOperation): boolean {
  return operation.cacheable === true || (operation.scopes.length > 0 && !changes(operation));
}

/** Whether an operation changes the workspace. */
export function changes(operation: AnyOperation): boolean {
  return operation.scopes.some((scope) => scope.endsWith(":write"));
}
