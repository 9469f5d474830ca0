/** What goes into the API and comes out of it, in neither Node's nor the web's words. */
import type { Readable } from "node:stream";
import { clock } from "#lib/core/clock.ts";

/** A request, in the few words that the API needs. */
export interface ApiRequest {
  method: string;
  /** Path and query, as sent. */
  url: string;
  ip: string | null;
  header(name: string): string | undefined;
  /** The body as it comes. Nothing is read before it is asked for, nor after one stops asking. */
  chunks(): AsyncIterable<Uint8Array>;
  /** Aborted when the caller hangs up before the answer. */
  gone(): AbortSignal;
}

export type ResponseHeaders = Record<string, string>;

export interface ApiResponse {
  status: number;
  headers: ResponseHeaders;
  body: string | Uint8Array | Readable | null;
}

/** Whoever sends a request, before it is known who that is. */
export interface Caller {
  method: string;
  header(name: string): string | undefined;
  ip: string | null;
  requestId: string;
  now: Date;
  gone?: (() => AbortSignal) | undefined;
  /** The operation that is asked for, once it is known. */
  operation?: string;
}

/** The caller of a request that has just come in. */
export function callerOf({ method, header, ip, gone }: ApiRequest, requestId: string): Caller {
  return { method, header, ip, requestId, now: clock(), gone };
}
