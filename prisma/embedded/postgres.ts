import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { type Cluster, openCluster } from "./cluster.ts";
import {
  abandonPostmaster,
  findPostmaster,
  hasNoRecovery,
  type Launch,
  launchPostmaster,
  stopPostmaster,
} from "./postmaster.ts";

/**
 * The embedded PostgreSQL, shared by all processes that open the same data folder. Each process holds a connection
 * with a shared advisory lock, which is released however the process ends. The last process to close stops the
 * server. A server that outlived its processes is reused by the next one.
 */
export type EmbeddedPostgres = {
  url: string;
  /** Whether this call started the server, rather than joining a running one. */
  started: boolean;
  close(): Promise<void>;
};

type Presence = { client: pg.Client; port: number; started: boolean };

const presenceLock = 7_201_001;
const setupLock = 7_201_002;
const patienceMs = 15_000;
const longestWaitMs = 100;
/** Between the end of the startup process and the start of the next ones there is a normal, short gap. */
const longestStuckMs = 5_000;

export async function openPostgres(
  dataDir: string,
  log: (line: string) => void = () => undefined,
): Promise<EmbeddedPostgres> {
  const cluster = await openCluster(dataDir, log);
  let presence: Presence | undefined = await attach(cluster, log);
  let closing: Promise<void> | undefined;
  let returning: Promise<void> | undefined;
  const { port, started } = presence;

  function stay(current: Presence): void {
    presence = current;
    current.client.once("end", () => {
      presence = undefined;
      if (!closing) returning = comeBack();
    });
  }

  /** Reconnects after the server was killed or restarted: other processes rely on it, and on our lock being held. */
  async function comeBack(): Promise<void> {
    log("the connection to PostgreSQL was lost");
    for (let wait = 100; !closing; wait = Math.min(wait * 2, 5000)) {
      await sleep(wait);
      if (closing) return;
      try {
        const found = await attach(cluster, log, port);
        if (found.port !== port) log(`PostgreSQL moved to port ${found.port}: restart to follow it`);
        return stay(found);
      } catch (error) {
        log(`PostgreSQL is not back: ${(error as Error).message}`);
      }
    }
  }

  async function leave(): Promise<void> {
    await returning;
    if (!presence && (await findPostmaster(cluster.folder))) presence = await attach(cluster, log);
    if (presence) await release(presence.client, cluster);
  }

  stay(presence);
  return {
    url: `postgresql://countersign:${cluster.passwords.countersign}@127.0.0.1:${port}/countersign?sslmode=disable`,
    started,
    close: () => {
      closing ??= Promise.resolve().then(leave);
      return closing;
    },
  };
}

/** Joins the cluster's server, or starts it if there is none. Other processes may start or stop it at any time. */
async function attach(cluster: Cluster, log: (line: string) => void, wantedPort?: number): Promise<Presence> {
  let launch: Launch | undefined;
  let stuckSince: number | undefined;
  let giveUpAt = Date.now() + patienceMs;
  let problem: unknown;
  for (let wait = 5; ; wait = Math.min(wait * 1.5, longestWaitMs)) {
    const server = await findPostmaster(cluster.folder);
    if (server?.state === "ready") {
      try {
        const client = await join(cluster, server.port);
        return { client, port: server.port, started: launch?.ended() === false };
      } catch (error) {
        problem = refuseWrongPassword(error, cluster);
      }
    } else if (server) {
      // Crash recovery has no time limit.
      giveUpAt = Date.now() + patienceMs;
    } else {
      if (launch?.ended()) {
        const failure = await launch.failure();
        if (!failure.passing) throw failure.error;
        problem = failure.error;
      }
      if (!launch || launch.ended()) {
        log(`starting PostgreSQL in ${cluster.folder}`);
        launch = await launchPostmaster(cluster, wantedPort);
      }
    }
    stuckSince = server && (await hasNoRecovery(server)) ? (stuckSince ?? Date.now()) : undefined;
    if (server && stuckSince && Date.now() - stuckSince > longestStuckMs) {
      log("PostgreSQL no longer recovers from its crash: it is started again");
      abandonPostmaster(server);
      stuckSince = undefined;
    }
    if (Date.now() > giveUpAt) throw new Error("PostgreSQL cannot be reached.", { cause: problem });
    await sleep(wait);
  }
}

/**
 * Connects as the superuser, because PostgreSQL reserves connections for it that a full pool cannot use up.
 * While a closing process decides to stop the server, the lock request waits; it fails when the connection does.
 */
async function join(cluster: Cluster, port: number): Promise<pg.Client> {
  const client = new pg.Client({
    ...{ host: "127.0.0.1", port, user: "postgres", password: cluster.passwords.postgres },
    ...{ database: "postgres", ssl: false, application_name: "countersign presence" },
    ...{ connectionTimeoutMillis: 5000, keepAlive: true },
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("SELECT pg_advisory_lock_shared($1)", [presenceLock]);
    await ensureDatabase(client, cluster.passwords.countersign);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

/** The product's role is not a superuser: an injected statement must not reach files or programs. */
async function ensureDatabase(client: pg.Client, password: string): Promise<void> {
  const exists = async (catalogue: string, column: string) =>
    (await client.query(`SELECT FROM ${catalogue} WHERE ${column} = 'countersign'`)).rowCount === 1;
  if (await exists("pg_database", "datname")) return;
  await client.query("SELECT pg_advisory_lock($1)", [setupLock]);
  if (!(await exists("pg_roles", "rolname"))) {
    await client.query(`CREATE ROLE countersign LOGIN CREATEDB PASSWORD ${pg.escapeLiteral(password)}`);
  }
  if (!(await exists("pg_database", "datname"))) {
    await client.query("CREATE DATABASE countersign OWNER countersign");
  }
  await client.query("SELECT pg_advisory_unlock($1)", [setupLock]);
}

function refuseWrongPassword(error: unknown, cluster: Cluster): unknown {
  const { code, message } = error as { code?: string; message: string };
  if (!code?.startsWith("28")) return error;
  throw new Error(`The passwords kept in ${cluster.folder}/countersign.json do not fit: ${message}`);
}

async function release(client: pg.Client, cluster: Cluster): Promise<void> {
  // Without a connection, the server was killed or told to stop: there is nothing left to do.
  const alone = await isAlone(client).catch(() => false);
  try {
    if (alone) await stopPostmaster(cluster.folder);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Releases this process's lock before checking: if two processes close at once, the later check finds no other. */
async function isAlone(client: pg.Client): Promise<boolean> {
  await client.query("SELECT pg_advisory_unlock_shared($1)", [presenceLock]);
  const { rows } = await client.query("SELECT pg_try_advisory_lock($1) AS alone", [presenceLock]);
  return rows[0].alone;
}
