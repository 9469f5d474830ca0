/** What remains after a kill at the worst moment. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { newKey } from "#lib/keys/secret.ts";
import { findPostmaster } from "#prisma/embedded/postmaster.ts";
import { admin as adminWith, workspaceIn } from "../admin.ts";
import { processorMs } from "../attacks/processes.ts";
import { apiWith, expect, test } from "../fixtures.ts";
import { node, type RunningServer, root, startServer, strictly } from "../server.ts";
import { uploadInstallation } from "../upload-installation.ts";

const run = promisify(execFile);

const embeddedIn = (dataDir: string) => ({ DATABASE_URL: "", DATA_DIR: dataDir });

/** Runs an operator command on a data folder and returns its parsed output. */
const admin = (dataDir: string, ...args: string[]) => adminWith(embeddedIn(dataDir), ...args);

const postmaster = async (dataDir: string) => (await findPostmaster(join(dataDir, "postgres")))!.pid;

/** Whether a process has ended; a zombie has. */
async function isGone(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => ") Z");
  return status.slice(status.lastIndexOf(")") + 2).startsWith("Z");
}

/** Returns the processor time that a process has used, in milliseconds. */
async function cpuMsOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/stat`, "utf8");
  const [user, system] = status
    .slice(status.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13);
  return (Number(user) + Number(system)) * 10;
}

const start = (dataDir: string) => startServer({ ...embeddedIn(dataDir), RATE_LIMIT_PER_MINUTE: "0" });

/** Creates contracts until the server is gone, and records the acknowledged ones. */
async function writeUntilGone(server: RunningServer, key: string, ownerId: string, acknowledged: string[]) {
  const api = apiWith(key, server.url);
  const writer = async () => {
    for (;;) {
      const body = { title: "Kept", type: "NDA", ourRole: "VENDOR", ownerId };
      const reply = await api("POST /contracts", { body }).catch(() => undefined);
      if (reply?.status === 201) acknowledged.push(reply.body.contract.id);
      else if (!reply) return;
    }
  };
  await Promise.all([writer(), writer(), writer(), writer()]);
}

test.describe("with its own data folder", () => {
  let dataDir: string;
  test.beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "countersign-faults-"));
  });
  test.afterEach(async () => {
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
  });

  test("an acknowledged write survives kill -9 of the server and of the database", async () => {
    const { organizationId, userId, key } = await workspaceIn(embeddedIn(dataDir));
    const acknowledged: string[] = [];
    for (const enough of [5, 60, 150]) {
      const server = await start(dataDir);
      const writing = writeUntilGone(server, key, userId, acknowledged);
      await expect.poll(() => acknowledged.length, { intervals: [5] }).toBeGreaterThan(enough);
      process.kill(await postmaster(dataDir), "SIGKILL");
      await server.stop("SIGKILL");
      await writing;
    }
    const server = await start(dataDir);
    const api = apiWith(key, server.url);
    for (const id of acknowledged) expect((await api(`GET /contracts/${id}`)).status).toBe(200);
    expect(acknowledged.length).toBeGreaterThan(150);
    expect(await admin(dataDir, "verify-audit", "--organization", organizationId)).toMatchObject({
      ok: true,
    });
    expect(await server.stop()).toBe(0);
  });

  test("a start after kill -9 reuses the database that was left running", async () => {
    const { key } = await workspaceIn(embeddedIn(dataDir));
    const first = await start(dataDir);
    const left = await postmaster(dataDir);
    await first.stop("SIGKILL");
    const second = await start(dataDir);
    expect(await postmaster(dataDir)).toBe(left);
    expect((await apiWith(key, second.url)("GET /me")).status).toBe(200);
    expect(await second.stop()).toBe(0);
    expect(await isGone(left), "it stops with the server").toBe(true);
  });

  test("a start with everything built is ready after less than 3 seconds of processor time", async () => {
    await workspaceIn(embeddedIn(dataDir));
    const server = await start(dataDir);
    const used = await processorMs(server.process.pid!);
    await server.stop();
    expect(used).toBeGreaterThan(0);
    expect(used).toBeLessThan(3000);
  });

  test("SIGTERM lets running requests finish, then stops the server and its database", async () => {
    const { key, userId } = await workspaceIn(embeddedIn(dataDir));
    const server = await start(dataDir);
    const database = await postmaster(dataDir);
    const api = apiWith(key, server.url);
    const body = { title: "Last", type: "NDA", ourRole: "VENDOR", ownerId: userId };
    const running = Array.from({ length: 20 }, () => api("POST /contracts", { body }));
    await running[0];
    const stopped = server.stop("SIGTERM");
    const replies = await Promise.allSettled(running);
    const refused = replies.filter((reply) => reply.status === "fulfilled" && reply.value.status !== 201);
    expect(refused).toEqual([]);
    expect(await stopped).toBe(0);
    expect(await isGone(database)).toBe(true);
  });

  test("a server that lost its database and terminal does not spin, and still exits on SIGTERM", async () => {
    await workspaceIn(embeddedIn(dataDir));
    const server = await start(dataDir);
    const { pid, stdout, stderr } = server.process;
    stdout!.destroy();
    stderr!.destroy();
    process.kill(await postmaster(dataDir), "SIGKILL");
    await rm(join(dataDir, "postgres"), { recursive: true, force: true, maxRetries: 10 });
    const ready = () => fetch(`${server.url}/readyz`, { signal: AbortSignal.timeout(10_000) });
    await expect.poll(async () => (await ready().catch(() => undefined))?.status).toBe(503);
    const share = async () => {
      const [before, began] = [await cpuMsOf(pid!), Date.now()];
      for (let time = 0; time < 5; time++) {
        expect((await fetch(`${server.url}/livez`)).status).toBe(200);
        await pause(200);
      }
      return ((await cpuMsOf(pid!)) - before) / (Date.now() - began);
    };
    // A server that spins would never become idle.
    await expect.poll(share).toBeLessThan(0.5);
    expect(await server.stop()).toBe(0);
  });

  test("a worker whose output pipe is closed exits cleanly on SIGTERM", async () => {
    const installation = await uploadInstallation();
    const env = { ...process.env, ...installation.environment };
    const program = [...strictly, join(root, "lib", "run", "worker.ts")];
    const worker = spawn(node, program, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
    try {
      const ended = once(worker, "exit");
      for await (const said of worker.stderr) if (`${said}`.includes("ready")) break;
      worker.stdout.destroy();
      worker.kill("SIGTERM");
      expect(await ended).toEqual([0, null]);
    } finally {
      worker.kill("SIGKILL");
      await installation.close();
    }
  });

  test("rotating SECRET_KEY loses no secret, and no secret appears in the server's log", async () => {
    const { key } = await workspaceIn(embeddedIn(dataDir));
    const server = await startServer({ ...embeddedIn(dataDir), LOG_LEVEL: "trace" });
    const api = apiWith(key, server.url);
    const made = await api("POST /webhook-endpoints", { body: { url: "http://127.0.0.1:9/" } });
    const { id } = made.body.endpoint;
    const rotated = await api(`POST /webhook-endpoints/${id}/rotate-secret`);
    expect((await api(`POST /webhook-endpoints/${id}/test`)).status).toBe(202);
    expect(await server.stop()).toBe(0);
    expect(server.output()).toContain("/webhook-endpoints");
    const secrets = [made.body.secret, rotated.body.secret, process.env.SECRET_KEY!, key.slice(-40)];
    for (const secret of secrets) expect(server.output()).not.toContain(secret.replace("whsec_", ""));
    const rotate = (SECRET_KEY: string, SECRET_KEY_PREVIOUS: string) =>
      adminWith({ ...embeddedIn(dataDir), SECRET_KEY, SECRET_KEY_PREVIOUS }, "rotate-secret-key");
    const [old, next] = [process.env.SECRET_KEY!, "another key of enough characters"];
    expect(await rotate(next, old)).toEqual({ resealed: 2 });
    expect(await rotate(next, "")).toEqual({ resealed: 0 });
    await expect(rotate(old, "")).rejects.toThrow("cannot be decrypted");
  });

  test("operator commands work with and without a running server", async () => {
    const { organizationId } = await workspaceIn(embeddedIn(dataDir));
    const server = await start(dataDir);
    const { id, key } = await admin(
      dataDir,
      ..."create-key --preset read_only --name Reports --organization".split(" "),
      organizationId,
    );
    expect((await apiWith(key, server.url)("GET /me")).body.apiKey).toMatchObject({ id, name: "Reports" });
    expect(await admin(dataDir, "revoke-key", "--id", id)).toEqual({ id });
    expect((await apiWith(key, server.url)("GET /me")).status).toBe(401);
    expect(await admin(dataDir, "set-plan", "--organization", organizationId, "--seats", "3")).toEqual({
      organizationId,
      seats: 3,
      status: "active",
    });
    expect(await server.stop()).toBe(0);
    expect(await admin(dataDir, "verify-audit", "--organization", organizationId)).toMatchObject({
      ok: true,
    });
  });
});

test("while the database is down, /readyz reports it without internal details and /livez returns 200", async () => {
  const folder = await mkdtemp(join(tmpdir(), "countersign-faults-"));
  const { openPostgres } = await import("#prisma/embedded/postgres.ts");
  const database = await openPostgres(folder);
  const server = await startServer({ DATABASE_URL: database.url, DATA_DIR: folder, WORKER: "off" });
  await database.close();
  const ready = await fetch(`${server.url}/readyz`);
  expect(ready.status).toBe(503);
  const { checks } = (await ready.json()) as { checks: Record<string, { ok: boolean; reason?: string }> };
  expect(checks.database).toEqual({ ok: false, reason: "the database cannot be used (ECONNREFUSED)" });
  const { port } = new URL(database.url);
  expect(JSON.stringify(checks), "strangers read it").not.toMatch(
    new RegExp(`127\\.0\\.0\\.1|${port}|${folder}`),
  );
  await expect.poll(() => server.output(), "the operator reads it in the log").toContain(`127.0.0.1:${port}`);
  expect(checks.storage).toEqual({ ok: true });
  expect((await fetch(`${server.url}/livez`)).status).toBe(200);
  const asked = await apiWith(newKey().key, server.url)("GET /me");
  expect([asked.status, asked.body.error.code]).toEqual([503, "unavailable"]);
  expect((await apiWith("", server.url)("GET /openapi.json", { key: null })).status).toBe(200);
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

test("an invalid setting prevents the start, with a message that names it", async () => {
  const environment = { PORT: "eighty", RATE_LIMIT_PER_MINUTE: "-1", BASE_URL: "example", SEED: "all" };
  const failed = await run(node, [join(root, "lib", "run", "start.ts")], {
    env: { ...process.env, ...environment },
  }).catch((error) => error);
  expect(failed.code).toBe(2);
  for (const name of Object.keys(environment)) expect(failed.stderr).toMatch(new RegExp(`^${name}: .+`, "m"));
});

test("a port in use is reported in one line, before anything is created", async () => {
  const { port } = new URL(process.env.BASE_URL!);
  const folder = await mkdtemp(join(tmpdir(), "countersign-"));
  const dataDir = join(folder, "data");
  const failed = await run(node, [join(root, "lib", "run", "start.ts")], {
    env: { ...process.env, DATABASE_URL: "", DATA_DIR: dataDir, PORT: port, SEED: "demo" },
  }).catch((error) => error);
  expect(failed.code).toBe(1);
  expect(failed.stderr.trim()).toBe(
    `countersign: Port ${port} of 127.0.0.1 is in use. Stop what uses it, or set PORT to another one.`,
  );
  expect(existsSync(dataDir), "the demo's sign-in would be lost with this start").toBe(false);
  await rm(folder, { recursive: true, force: true });
});
