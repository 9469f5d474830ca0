/** How a server of ours begins to listen, and how it stops. */
import type { Server } from "node:http";
import type { Server as AnyServer } from "node:net";

const graceMs = 20_000;

/** Listens, or says what is in the way. */
export async function listen(server: AnyServer, port: number, host: string): Promise<void> {
  const listening = Promise.withResolvers<void>();
  server.once("error", (error: NodeJS.ErrnoException) => {
    const taken = `Port ${port} of ${host} is in use. Stop what uses it, or set PORT to another one.`;
    listening.reject(error.code === "EADDRINUSE" ? new Error(taken) : error);
  });
  server.listen(port, host, listening.resolve);
  await listening.promise;
}

/** Takes no new requests, and lets the running ones finish within the grace. */
export async function drain(server: Server): Promise<void> {
  const closed = Promise.withResolvers<void>();
  server.close(() => closed.resolve());
  const idle = setInterval(() => server.closeIdleConnections(), 100);
  const end = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed.promise;
  clearInterval(idle);
  clearTimeout(end);
}
