/**
 * The product's API and its background work without the pages, straight from the sources: what takes half a
 * minute to build is left out, so that a planted slip is judged in seconds.
 */
import { createServer } from "node:http";
import { disconnect } from "#lib/core/db.ts";
import { settings } from "#lib/core/env.ts";
import { connectCounters } from "#lib/core/limits/limiter.ts";
import { isApiRequest, serve } from "#lib/doors/node.ts";
import { prepareQueue } from "#lib/jobs/queue.ts";
import { writeCounts } from "#lib/keys/usage.ts";
import { followDatabaseClock } from "#lib/run/database-clock.ts";
import { checkHealth } from "#lib/run/health.ts";
import { startWorker } from "#lib/run/tasks.ts";
import { hideDeprecations } from "#lib/run/terminal.ts";

hideDeprecations();
connectCounters();
const { PORT, HOST, WORKER } = settings();
const stopClock = await followDatabaseClock();
const worker = WORKER === "inline" ? await startWorker() : await prepareQueue();

const server = createServer(async (request, response) => {
  if (isApiRequest(request)) {
    await serve(request, response).catch(() => response.destroy());
    return;
  }
  const checks = await checkHealth();
  const isReady = Object.values(checks).every(({ ok }) => ok);
  const status = request.url !== "/readyz" ? 404 : isReady ? 200 : 503;
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ checks }));
});
// As the product does: a test that has been busy for a while finds its connections.
server.keepAliveTimeout = 65_000;
server.listen(PORT, HOST);

process.once("SIGTERM", async () => {
  server.close();
  server.closeIdleConnections();
  await worker?.stop();
  stopClock();
  await writeCounts();
  await disconnect();
  process.exit(0);
});
