/**
 * A primary with a standby that follows it at once, and an address that leads to one of them, as a proxy's does or a name's.
 * Both are the packaged PostgreSQL. What is acknowledged is on both: the primary waits for the standby.
 */
import { appendFile, cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { openCluster } from "#prisma/embedded/cluster.ts";
import { openPostgres } from "#prisma/embedded/postgres.ts";
import { findPostmaster, launchPostmaster, stopPostmaster } from "#prisma/embedded/postmaster.ts";
import { giveTo } from "#prisma/embedded/unprivileged.ts";
import { migrate } from "#prisma/migrate.ts";

/** One of the two servers. */
export interface DatabaseServer {
  /** As the product's role. */
  url: string;
  port: number;
  /** As the superuser, in the product's database. */
  query<Row extends object>(sql: string): Promise<Row[]>;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export interface Replicated {
  primary: DatabaseServer;
  standby: DatabaseServer;
  /** Makes the standby a primary: it takes writes, and waits for no one. */
  promote(): Promise<void>;
  close(): Promise<void>;
}

const standbyName = "standby";

/** Starts both, with the product's tables in them. */
export async function startReplicated(): Promise<Replicated> {
  const folders = await Promise.all(
    ["primary", standbyName].map((name) => mkdtemp(join(tmpdir(), `countersign-${name}-`))),
  );
  const [primaryFolder, standbyFolder] = folders as [string, string];
  await prepare(primaryFolder, standbyFolder);
  const primary = await start(primaryFolder);
  await follow(standbyFolder, primary.port);
  const standby = await start(standbyFolder);
  await primary.query(`ALTER SYSTEM SET synchronous_standby_names = '${standbyName}'`);
  await primary.query("SELECT pg_reload_conf()");
  await until(async () => {
    const [row] = await primary.query<{ state: string }>(
      "SELECT sync_state AS state FROM pg_stat_replication",
    );
    return row?.state === "sync";
  });
  return {
    primary,
    standby,
    promote: async () => void (await standby.query("SELECT pg_promote()")),
    async close() {
      // What still waits for the standby would keep the primary.
      await Promise.all([primary.kill(), standby.kill()]);
      for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** The same data in two folders: a copy of a server that was stopped is as good as a base backup. */
async function prepare(from: string, to: string): Promise<void> {
  const postgres = await openPostgres(from);
  await migrate(postgres.url);
  await postgres.close();
  await cp(join(from, "postgres"), join(to, "postgres"), { recursive: true });
}

async function follow(dataDir: string, port: number): Promise<void> {
  const { folder, passwords, account } = await openCluster(dataDir, () => undefined);
  const conninfo = `host=127.0.0.1 port=${port} user=postgres password=${passwords.postgres} application_name=${standbyName}`;
  await writeFile(join(folder, "standby.signal"), "");
  await appendFile(join(folder, "postgresql.auto.conf"), `primary_conninfo = '${conninfo}'\n`);
  if (account) await giveTo(account, folder);
}

async function start(dataDir: string): Promise<DatabaseServer> {
  const cluster = await openCluster(dataDir, () => undefined);
  const { folder, passwords } = cluster;
  const launch = await launchPostmaster(cluster);
  const urlFor = (user: keyof typeof passwords, port: number) =>
    `postgresql://${user}:${passwords[user]}@127.0.0.1:${port}/countersign?sslmode=disable`;
  let port = 0;
  const query = async <Row extends object>(sql: string) => {
    const client = new pg.Client({ connectionString: urlFor("postgres", port), application_name: "test" });
    client.on("error", () => undefined);
    await client.connect();
    return (await client.query<Row>(sql).finally(() => client.end())).rows;
  };
  await until(async () => {
    if (launch.ended()) throw (await launch.failure()).error;
    port = (await findPostmaster(folder))?.port ?? 0;
    return port > 0 && query("SELECT 1").then(Boolean, () => false);
  });
  return {
    ...{ url: urlFor("countersign", port), port, query },
    async kill() {
      const server = await findPostmaster(folder);
      if (server) process.kill(server.pid, "SIGKILL");
      await until(async () => (await findPostmaster(folder)) === undefined);
    },
    stop: () => stopPostmaster(folder),
  };
}

async function until(is: () => Promise<boolean>): Promise<void> {
  for (let waits = 0; !(await is()); waits++) {
    if (waits > 600) throw new Error("The databases do not come to where the test needs them.");
    await pause(50);
  }
}

/** A port that leads to another one, which may change. */
export interface Address {
  port: number;
  /** The same URL by way of this address. */
  urlOf(url: string): string;
  /** Leads elsewhere from now on; connections that are open are cut off, or stay where they are. */
  moveTo(port: number, open?: "cut" | "kept"): void;
  close(): void;
}

/** While it leads nowhere (0), it cuts off whoever comes. */
export async function openAddress(initially: number): Promise<Address> {
  let target = initially;
  const sockets = new Set<Socket>();
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((near) => {
    if (target === 0) return void near.destroy();
    const far = connect(target, "127.0.0.1");
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    urlOf(url) {
      const through = new URL(url);
      through.port = String(port);
      return through.href;
    },
    moveTo(to, open = "cut") {
      target = to;
      if (open === "cut") cut();
    },
    close() {
      server.close();
      cut();
    },
  };
}
