/** What doors differ in. The way of a request past them is lib/http/pipeline.ts, the same for all. */
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
  /** Of the operation or its route: what is counted, and confirmed, goes by it. */
  name: string;
  operation: AnyOperation;
  /** Without the query: what an Idempotency-Key is for. */
  path: string;
  search: string;
  /** What the path says of the input. */
  parameters: Record<string, string>;
  /** Of the response. */
  headers: ResponseHeaders;
}

/** Who has been let in. */
export interface Admission<Ctx> {
  ctx: Ctx;
  subscriptionStatus?: string;
  /** Notes the call, when its outcome is known. */
  count?(name: string, isRefused: boolean): void;
}

/** What becomes of the files that come with requests. */
export interface Files<Ctx> {
  turn(ctx: Ctx): Turn;
  /** Who brings them has no workspace, is counted more strictly, and waits before the file is read. */
  areStrangers?: boolean;
  /** The file as the operation gets it, once nothing is wrong with the input. */
  store(ctx: Ctx, upload: Upload, file: StoredUpload): Promise<StoredUpload>;
}

export interface Door<Ctx> {
  /** Who calls, or why no one comes in. Nothing of the body has been read. */
  admit(caller: Caller): Promise<Admission<Ctx>>;
  /** As whom a request is counted before it is known who calls. */
  limitBefore?(caller: Caller): string;
  /** As whom a request is counted. */
  limit?(ctx: Ctx): string;
  /** Refuses who may not run the operation, whatever its input. */
  authorize?(operation: AnyOperation, admission: Admission<Ctx>): void;
  /** Refuses by the input, or lets in by it: the operation runs for whom this answers. */
  admitInput?(ctx: Ctx, input: unknown, call: Pick<Call, "name" | "caller" | "headers">): Promise<Ctx>;
  /** Responds to GET and HEAD. */
  read?(call: Call, ctx: Ctx): Promise<ApiResponse>;
  /** A form of another site can send a body too, but not one that says it is JSON. */
  takesJsonAlone?: boolean;
  files?: Files<Ctx>;
  /** Runs what has an Idempotency-Key, or answers what that was answered before. */
  once?(
    ctx: Ctx,
    request: { route: string; key: string; input: unknown; awaitsDocuments: boolean },
    effect: () => Promise<Outcome>,
  ): Promise<Result>;
  /** Reads, unless the same question has been answered. */
  cached?(
    ctx: Ctx,
    operation: AnyOperation,
    question: string,
    read: () => Promise<string>,
  ): Promise<Representation>;
  /** Before the path of a new resource. */
  basePath?: string;
}

/** Any door, where its callers do not matter. */
// biome-ignore lint/suspicious/noExplicitAny: what `admit` gives is what the other steps of the same door get.
export type AnyDoor = Door<any>;

/** What an operation answered, and whether it had before. */
export interface Result {
  status: number;
  body: string | Buffer | null;
  location: string | null;
  replayed: boolean;
}
