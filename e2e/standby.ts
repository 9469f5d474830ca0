/**
 * A primary with a synchronous standby, and an address that leads to one of them, like a proxy or a DNS name. Both are
 * the packaged PostgreSQL. Acknowledged commits are on both: the primary waits for the standby.
 */
import { execFileSync } from "node:child_process";
import { appendFile, cp, mkdtemp, readFile, rm, statfs, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { openCluster } from "#prisma/embedded/cluster.ts";
import { openPostgres } from "#prisma/embedded/postgres.ts";
import {
  abandonPostmaster,
  findPostmaster,
  hasNoRecovery,
  type Launch,
  launchPostmaster,
  stopPostmaster,
} from "#prisma/embedded/postmaster.ts";
import { chownTo } from "#prisma/embedded/unprivileged.ts";
import { migrate } from "#prisma/migrate.ts";

/** One of the two servers. */
export interface DatabaseServer {
  /** For the product's role. */
  url: string;
  port: number;
  /** Runs as the superuser, in the product's database. */
  query<Row extends object>(sql: string): Promise<Row[]>;
  /** Kills its processes at once, like a machine failure. */
  kill(): Promise<void>;
  /** Starts it on its data and waits until it accepts queries; a server that runs already keeps running. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface Replicated {
  primary: DatabaseServer;
  /** The primary's disk, if it has its own. */
  disk?: Disk;
  standby: DatabaseServer;
  /** Promotes the standby to a primary: it accepts writes, and waits for no one. */
  promote(): Promise<void>;
  close(): Promise<void>;
}

/** A small disk in memory, which can be filled to the last byte. */
interface Disk {
  fill(): Promise<void>;
  makeRoom(): Promise<void>;
}

const standbyName = "standby";

/** Starts both, with the product's tables. A disk of `diskMegabytes` for the primary takes root to mount. */
export async function startReplicated(diskMegabytes?: number): Promise<Replicated> {
  await using closing = new AsyncDisposableStack();
  const newFolder = async (name: string) => {
    const folder = await mkdtemp(join(tmpdir(), `countersign-${name}-`));
    closing.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
    return folder;
  };
  const [primaryFolder, standbyFolder] = [await newFolder("primary"), await newFolder(standbyName)];
  if (diskMegabytes) {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${diskMegabytes}m,mode=755`, "none", primaryFolder]);
    closing.defer(() => void execFileSync("umount", ["--lazy", primaryFolder]));
  }
  await prepare(primaryFolder, standbyFolder);
  // A restarted server may have another port.
  const followed = await openAddress(0);
  closing.defer(followed.close);
  const primary = await openServer(primaryFolder, closing, followed.moveTo);
  await follow(standbyFolder, followed.port);
  const standby = await openServer(standbyFolder, closing);
  // Keeps the WAL that a standby misses while it is away; all of it fits on a small disk.
  await primary.query("ALTER SYSTEM SET wal_keep_size = '64MB'");
  await primary.query("ALTER SYSTEM SET max_wal_size = '128MB'");
  await primary.query(`ALTER SYSTEM SET synchronous_standby_names = '${standbyName}'`);
  await primary.query("SELECT pg_reload_conf()");
  await until(async () => {
    const [row] = await primary.query<{ state: string }>(
      "SELECT sync_state AS state FROM pg_stat_replication",
    );
    return row?.state === "sync";
  });
  const toClose = closing.move();
  return {
    primary,
    standby,
    ...(diskMegabytes ? { disk: diskAt(primaryFolder) } : {}),
    promote: async () => void (await standby.query("SELECT pg_promote()")),
    close: () => toClose.disposeAsync(),
  };
}

function diskAt(folder: string): Disk {
  const filling = join(folder, "filling");
  return {
    async fill() {
      const { bavail, bsize } = await statfs(folder);
      // Other changes of the free space meanwhile can happen on any full disk.
      await writeFile(filling, Buffer.alloc(bavail * bsize)).catch(() => undefined);
    },
    makeRoom: () => rm(filling),
  };
}

/** Puts the same data in two folders: a copy of a stopped server is as good as a base backup. */
async function prepare(from: string, to: string): Promise<void> {
  const postgres = await openPostgres(from);
  try {
    await migrate(postgres.url);
  } finally {
    await postgres.close();
  }
  await cp(join(from, "postgres"), join(to, "postgres"), { recursive: true });
}

async function follow(dataDir: string, port: number): Promise<void> {
  const { folder, passwords, account } = await openCluster(dataDir, () => undefined);
  const conninfo = `host=127.0.0.1 port=${port} user=postgres password=${passwords.postgres} application_name=${standbyName}`;
  await writeFile(join(folder, "standby.signal"), "");
  await appendFile(join(folder, "postgresql.auto.conf"), `primary_conninfo = '${conninfo}'\n`);
  if (account) await chownTo(account, folder);
}

/** Starts a server. `closing` kills it, because waiting for the standby would keep the primary from stopping. */
async function openServer(
  dataDir: string,
  closing: AsyncDisposableStack,
  onStart = (_port: number) => {},
): Promise<DatabaseServer> {
  const cluster = await openCluster(dataDir, () => undefined);
  const { folder, passwords } = cluster;
  const urlFor = (user: keyof typeof passwords, port: number) =>
    `postgresql://${user}:${passwords[user]}@127.0.0.1:${port}/countersign?sslmode=disable`;
  let port = 0;
  const query = async <Row extends object>(sql: string) => {
    const client = new pg.Client({ connectionString: urlFor("postgres", port), application_name: "test" });
    client.on("error", () => undefined);
    await client.connect();
    return (await client.query<Row>(sql).finally(() => client.end())).rows;
  };
  const launch = async () => {
    let launched: Launch | undefined;
    let stuck = 0;
    await until(async () => {
      const running = await findPostmaster(folder);
      port = running?.port ?? 0;
      // A launched server that has not ended may be about to give up.
      if (!running && (launched?.ended() ?? true)) {
        const failure = await launched?.failure();
        if (failure && !failure.passing) throw failure.error;
        launched = await launchPostmaster(cluster);
      }
      // Does what an operator would: ends a server that waits for a recovery that will not come.
      stuck = running && (await hasNoRecovery(running)) ? stuck + 1 : 0;
      if (running && stuck === mostStuck) abandonPostmaster(running);
      return port > 0 && query("SELECT 1").then(Boolean, () => false);
    }).catch(async (cause) => {
      const said = (await readFile(cluster.logFile, "utf8"))
        .split("\n")
        .filter((line) => !refusal.test(line));
      throw new Error(`The server does not start:\n${said.slice(-keptLines).join("\n")}`, { cause });
    });
    onStart(port);
  };
  const kill = async () => {
    const server = await findPostmaster(folder);
    if (server) process.kill(server.pid, "SIGKILL");
    await until(async () => (await findPostmaster(folder)) === undefined);
  };
  closing.defer(kill);
  await launch();
  return {
    ...{ query, start: launch, kill },
    get url() {
      return urlFor("countersign", port);
    },
    get port() {
      return port;
    },
    stop: () => stopPostmaster(folder),
  };
}

const keptLines = 50;

/** The log lines of clients that try to connect meanwhile. */
const refusal = /FATAL: {2}the database system is|DETAIL: {2}Consistent recovery/;

/** Checked every 50 ms: longer than a start or a stop takes between two of its processes. */
const mostStuck = 100;

/** Recovery takes long on a slow machine. */
const patienceMs = 120_000;

async function until(is: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!(await is())) {
    if (Date.now() > deadline) throw new Error("The databases do not come to where the test needs them.");
    await pause(50);
  }
}

/** A port that forwards to another one, which may change. */
export interface Address {
  port: number;
  /** Returns the same URL, through this address. */
  urlOf(url: string): string;
  /** Forwards to another port from now on; open connections are cut, or stay where they are. */
  moveTo(port: number, open?: "cut" | "kept"): void;
  /** Lets nothing through any more, not even that a connection was closed, until `release`. */
  hold(): void;
  release(): void;
  /** Open connections never carry anything again, but stay open. New ones work. */
  forget(): void;
  /** Closes forgotten connections at the server's end, like a server whose keepalive probes get no response. */
  giveUpForgotten(): void;
  close(): void;
}

/** Opens an address. While it leads nowhere (0), it cuts every new connection. */
export async function openAddress(initially: number): Promise<Address> {
  let target = initially;
  let isHeld = false;
  const relays = new Set<Relay>();
  const cut = () => {
    for (const relay of relays) relay.cut();
  };
  const server = createServer((near) => {
    if (target === 0) return void near.destroy();
    const relay = openRelay(near, connect(target, "127.0.0.1"), () => relays.delete(relay));
    relays.add(relay);
    if (!isHeld) relay.flow();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const hold = () => {
    isHeld = true;
    for (const relay of relays) relay.hold();
  };
  const release = () => {
    isHeld = false;
    for (const relay of relays) relay.flow();
  };
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
    hold,
    release,
    forget() {
      for (const relay of relays) relay.forget();
    },
    giveUpForgotten() {
      for (const relay of relays) relay.giveUpForgotten();
    },
    close() {
      server.close();
      cut();
    },
  };
}

/** One connection through an address. It carries nothing before `flow` is called. */
interface Relay {
  flow(): void;
  hold(): void;
  /** Stops it for good: later calls of `flow` have no effect. */
  forget(): void;
  /** If it is forgotten, closes its far end without telling the near end. */
  giveUpForgotten(): void;
  cut(): void;
}

function openRelay(near: Socket, far: Socket, onEnd: () => void): Relay {
  let isForgotten = false;
  let isGivenUp = false;
  const cut = () => {
    near.destroy();
    far.destroy();
  };
  for (const socket of [near, far]) {
    socket.on("error", () => undefined);
    socket.on("close", () => {
      if (socket === far && isGivenUp) return;
      cut();
      onEnd();
    });
  }
  // A socket that is not read does not notice its end either.
  const hold = () => {
    near.unpipe(far).pause();
    far.unpipe(near).pause();
  };
  return {
    flow() {
      if (!isForgotten) near.pipe(far).pipe(near);
    },
    hold,
    forget() {
      isForgotten = true;
      hold();
    },
    giveUpForgotten() {
      if (!isForgotten) return;
      isGivenUp = true;
      far.destroy();
    },
    cut,
  };
}
