/** A server that is told to stop while it works for strangers and others. */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { admin, workspaceIn } from "../admin.ts";
import { refused } from "../corpus/files.ts";
import { form, uploadForm } from "../documents.ts";
import { docx, paragraph } from "../docx.ts";
import { apiWith, expect, test } from "../fixtures.ts";
import { node, root, startServer, strictly } from "../server.ts";
import { descendantsOf, type Process } from "./processes.ts";

const docxType = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

/** Whether it still runs as the same program, because process ids are reused. */
async function runs({ pid, command }: Process): Promise<boolean> {
  const now = await readFile(`/proc/${pid}/cmdline`, "latin1").catch(() => "");
  return now !== "" && now.replaceAll("\0", " ") === command;
}

/** Sends the start of a file, and never its end. */
function halfAnUpload(url: string, path: string, key: string): void {
  const { raw, headers } = form({
    fileName: "a.pdf",
    contentType: "application/pdf",
    bytes: Buffer.alloc(2e6, "x"),
  });
  const sending = request(`${url}/api/v1${path}`, {
    method: "POST",
    headers: { ...headers, "x-api-key": key, "content-length": String(raw.length + 1000) },
  });
  sending.on("error", () => undefined);
  sending.write(raw.subarray(0, 1_500_000));
}

for (const [signals, what] of [
  [
    1,
    "SIGTERM finishes the upload being read and exits with code 0, leaving no child process, database or incoming file",
  ],
  [2, "a second SIGTERM exits with code 1, also leaving no child process, database or incoming file"],
] as const) {
  test(what, async () => {
    test.setTimeout(300_000);
    const dataDir = await mkdtemp(join(tmpdir(), "countersign-stopping-"));
    const environment = { DATA_DIR: dataDir, DATABASE_URL: "", SECRET_KEY: "", WORKER: "inline" };
    const server = await startServer(environment);
    const incoming = () => readdir(join(dataDir, "incoming")).catch(() => []);
    const family = () => descendantsOf(server.process.pid!);
    try {
      const { key, userId: ownerId } = await workspaceIn(environment);
      const api = apiWith(key, server.url);
      const made = await api("POST /contracts", {
        body: { title: "Agreement", type: "NDA", ourRole: "VENDOR", ownerId },
      });
      const { id } = made.body.contract;
      const bytes = docx({ body: paragraph("Agreed.") });
      const uploaded = await uploadForm(api, id, { fileName: "a.docx", contentType: docxType, bytes });
      expect(uploaded.status, uploaded.text).toBe(201);
      const names = async () => (await family()).map(({ command }) => command).join("\n");
      // A job may take longer than a stopping server waits for it. Afterwards only LibreOffice is left, which waits
      // minutes for the next document.
      const preparing = async () => {
        const { tasks } = await admin(environment, "jobs");
        return tasks.filter(({ task }: { task: string }) => task === "versions.prepare");
      };
      await expect.poll(preparing, { timeout: 240_000 }).toEqual([]);
      expect(await names()).toContain("office-main.ts");
      halfAnUpload(server.url, `/contracts/${id}/versions`, key);
      await expect.poll(async () => (await incoming()).length).toBe(1);
      const bomb = refused.find(({ what }) => what === "an object stream of 1.5 GB")!;
      const hostile = uploadForm(api, id, { ...bomb, bytes: await bomb.bytes() }).catch(() => undefined);
      await expect.poll(async () => (await incoming()).length, { intervals: [20] }).toBe(2);
      expect(await names(), "the process that stays for the workspace's next file").toContain("inspectBytes");
      const before = await family();
      const ended = server.stop("SIGTERM");
      if (signals === 2) {
        // Signals within a second count as one Ctrl-C; this one is another.
        await expect.poll(() => server.output()).toContain("stopping");
        await new Promise((resolve) => setTimeout(resolve, 1100));
        server.process.kill("SIGTERM");
      }
      expect(await ended, server.output()).toBe(signals === 1 ? 0 : 1);
      const answer = await hostile;
      if (signals === 1)
        expect([answer?.status, answer?.text]).toEqual([422, expect.stringMatching(bomb.says)]);
      expect(await incoming()).toEqual([]);
      const left = async () => {
        const running: string[] = [];
        for (const one of before) if (await runs(one)) running.push(one.command);
        // The database is not a child process: it is recognized by its folder.
        const all = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
        const commands = await Promise.all(
          all.map((pid) => readFile(`/proc/${pid}/cmdline`, "latin1").catch(() => "")),
        );
        return [...running, ...commands.filter((command) => command.includes(dataDir))];
      };
      // A killed process takes a moment to disappear.
      await expect.poll(left, { timeout: 60_000 }).toEqual([]);
    } finally {
      await server.stop("SIGKILL");
      await rm(dataDir, { recursive: true, force: true });
    }
  });
}

test("Ctrl-C sent to the whole process group interrupts no sandbox process that is reading a file", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "countersign-stopping-"));
  const environment = { DATA_DIR: dataDir, DATABASE_URL: "", SECRET_KEY: "", WORKER: "inline" };
  // Leads its own process group, like a program that is started in a terminal.
  const server = await startServer(environment, ["setsid"]);
  const incoming = () => readdir(join(dataDir, "incoming")).catch(() => []);
  try {
    const { key, userId: ownerId } = await workspaceIn(environment);
    const api = apiWith(key, server.url);
    const made = await api("POST /contracts", {
      body: { title: "Agreement", type: "NDA", ourRole: "VENDOR", ownerId },
    });
    const bomb = refused.find(({ what }) => what === "an object stream of 1.5 GB")!;
    const bytes = await bomb.bytes();
    const uploading = uploadForm(api, made.body.contract.id, { ...bomb, bytes });
    await expect.poll(async () => (await incoming()).length, { intervals: [20] }).toBe(1);
    const readers = async () =>
      (await descendantsOf(server.process.pid!)).filter(({ command }) => command.includes("inspectBytes"));
    await expect.poll(async () => (await readers()).length, { intervals: [20] }).toBeGreaterThan(0);
    const ended = once(server.process, "close");
    process.kill(-server.process.pid!, "SIGINT");
    const { status, text } = await uploading;
    expect([status, text]).toEqual([422, expect.stringMatching(bomb.says)]);
    expect(await ended).toEqual([0, null]);
    expect(server.output()).not.toContain("exited unexpectedly");
  } finally {
    await server.stop("SIGKILL");
    await rm(dataDir, { recursive: true, force: true });
  }
});

/** Starts a worker on the run's database, or on another one. */
function startWorker(databaseUrl = process.env.DATABASE_URL!) {
  const child = spawn(node, [...strictly, join(root, "lib", "run", "worker.ts")], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk) => (said += chunk));
  return { child, ended: once(child, "close"), said: () => said };
}

test("an idle worker exits cleanly on SIGHUP sent twice, as when a terminal closes", async () => {
  const { child, ended, said } = startWorker();
  try {
    await expect.poll(said).toContain("ready");
    child.kill("SIGHUP");
    child.kill("SIGHUP");
    expect(await ended).toEqual([0, null]);
  } finally {
    child.kill("SIGKILL");
  }
});

test("a worker finishes its running job on SIGINT sent twice, as npm does on Ctrl-C, and starts no other", async () => {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  const name = `stopping_${randomUUID().replaceAll("-", "")}`;
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const url = new URL(process.env.DATABASE_URL!);
  url.pathname = `/${name}`;
  const { child, ended, said } = startWorker(url.href);
  const [holder, other] = [1, 2].map(() => new pg.Client({ connectionString: url.href })) as [
    pg.Client,
    pg.Client,
  ];
  try {
    await expect.poll(said).toContain("ready");
    await Promise.all([holder.connect(), other.connect()]);
    const add = (key: string) =>
      other.query("SELECT graphile_worker.add_job('keys.forget', job_key => $1)", [key]);
    await holder.query("BEGIN");
    await holder.query("LOCK TABLE api_key_usage");
    await add("running");
    const waits = async () =>
      (await other.query(`SELECT FROM pg_locks WHERE relation = 'api_key_usage'::regclass AND NOT granted`))
        .rowCount;
    await expect.poll(waits, { intervals: [20] }).toBe(1);
    child.kill("SIGINT");
    child.kill("SIGINT");
    await expect.poll(said, { intervals: [20] }).toContain("stopping");
    await add("waiting");
    await holder.query("COMMIT");
    expect(await ended).toEqual([0, null]);
    const { rows } = await other.query(
      "SELECT key, attempts FROM graphile_worker.jobs WHERE task_identifier = 'keys.forget'",
    );
    expect(rows).toEqual([{ key: "waiting", attempts: 0 }]);
  } finally {
    child.kill("SIGKILL");
    await Promise.all([holder.end(), other.end()]);
  }
});
