/** A server that is told to stop while it works for strangers and others. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
  [1, "SIGTERM exits with code 0, leaving no child process, database or incoming file"],
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
      await expect.poll(preparing, { timeout: 120_000 }).toEqual([]);
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
      await hostile;
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
    expect(server.output()).not.toContain("ended by itself");
  } finally {
    await server.stop("SIGKILL");
    await rm(dataDir, { recursive: true, force: true });
  }
});

for (const [signal, what] of [
  ["SIGINT", "SIGINT sent twice, as npm does on Ctrl-C"],
  ["SIGHUP", "SIGHUP sent twice, as when a terminal closes"],
] as const) {
  test(`a worker exits cleanly on ${what}`, async () => {
    const worker = spawn(node, [...strictly, join(root, "lib", "run", "worker.ts")], {
      cwd: root,
      env: process.env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const ended = once(worker, "close");
    let said = "";
    worker.stderr.on("data", (chunk) => (said += chunk));
    try {
      await expect.poll(() => said).toContain("ready");
      worker.kill(signal);
      worker.kill(signal);
      expect(await ended).toEqual([0, null]);
    } finally {
      worker.kill("SIGKILL");
    }
  });
}
