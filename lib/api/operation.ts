/** An operation: something the product can do, said once for every door and for the API description. */
import type { z } from "zod";
import type { Context } from "#lib/context.ts";
import type { ErrorCode } from "#lib/errors.ts";
import type { Scope } from "#lib/scopes.ts";

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
}

/** How an operation takes a file. */
export interface FileField {
  /** The input's field: `{fileName, contentType, contentBase64}`. In multipart/form-data the part `file`. */
  name: string;
  limitBytes: number;
  /** Says what the file at `path` is, or what is wrong with which part of the field. */
  inspect(file: {
    path: string;
    fileName: string;
    contentType: string;
  }): Promise<
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

export interface Operation<I extends InputSchema = InputSchema, O extends OutputSchema = OutputSchema> {
  summary: string;
  description?: string;
  /** All of them are needed. Empty: any valid key. */
  scopes: readonly Scope[];
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
  location?: (result: never) => string;
  /** The answer depends on nothing but the input, the workspace's data and the UTC day. */
  cacheable?: boolean;
  /** Works while the subscription is inactive. */
  worksUnpaid?: boolean;
  run(ctx: Context, input: z.output<I>, file?: StoredUpload): Promise<Result<O>>;
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
