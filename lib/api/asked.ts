/** What goes into the API and comes out of it, in neither Node's nor the web's words. */

/** A request, in the few words that the API needs. */
export interface Asked {
  method: string;
  /** Path and query, as sent. */
  url: string;
  ip: string | null;
  header(name: string): string | undefined;
  /** The whole body; refuses with 413 what is longer than `limit`, without reading the rest. */
  body(limit: number): Promise<Uint8Array>;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array | null;
}
