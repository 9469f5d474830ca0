/**
 * `/metrics`, for Prometheus: on a port of its own (METRICS_PORT), or on the server's port with METRICS_TOKEN. If
 * neither is set there are no metrics, and none of their code is loaded.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { settings } from "#lib/core/env.ts";
import { drain, listen } from "./listening.ts";

export interface Metrics {
  /** Answers /metrics on the server's own port. Returns false for other requests, and without METRICS_TOKEN. */
  answers(request: IncomingMessage, response: ServerResponse): boolean;
  close(): Promise<void>;
}

export async function openMetrics(): Promise<Metrics> {
  const { METRICS_PORT, METRICS_TOKEN, HOST } = settings();
  if (METRICS_PORT === undefined && METRICS_TOKEN === undefined)
    return { answers: () => false, close: async () => undefined };
  const { openRegistry } = await import("./registry.ts");
  const registry = openRegistry();
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (!mayRead(request)) {
      response.writeHead(401, { "www-authenticate": "Bearer" }).end();
      return;
    }
    const text = await registry.metrics();
    response.writeHead(200, { "content-type": registry.contentType, "cache-control": "no-store" }).end(text);
  };
  const answers = (request: IncomingMessage, response: ServerResponse) => {
    if (!isMetrics(request)) return false;
    answer(request, response).catch(() => response.destroy());
    return true;
  };
  const close =
    METRICS_PORT === undefined ? async () => undefined : await serveAt(METRICS_PORT, HOST, answers);
  return { answers: METRICS_TOKEN === undefined ? () => false : answers, close };
}

async function serveAt(
  port: number,
  host: string,
  answers: Metrics["answers"],
): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    // For monitoring a process that has no other port.
    if (request.url === "/livez") response.writeHead(200, { "cache-control": "no-store" }).end();
    else if (!answers(request, response)) response.writeHead(404).end();
  });
  await listen(server, port, host, "METRICS_PORT");
  return () => drain(server);
}

const isMetrics = ({ method, url = "" }: IncomingMessage) =>
  (method === "GET" || method === "HEAD") && url.split("?", 1)[0] === "/metrics";

const digest = (text: string) => createHash("sha256").update(text).digest();

/** If METRICS_TOKEN is set, both ports require it. */
function mayRead({ headers }: IncomingMessage): boolean {
  const { METRICS_TOKEN } = settings();
  const [, given = ""] = /^bearer +(\S+) *$/i.exec(headers.authorization ?? "") ?? [];
  return METRICS_TOKEN === undefined || timingSafeEqual(digest(given), digest(METRICS_TOKEN));
}
