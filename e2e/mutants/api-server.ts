/**
 * The product's API and its background work without the pages, straight from the sources: what takes half a
 * minute to build is left out, so that a planted slip is judged in seconds.
 */
import { createServer } from "node:http";
import { settings } from "#lib/core/env.ts";
import { followDatabaseClock } from "#lib/run/database-clock.ts";
import { checkHealth } from "#lib/run/health.ts";
import { type Published, publish } from "#lib/run/publish.ts";

publish();
const product = (globalThis as { countersign?: Published }).countersign!;
const { PORT, HOST, WORKER } = settings();
const stopClock = await followDatabaseClock();
const worker = WORKER === "inline" ? await product.startWorker() : await product.prepareQueue();

const server = createServer(async (request, response) => {
  if (product.isApiRequest(request)) {
    await product.serve(request, response).catch(() => response.destroy());
    return;
  }
  const checks = await checkHealth();
  const isReady = Object.values(checks).every(({ ok }) => ok);
  const status = request.url !== "/readyz" ? 404 : isReady ? 200 : 503;
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ checks }));
});
server.listen(PORT, HOST);

process.once("SIGTERM", async () => {
  server.close();
  server.closeIdleConnections();
  await worker?.stop();
  stopClock();
  await product.disconnect();
  process.exit(0);
});
