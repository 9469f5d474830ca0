/**
 * Connection pools for an address that may come to point to another server (a proxy, a pooler, a DNS name that follows
 * the primary). They drop connections to a server that is dead or no longer accepts writes.
 */
import type { EventEmitter } from "node:events";
import { Socket } from "node:net";
import { Pool, type PoolClient, type PoolConfig } from "pg";

/** A machine that is gone closes no connection: idle ones are asked after ten seconds, and given up ten later. */
export const keptAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/**
 * Of the sessions in which the product works. Who has vanished in the middle of a change, and told no one, keeps its locks
 * for a minute: between two statements of a change no more time passes. And PostgreSQL keeps the connection of who has
 * vanished for two minutes, not for two hours as systems do: it has places for few.
 */
export const sessionSettings = {
  TimeZone: "UTC",
  idle_in_transaction_session_timeout: "60000",
  tcp_keepalives_idle: "60",
  tcp_keepalives_interval: "10",
  tcp_keepalives_count: "6",
};

/** PostgreSQL's word for a write that a standby was asked for. */
const readOnly = "25006";

export function openPool(config: PoolConfig): Pool {
  const pool = new Pool({
    connectionTimeoutMillis: 10_000,
    application_name: "countersign",
    ...keptAlive,
    ...config,
  });
  // An idle connection that breaks (a database restart) is replaced at its next use.
  pool.on("error", () => undefined);
  // One that breaks while in use also tells whoever uses it.
  pool.on("connect", (client) => client.on("error", () => undefined));
  leaveStandbys(pool);
  return pool;
}

/**
 * Once a server refuses to write, all connections that were opened until then are left, for they may lead there as well:
 * idle ones at once, others when they are done. Each connection can have that effect once.
 */
function leaveStandbys(pool: Pool): void {
  const numbers = new WeakMap<PoolClient, number>();
  const idle = new Set<PoolClient>();
  let opened = 0;
  let left = 0;
  const isLeft = (client: PoolClient) => (numbers.get(client) ?? 0) <= left;
  pool.on("connect", (client) => {
    numbers.set(client, ++opened);
    // pg has no event of its own for what a statement was refused with.
    const { connection } = client as unknown as { connection: EventEmitter };
    connection.on("errorMessage", ({ code }: { code?: string }) => {
      if (code !== readOnly || isLeft(client)) return;
      left = opened;
      // To the pool an idle connection with an error is one that broke.
      for (const one of [...idle].filter(isLeft)) one.emit("error", new Error("the database is read-only"));
    });
  });
  pool.on("acquire", (client) => idle.delete(client));
  pool.on("remove", (client) => idle.delete(client));
  pool.on("release", (_, client) => {
    if (isLeft(client)) client.end();
    else idle.add(client);
  });
}

/** Longer than any statement of a request or a job takes. */
const longestSilenceMs = 120_000;

/** Sockets that end where nothing is heard for so long: who is gone acknowledges no statement, which TCP awaits for 15 minutes. */
export function impatientSocket(): Socket {
  const socket = new Socket();
  return socket.setTimeout(longestSilenceMs, () =>
    socket.destroy(new Error("Connection terminated: the database was silent")),
  );
}
