/**
 * Connection pools for an address that may come to point to another server (a proxy, a pooler, a DNS name that follows
 * the primary). They drop connections to a server that is dead or no longer accepts writes.
 */
import type { EventEmitter } from "node:events";
import { Socket } from "node:net";
import { Pool, type PoolClient, type PoolConfig } from "pg";

/**
 * A machine that is gone closes no connection: idle connections are probed after ten seconds and dropped ten seconds
 * later.
 */
export const keepAliveOptions = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/**
 * Settings of every session of the product. A client that vanishes in the middle of a change keeps its locks for at
 * most a minute, which no change pauses for between two statements. PostgreSQL drops the connection of a vanished
 * client after two minutes rather than the usual two hours, since its connections are few.
 */
export const sessionSettings = {
  TimeZone: "UTC",
  idle_in_transaction_session_timeout: "60000",
  tcp_keepalives_idle: "60",
  tcp_keepalives_interval: "10",
  tcp_keepalives_count: "6",
};

/** PostgreSQL's error code for a write that was sent to a standby. */
const readOnly = "25006";

export function openPool(config: PoolConfig): Pool {
  const pool = new Pool({
    connectionTimeoutMillis: 10_000,
    application_name: "countersign",
    ...keepAliveOptions,
    ...config,
  });
  // An idle connection that breaks (a database restart) is replaced at its next use.
  pool.on("error", () => undefined);
  // A connection that breaks while in use also reports the error to its user.
  pool.on("connect", (client) => client.on("error", () => undefined));
  leaveStandbys(pool);
  return pool;
}

/**
 * Once a server refuses to write, drops all connections opened until then, since they may lead to the same server: idle
 * ones at once, the others when they are released. Each connection can cause this only once.
 */
function leaveStandbys(pool: Pool): void {
  const numbers = new WeakMap<PoolClient, number>();
  const idle = new Set<PoolClient>();
  let opened = 0;
  let left = 0;
  const isLeft = (client: PoolClient) => (numbers.get(client) ?? 0) <= left;
  pool.on("connect", (client) => {
    numbers.set(client, ++opened);
    // pg has no event of its own for a statement's error response.
    const { connection } = client as unknown as { connection: EventEmitter };
    connection.on("errorMessage", ({ code }: { code?: string }) => {
      if (code !== readOnly || isLeft(client)) return;
      left = opened;
      // The pool treats an idle connection that emits an error as broken.
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

/**
 * A socket that closes after so long without data: a vanished peer acknowledges no statement, and TCP would wait 15
 * minutes for that.
 */
export function socketWithIdleTimeout(): Socket {
  const socket = new Socket();
  return socket.setTimeout(longestSilenceMs, () =>
    socket.destroy(new Error("Connection terminated: the database was silent")),
  );
}
