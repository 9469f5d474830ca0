/** What goes into the API and comes out of it, in neither Node's nor the web's words. */
import type { Readable } from "node:stream";

/** A request, in the few words that the API needs. */
export interface Asked {
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

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array | Readable | null;
}
