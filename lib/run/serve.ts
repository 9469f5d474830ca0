/**
 * The server: Node's http handles API requests directly and passes all others to Next. Next's router costs a
 * millisecond of CPU per request, several times what an API call itself needs.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import next from "next";
import { disconnect } from "#lib/core/db.ts";
import { readNextConfigByNode, settings } from "#lib/core/env.ts";
import { withSpan } from "#lib/core/tracing/tracing.ts";
import { isApiRequest, serve as serveApi } from "#lib/doors/node.ts";
import { setAddressHeader } from "#lib/http/proxy.ts";
import { recordResponse } from "#lib/http/response-counter.ts";
import { prepareQueue } from "#lib/jobs/queue.ts";
import { writeCounts } from "#lib/keys/usage.ts";
import type { Entrance } from "./entrance.ts";
import { withOutages } from "./page-outage.ts";
import { Shutdown } from "./ports/listening.ts";
import type { Metrics } from "./ports/metrics.ts";
import { openProduct } from "./product.ts";
import { startWorker } from "./tasks.ts";
import { openChunks } from "./web/chunks.ts";

/**
 * Takes over from the entrance. `close` drains the server, which lets running requests finish, and stops the worker.
 */
export async function serve(
  root: string,
  entrance: Entrance,
  metrics: Metrics,
): Promise<{ close(): Promise<void> }> {
  const { PORT, HOST, WORKER } = settings();
  openProduct();
  readNextConfigByNode();
  const app = next({ dev: false, dir: root, hostname: HOST, port: PORT });
  await app.prepare();
  const pages = tracedPages(withOutages(app.getRequestHandler()));
  const answersChunk = await openChunks(root);
  let ready = false;
  const leaving = new Shutdown();
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    leaving.mark(response);
    if (leaving.answers(request.url ?? "", response)) return;
    // What follows the handover is part of the start: until that is done, /readyz reports that the server is starting.
    if (!ready && request.url === "/readyz") return entrance.answerStarting(request, response);
    if (answersChunk(request, response) || metrics.answers(request, response)) return;
    const isApi = isApiRequest(request);
    // The API does both of these itself.
    if (!isApi) {
      setAddressHeader(request);
      countPage(response);
    }
    const serveIt = isApi ? serveApi : pages;
    serveIt(request, response).catch(() => response.destroy());
  };
  const { server } = entrance;
  // The API sends 100 Continue itself: a client that is rejected before need not send a body of up to 50 MB.
  entrance.handOver(handle, (request, response) => {
    if (!isApiRequest(request)) response.writeContinue();
    handle(request, response);
  });
  const worker = WORKER === "inline" ? await startWorker() : await prepareQueue();
  ready = true;
  return {
    async close() {
      await leaving.shutDown(server);
      await worker?.stop();
      await app.close();
      await writeCounts();
      await disconnect();
    },
  };
}

/** Counts all pages as one operation: there are as many paths as contracts. */
function countPage(response: ServerResponse): void {
  const started = performance.now();
  response.once("finish", () =>
    recordResponse("page", response.statusCode, (performance.now() - started) / 1000),
  );
}

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const tracedPages =
  (pages: Handle): Handle =>
  (request, response) => {
    const header = (name: string) => request.headers[name]?.toString();
    const facts = { "http.request.method": request.method ?? "" };
    return withSpan({ kind: "request", name: "page", header, facts }, async (span) => {
      await pages(request, response);
      span?.recordResponse(response.statusCode);
    });
  };
