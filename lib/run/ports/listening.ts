/** Starts a server's listening, and drains it. */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as AnyServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { settings } from "#lib/core/env.ts";

const graceMs = 20_000;

/** The open connections of each server that listens, with how many requests each has unanswered; undefined until its first. */
const connections = new WeakMap<AnyServer, Map<Socket, number | undefined>>();

/** Listens, or fails with the reason and the name of the port's setting. */
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
  // Where someone listens to it, who asks whether to send a body comes by this event alone.
  if (server.listenerCount("checkContinue") > 0) server.on("checkContinue", begin);
  const listening = Promise.withResolvers<void>();
  server.once("error", (error: NodeJS.ErrnoException) => {
    const taken = `Port ${port} of ${host} is in use. Stop what uses it, or set ${setting} to another one.`;
    listening.reject(error.code === "EADDRINUSE" ? new Error(taken) : error);
  });
  server.listen(port, host, listening.resolve);
  await listening.promise;
}

/** Takes no new connections, and lets the running requests finish within the grace, to the last byte of their answers. */
export async function drain(server: Server): Promise<void> {
  const closed = Promise.withResolvers<void>();
  // An answer that is written counts as done for http, which then cuts it off where someone reads it slowly: its own
  // close() does so, and closeIdleConnections().
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
 * A server that is shutting down: /readyz says so while requests are still accepted for DRAIN_SECONDS, and then none
 * are.
 */
export class Leaving {
  #begun = false;

  /** To be called for each request: once the server is shutting down, each response closes its connection. */
  mark(response: ServerResponse): void {
    if (this.#begun) response.shouldKeepAlive = false;
  }

  /** Answers /readyz, if this server leaves. */
  answers(path: string, response: ServerResponse): boolean {
    if (!this.#begun || path.split("?", 1)[0] !== "/readyz") return false;
    const headers = { "content-type": "application/json", "cache-control": "no-store" };
    response.writeHead(503, headers).end(JSON.stringify({ status: "stopping" }));
    return true;
  }

  async leave(server: Server): Promise<void> {
    this.#begun = true;
    await pause(settings().DRAIN_SECONDS * 1000);
    await drain(server);
  }
}
