import type { Published } from "#lib/run/publish.ts";

/** Runs once in each Next server, before its first request. */
export async function register(): Promise<void> {
  // Next builds this file for the edge runtime as well, where there is no Node.
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { publish } = await import("#lib/run/publish.ts");
    publish();
  }
}

/** Runs for each error of a page, before it is answered. */
export function onRequestError(error: unknown): void {
  (globalThis as { countersign?: Published }).countersign?.notePageError(error);
}
