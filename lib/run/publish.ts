/**
 * Hands the product, as Next bundled it, to the server that Next runs in. So the quick way (serve.ts), the
 * pages and the worker share one copy of everything: one pool, one cache, one limiter.
 */

import { disconnect } from "#lib/core/db.ts";
import { connectCounters } from "#lib/core/limits/limiter.ts";
import { isApiRequest, serve } from "#lib/doors/node.ts";
import { prepareQueue } from "#lib/jobs/queue.ts";
import { writeCounts } from "#lib/keys/usage.ts";
import { notePageError } from "./page-outage.ts";
import { startWorker } from "./tasks.ts";

export interface Published {
  notePageError: typeof notePageError;
  isApiRequest: typeof isApiRequest;
  serve: typeof serve;
  prepareQueue: typeof prepareQueue;
  startWorker: typeof startWorker;
  disconnect: typeof disconnect;
}

const shared = globalThis as { countersign?: Published };

export function publish(): void {
  connectCounters();
  const leave = async () => {
    await writeCounts();
    await disconnect();
  };
  shared.countersign = { isApiRequest, serve, prepareQueue, startWorker, disconnect: leave, notePageError };
}
