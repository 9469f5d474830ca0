/**
 * The reference: node:http, pg, and SQL as a good developer writes it by hand. It has the same key check, responses and
 * audit chain, but nothing else (no limits, logs or full validation).
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { bareReads } from "./bare-reads.ts";
import { findKey, HttpError, pool } from "./bare-store.ts";
import { createContract, patchContract } from "./bare-writes.ts";

const contractPath = /^\/api\/v1\/contracts\/([a-z0-9_]+)$/;

async function handle(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
  const url = new URL(request.url ?? "/", "http://127.0.0.1");
  const key = await findKey(request.headers["x-api-key"]);
  const by = {
    key,
    ip: request.socket.remoteAddress ?? null,
    userAgent: request.headers["user-agent"] ?? null,
  };
  const id = contractPath.exec(url.pathname)?.[1];
  if (request.method === "GET" && url.pathname === "/api/v1/contracts") {
    return {
      status: 200,
      body: await bareReads.list(key.organizationId, Number(url.searchParams.get("page") ?? 1)),
    };
  }
  if (request.method === "GET" && id) {
    return { status: 200, body: { contract: await bareReads.one(key.organizationId, id) } };
  }
  if (request.method === "GET" && url.pathname === "/api/v1/audit-events") {
    const limit = Math.min(Number(url.searchParams.get("limit") ?? 50), 200);
    return { status: 200, body: await bareReads.feed(key.organizationId, limit) };
  }
  if (request.method === "POST" && url.pathname === "/api/v1/contracts") {
    return { status: 201, body: { contract: await createContract(by, await json(request)), version: null } };
  }
  if (request.method === "PATCH" && id) {
    return { status: 200, body: { contract: await patchContract(by, id, await json(request)) } };
  }
  throw new HttpError(404, "not_found");
}

async function json(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}

const server = createServer((request, response) => {
  handle(request).then(
    ({ status, body }) => send(response, status, body),
    (error) => {
      if (!(error instanceof HttpError)) console.error(error);
      const status = error instanceof HttpError ? error.status : 500;
      send(response, status, { error: { code: error.message, message: error.message, details: null } });
    },
  );
});

server.listen(Number(process.env.PORT), "127.0.0.1");
process.on("SIGTERM", () => {
  server.close(() => pool.end());
  server.closeAllConnections();
});
