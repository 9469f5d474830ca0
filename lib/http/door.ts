/** What differs between doors. lib/http/pipeline.ts, which handles the requests, is the same for all. */
import type { Outcome } from "#lib/core/execute.ts";
import type { Turn } from "#lib/core/lanes.ts";
import type { AnyOperation, StoredUpload } from "#lib/core/operation.ts";
import type { ApiRequest, ApiResponse, Caller, ResponseHeaders } from "./exchange.ts";
import type { Representation } from "./response-cache.ts";
import type { Upload } from "./upload.ts";

/** A request for an operation. */
export interface Call {
  request: ApiRequest;
  caller: Caller;
  /** The operation's name or route, by which calls are counted and confirmations required. */
  name: string;
  operation: AnyOperation;
  /** Without the query. An Idempotency-Key is valid for this path. */
  path: string;
  search: string;
  /** The path's parameters. */
  parameters: Record<string, string>;
  /** Headers of the response. */
  headers: ResponseHeaders;
}

/** An authenticated caller. */
export interface Admission<Ctx> {
  ctx: Ctx;
  subscriptionStatus?: string;
  /** Counts the call, when its outcome is known. */
  count?(name: string, isRefused: boolean): void;
}

/** How uploaded files are handled. */
export interface Files<Ctx> {
  turn(ctx: Ctx): Turn;
  /** The uploaders have no workspace, have a stricter limit, and wait before the file is read. */
  isForVisitors?: boolean;
  /** Stores a file once the input is valid; returns what the operation gets. */
  store(ctx: Ctx, upload: Upload, file: StoredUpload): Promise<StoredUpload>;
}

export interface Door<Ctx> {
  /** Authenticates the caller, or throws. The body has not been read yet. */
  admit(caller: Caller): Promise<Admission<Ctx>>;
  /** The key of the rate limit before the caller is authenticated. */
  limitBefore?(caller: Caller): string;
  /** The key of the caller's rate limit. */
  limit?(ctx: Ctx): string;
  /** Refuses a caller who may not run the operation, whatever its input. */
  authorize?(operation: AnyOperation, admission: Admission<Ctx>): void;
  /** Authorizes by the input: returns the context that the operation runs in, or refuses. */
  admitInput?(ctx: Ctx, input: unknown, call: Pick<Call, "name" | "caller" | "headers">): Promise<Ctx>;
  /** Responds to GET and HEAD. */
  read?(call: Call, ctx: Ctx): Promise<ApiResponse>;
  /** Accept only JSON bodies, which another site's form cannot send. */
  requiresJson?: boolean;
  files?: Files<Ctx>;
  /** Runs a request with an Idempotency-Key, or returns its stored response. */
  once?(
    ctx: Ctx,
    request: { route: string; key: string; input: unknown; awaitsDocuments: boolean },
    effect: () => Promise<Outcome>,
  ): Promise<Result>;
  /** Returns the cached response to the same read, or runs it. */
  cached?(
    ctx: Ctx,
    operation: AnyOperation,
    question: string,
    read: () => Promise<string>,
  ): Promise<Representation>;
  /** Prefix of a new resource's path. */
  basePath?: string;
}

/** A door of any kind, for code that does not depend on its callers. */
// biome-ignore lint/suspicious/noExplicitAny: what `admit` gives is what the other steps of the same door get.
export type AnyDoor = Door<any>;

/** An operation's result, and whether it is a stored one. */
export interface Result {
  status: number;
  body: string | Buffer | null;
  location: string | null;
  replayed: boolean;
}
