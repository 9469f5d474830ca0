/** Requests and responses of the API, independent of Node's and the web's types. */
import type { Readable } from "node:stream";
import { clock } from "#lib/core/clock.ts";

/** A request, reduced to what the API needs. */
export interface ApiRequest {
  method: string;
  /** Path and query, as sent. */
  url: string;
  ip: string | null;
  header(name: string): string | undefined;
  /** The body as a stream, read only as it is consumed. */
  chunks(): AsyncIterable<Uint8Array>;
  /** Aborted when the caller disconnects before the response. */
  gone(): AbortSignal;
}

export type ResponseHeaders = Record<string, string>;

export interface ApiResponse {
  status: number;
  headers: ResponseHeaders;
  body: string | Uint8Array | Readable | null;
}

/** The sender of a request, before authentication. */
export interface Caller {
  method: string;
  header(name: string): string | undefined;
  ip: string | null;
  requestId: string;
  now: Date;
  gone?: (() => AbortSignal) | undefined;
  /** The requested operation, once it is known. */
  operation?: string;
}

/** The caller of a request that has just come in. */
export function callerOf({ method, header, ip, gone }: ApiRequest, requestId: string): Caller {
  return { method, header, ip, requestId, now: clock(), gone };
}
