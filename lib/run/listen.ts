/** Where the server listens. */
import { createServer, type Server } from "node:net";

/** Starts to listen; rejects with what the operator can do where the port is in use. */
export async function listen(server: Server, port: number, host: string): Promise<void> {
  const listening = Promise.withResolvers<void>();
  server.once("error", (error: NodeJS.ErrnoException) => {
    const taken = `Port ${port} of ${host} is in use. Stop what uses it, or set PORT to another one.`;
    listening.reject(error.code === "EADDRINUSE" ? new Error(taken) : error);
  });
  server.listen(port, host, listening.resolve);
  await listening.promise;
}

/** Rejects where `listen` would: a start that cannot end well need not create anything first. */
export async function checkPort(port: number, host: string): Promise<void> {
  const probe = createServer();
  await listen(probe, port, host);
  const closed = Promise.withResolvers<void>();
  probe.close(() => closed.resolve());
  await closed.promise;
}
