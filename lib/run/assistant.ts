/**
 * `npm run assistant`: runs only the assistant server, in a process of its own. It needs neither Next nor the web
 * build, and starts in a second.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { BadSetting, provideSettings, settings } from "#lib/core/env.ts";
import { connectCounters } from "#lib/core/limits/limiter.ts";
import { assistantPath, handleAssistantRequest } from "#lib/doors/assistant.ts";
import { isBelow, serveBy } from "#lib/doors/node.ts";
import { writeCounts } from "#lib/keys/usage.ts";
import { checkHealth } from "./health.ts";
import { listen, Shutdown } from "./ports/listening.ts";
import { openMetrics } from "./ports/metrics.ts";
import { openTracing } from "./ports/tracing.ts";
import { hideDeprecations, ignoreBrokenPipe, limitStop, onStopSignal } from "./terminal.ts";
import { withDatabase } from "./with-database.ts";

const say = (line: string) => process.stderr.write(`countersign assistant: ${line}\n`);

const giveUp = () => process.exit(1);

async function serve(): Promise<void> {
  const { PORT, HOST, BASE_URL, DRAIN_SECONDS } = settings();
  connectCounters();
  const leaving = new Shutdown();
  const metrics = await openMetrics();
  const tracing = await openTracing();
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    leaving.mark(response);
    if (leaving.answers(request.url ?? "", response)) return;
    if (metrics.answers(request, response)) return;
    answer(request, response).catch(() => response.destroy());
  };
  const server = createServer({ shouldUpgradeCallback: () => false }, handle);
  // A client that is rejected because of its headers need not send a body.
  server.on("checkContinue", handle);
  server.keepAliveTimeout = 65_000;
  const stopped = untilStopped();
  await listen(server, PORT, HOST);
  say(`ready on port ${PORT} at ${assistantPath}; its answers lead to ${BASE_URL}`);
  await stopped;
  say("stopping: running requests are finished first");
  limitStop(giveUp, DRAIN_SECONDS);
  await leaving.shutDown(server);
  await metrics.close();
  await tracing.close();
  await writeCounts();
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (isBelow(assistantPath, request)) return serveBy(handleAssistantRequest, request, response);
  if (isBelow("/livez", request)) return send(response, 200, { status: "live" });
  if (!isBelow("/readyz", request)) {
    const message = `There is nothing here. Assistants connect to ${assistantPath}.`;
    return send(response, 404, { error: { code: "not_found", message, details: null } });
  }
  const checks = await checkHealth();
  const isReady = Object.values(checks).every(({ ok }) => ok);
  send(response, isReady ? 200 : 503, { status: isReady ? "ready" : "unavailable", checks });
}

function send(response: ServerResponse, status: number, body: object): void {
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  response.writeHead(status, headers).end(JSON.stringify(body));
}

async function untilStopped(): Promise<void> {
  const asked = Promise.withResolvers<void>();
  onStopSignal(asked.resolve, giveUp);
  await asked.promise;
}

ignoreBrokenPipe();
hideDeprecations();
// ASSISTANT is meant for servers, which may share this environment. This process serves nothing but assistants.
provideSettings({ ASSISTANT: "on" });
withDatabase(serve, say)
  .then(() => process.exit(0))
  .catch((error) => {
    say(error instanceof Error ? error.message : String(error));
    process.exit(error instanceof BadSetting ? 2 : 1);
  });
