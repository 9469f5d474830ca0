/**
 * The client of the members' door for pages: every operation by its name, typed by the operations themselves.
 * Isomorphic: it imports only types.
 */
import type { z } from "zod";
import type { ErrorCode, Issue } from "#lib/core/errors.ts";
import type { Operation } from "#lib/core/operation.ts";
import type { MemberOperations } from "#lib/operations.ts";

type Names<Table> = {
  [Namespace in keyof Table & string]: `${Namespace}.${keyof Table[Namespace] & string}`;
}[keyof Table & string];

/** `contracts.list`, `sessions.end`, … */
export type OperationName = Names<MemberOperations>;

type OperationOf<Name extends OperationName> = Name extends `${infer Namespace}.${infer Verb}`
  ? Namespace extends keyof MemberOperations
    ? Verb extends keyof MemberOperations[Namespace]
      ? MemberOperations[Namespace][Verb]
      : never
    : never
  : never;

/** An operation's input: dates are text, fields with a default are optional. */
export type InputOf<Name extends OperationName> =
  OperationOf<Name> extends Operation<infer Input, infer _Output, infer _Caller> ? z.input<Input> : never;

/** An operation's output; null if it has none. */
export type OutputOf<Name extends OperationName> =
  OperationOf<Name> extends Operation<infer _Input, infer Output, infer _Caller>
    ? Output extends z.ZodType
      ? z.output<Output>
      : null
    : never;

/** An error response of a door. `issues` are about fields of a form. */
export class ApiProblem extends Error {
  readonly code: ErrorCode | "unreachable";
  readonly status: number;
  /** `sentence` is its text for people, if a page has made one. */
  readonly issues: (Issue & { sentence?: string })[];
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(
    code: ApiProblem["code"],
    message: string,
    more: {
      status?: number;
      issues?: (Issue & { sentence?: string })[];
      requestId?: string | null;
      retryAfterSeconds?: number | null;
    } = {},
  ) {
    super(message);
    this.name = "ApiProblem";
    this.code = code;
    this.status = more.status ?? 0;
    this.issues = more.issues ?? [];
    this.requestId = more.requestId ?? null;
    this.retryAfterSeconds = more.retryAfterSeconds ?? null;
  }
}

export interface CallOptions {
  signal?: AbortSignal;
  /** The Idempotency-Key: a request repeated with the same key takes effect once. */
  key?: string;
  /**
   * The person and workspace that the page was opened for: if someone else has signed in since, the call is refused.
   */
  pageOf?: PageOf | null;
}

export interface PageOf {
  userId: string;
  organizationId: string;
}

function headersOf({ key, pageOf }: CallOptions): Record<string, string> {
  return {
    ...(key === undefined ? {} : { "idempotency-key": key }),
    ...(pageOf ? { "x-page-of": `${pageOf.userId} ${pageOf.organizationId}` } : {}),
  };
}

/** A new Idempotency-Key. Pages served without TLS have no crypto.randomUUID. */
export function newKey(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Calls an operation; throws an ApiProblem if it is refused or the server cannot be reached. */
export async function call<Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
  options: CallOptions = {},
): Promise<OutputOf<Name>> {
  const { signal } = options;
  const answer = await post(`/api/member/${name}`, input, {
    headers: headersOf(options),
    ...(signal ? { signal } : {}),
  });
  return answer as OutputOf<Name>;
}

/** Posts JSON to one of our doors; returns its response, or null. Throws as `call` does. */
export async function post(
  path: string,
  input: unknown,
  { headers, signal }: { headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<unknown> {
  const response = await reach(path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(input),
    ...(signal ? { signal } : {}),
  });
  const text = await answered(response.text());
  if (response.ok) return parseJson(text);
  throw problemFrom(response, text);
}

/** Fetches a file, to be read as a stream. Throws as `call` does. */
export async function download(path: string, options: CallOptions = {}): Promise<Response> {
  const response = await reach(path, { headers: headersOf(options) });
  if (response.ok) return response;
  throw problemFrom(response, await response.text());
}

/** Calls an operation that takes a file, and reports the progress of the upload. */
export async function upload<Name extends OperationName>(
  name: Name,
  { file, data, onProgress, signal, ...options }: Upload<Name>,
): Promise<OutputOf<Name>> {
  const form = new FormData();
  // The data first, so that it can be rejected before the file arrives.
  form.append("data", JSON.stringify(data));
  // Explicitly, because a browser would send the path of a file chosen with its folder.
  form.append("file", file, file.name);
  const request = new XMLHttpRequest();
  const ended = Promise.withResolvers<void>();
  request.upload.onprogress = ({ loaded, total }) => onProgress?.(loaded, total);
  request.onload = () => ended.resolve();
  request.onerror = () => ended.reject(unreachable());
  request.onabort = () => ended.reject(new DOMException("The upload was cancelled.", "AbortError"));
  signal?.addEventListener("abort", () => request.abort());
  request.open("POST", `/api/member/${name}`);
  for (const [header, value] of Object.entries(headersOf(options))) request.setRequestHeader(header, value);
  request.send(form);
  await ended.promise;
  const { status, responseText: text } = request;
  if (status < 400) return parseJson(text) as OutputOf<Name>;
  throw problemOf({ status, header: (field) => request.getResponseHeader(field) }, text);
}

export interface Upload<Name extends OperationName> extends CallOptions {
  file: File;
  /** The rest of the input. */
  data: Partial<InputOf<Name>>;
  onProgress?: (sentBytes: number, totalBytes: number) => void;
}

/** Fetches from one of our doors. Throws an ApiProblem if the server cannot be reached. */
export function reach(path: string, init: RequestInit): Promise<Response> {
  return answered(globalThis.fetch(path, { ...init, credentials: "same-origin" }));
}

/** A response that breaks off tells as little about what was done as no response. */
async function answered<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if ((error as Error).name === "AbortError") throw error;
    throw unreachable();
  }
}

/** The parsed response, or null if empty. Throws if it is truncated, or made up by something in between. */
function parseJson(text: string): unknown {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    throw unreachable();
  }
}

const unreachable = () =>
  new ApiProblem("unreachable", "The server cannot be reached. Check the connection, then try again.");

/** The error in a door's response. */
export const problemFrom = ({ status, headers }: Response, text: string) =>
  problemOf({ status, header: (name) => headers.get(name) }, text);

interface Refused {
  status: number;
  header(name: string): string | null;
}

function problemOf({ status, header }: Refused, text: string): ApiProblem {
  const retryAfter = header("retry-after");
  const more = {
    status,
    requestId: header("x-request-id"),
    retryAfterSeconds: retryAfter === null ? null : Number(retryAfter),
  };
  try {
    const { code, message, details } = JSON.parse(text).error;
    return new ApiProblem(code, message, { ...more, issues: details?.issues ?? [] });
  } catch {
    return new ApiProblem("internal_error", `The server sent an unexpected answer (${status}).`, more);
  }
}
