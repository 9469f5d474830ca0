/** Starts listening, and drains servers. */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as AnyServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { settings } from "#lib/core/env.ts";

const graceMs = 20_000;

/**
 * The open connections of each listening server, each with its number of unanswered requests. The number is undefined
 * until the first request.
 */
const connections = new WeakMap<AnyServer, Map<Socket, number | undefined>>();

/** Starts listening. If the port is in use, the error names the setting to change. */
export async function listen(server: AnyServer, port: number, host: string, setting = "PORT"): Promise<void> {
  const open = new Map<Socket, number | undefined>();
  connections.set(server, open);
  server.on("connection", (socket: Socket) => {
    open.set(socket, undefined);
    socket.once("close", () => open.delete(socket));
  });
  const begin = ({ socket }: IncomingMessage, response: ServerResponse) => {
    const count = (more: number) => open.has(socket) && open.set(socket, (open.get(socket) ?? 0) + more);
    count(1);
    response.once("close", () => count(-1));
  };
  server.on("request", begin);
  // With a "checkContinue" listener, requests that expect 100-continue emit only that event.
  if (server.listenerCount("checkContinue") > 0) server.on("checkContinue", begin);
  const listening = Promise.withResolvers<void>();
  server.once("error", (error: NodeJS.ErrnoException) => {
    const taken = `Port ${port} of ${host} is in use. Stop what uses it, or set ${setting} to another one.`;
    listening.reject(error.code === "EADDRINUSE" ? new Error(taken) : error);
  });
  server.listen(port, host, listening.resolve);
  await listening.promise;
}

/**
 * Closes the server to new connections, and lets running requests finish: 20 seconds at most, until the last byte of
 * each response is sent.
 */
export async function drain(server: Server): Promise<void> {
  const closed = Promise.withResolvers<void>();
  // Node considers a response done once it is written, so its close() and closeIdleConnections() cut off responses that
  // a client reads slowly.
  const closeIdle = () => {
    for (const [socket, requests] of connections.get(server) ?? [])
      if (requests === 0 && socket.writableLength === 0) socket.destroy();
  };
  AnyServer.prototype.close.call(server, () => closed.resolve());
  closeIdle();
  const idle = setInterval(closeIdle, 100);
  const end = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed.promise;
  clearInterval(idle);
  clearTimeout(end);
}

/**
 * The shutdown of a server: /readyz reports it while requests are still accepted for DRAIN_SECONDS. After that the
 * server is drained.
 */
export class Shutdown {
  #isShuttingDown = false;

  /** Must be called for each request: once the server is shutting down, each response closes its connection. */
  mark(response: ServerResponse): void {
    if (this.#isShuttingDown) response.shouldKeepAlive = false;
  }

  /** Answers /readyz if the server is shutting down. Returns whether it did. */
  answers(path: string, response: ServerResponse): boolean {
    if (!this.#isShuttingDown || path.split("?", 1)[0] !== "/readyz") return false;
    const headers = { "content-type": "application/json", "cache-control": "no-store" };
    response.writeHead(503, headers).end(JSON.stringify({ status: "stopping" }));
    return true;
  }

  async shutDown(server: Server): Promise<void> {
    this.#isShuttingDown = true;
    await pause(settings().DRAIN_SECONDS * 1000);
    await drain(server);
  }
}
