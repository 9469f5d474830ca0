/** What remains of uploads when the server dies or the caller disconnects, and of jobs whose worker dies. */
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { request } from "node:http";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { admin } from "../admin.ts";
import { simplePdf } from "../corpus/pdf.ts";
import { uploadForm } from "../documents.ts";
import { apiWith, expect, test } from "../fixtures.ts";
import { install } from "../installation.ts";
import { queuedMail } from "../queued-mail.ts";
import { startServer } from "../server.ts";
import { uploadInstallation } from "../upload-installation.ts";
import { filesOnDisk, killDuringUploads } from "../upload-kills.ts";

test("kill -9 during uploads leaves no row without its document and loses no acknowledged upload", async () => {
  test.setTimeout(180_000);
  const installation = await uploadInstallation();
  try {
    const { dataDir, select } = installation;
    const { acknowledged } = await killDuringUploads({ ...installation, kills: 6 });
    expect(acknowledged.length).toBeGreaterThan(3);
    const rows = await select<{ id: string; sha256: string }>("SELECT id, sha256 FROM document_versions");
    const byId = new Map(rows.map(({ id, sha256 }) => [id, sha256]));
    for (const { versionId, sha256 } of acknowledged) expect(byId.get(versionId)).toBe(sha256);
    const before = await filesOnDisk(dataDir);
    expect(before.damaged).toEqual([]);
    expect(rows.filter(({ sha256 }) => !before.whole.has(sha256))).toEqual([]);
    await installation.sweep();
    const after = await filesOnDisk(dataDir);
    expect([...after.whole].sort()).toEqual([...new Set(rows.map(({ sha256 }) => sha256))].sort());
    expect(await readdir(join(dataDir, "incoming"))).toEqual([]);
  } finally {
    await installation.close();
  }
});

test("an aborted upload leaves no row and no file", async () => {
  const installation = await uploadInstallation();
  const server = await startServer(installation.environment);
  try {
    const { key, ownerId, dataDir, select } = installation;
    const api = apiWith(key, server.url);
    const body = { title: "Broken off", type: "NDA", ourRole: "VENDOR", ownerId };
    const { id } = (await api("POST /contracts", { body })).body.contract;
    const kept = await uploadForm(api, id, { ...pdf, bytes: simplePdf("kept") });
    expect(kept.status, kept.text).toBe(201);
    const heads = {
      "multipart/form-data; boundary=b":
        '--b\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7\n',
      "application/json": '{"document":{"contentBase64":"',
    };
    for (const [type, head] of Object.entries(heads)) {
      const sending = request(`${server.url}/api/v1/contracts/${id}/versions`, {
        method: "POST",
        headers: { "x-api-key": key, "content-type": type, "content-length": "20000000" },
      });
      sending.on("error", () => undefined);
      sending.write(head);
      sending.write(Buffer.alloc(3_000_000, 0x41));
      await expect.poll(() => readdir(join(dataDir, "incoming"))).toHaveLength(1);
      sending.destroy();
      await expect.poll(() => readdir(join(dataDir, "incoming"))).toEqual([]);
    }
    expect(await select("SELECT 1 FROM document_versions")).toHaveLength(1);
    expect((await filesOnDisk(dataDir)).whole.size).toBe(1);
    expect(server.output()).not.toContain('"level":50');
  } finally {
    await server.stop();
    await installation.close();
  }
});

const pdf = { fileName: "a.pdf", contentType: "application/pdf" };

/** A mail server that accepts connections and never responds: jobs that reach it hang. */
async function silentMailServer() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => undefined));
    connected.resolve();
  }).listen(0, "127.0.0.1");
  const connected = Promise.withResolvers<void>();
  await once(server, "listening");
  return {
    connected: connected.promise,
    url: `smtp://127.0.0.1:${(server.address() as { port: number }).port}`,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

test("a job killed with its worker runs again within a minute, and a failing job is listed and can be retried", async () => {
  const mail = await silentMailServer();
  const installation = await install({ SMTP_URL: mail.url });
  try {
    const { select } = installation;
    const first = installation.work();
    await first.ready;
    await select(
      `SELECT graphile_worker.add_job('mail.send', '${JSON.stringify(queuedMail("new@test.example"))}')`,
    );
    await mail.connected;
    await first.end("SIGKILL");
    const lockedBy = async () =>
      (
        await select<{ worker: string | null }>(
          "SELECT locked_by AS worker FROM graphile_worker.jobs WHERE task_identifier = 'mail.send'",
        )
      )[0]?.worker;
    const dead = await lockedBy();
    expect(dead).toBeTruthy();
    const second = installation.work();
    await second.ready;
    await expect
      .poll(async () => [null, dead].includes((await lockedBy()) ?? null), { timeout: 60_000 })
      .toBe(false);
    mail.close();
    const told = () => admin(installation.environment, "jobs");
    await expect.poll(async () => (await told()).failing.length, { timeout: 60_000 }).toBe(1);
    const [failing] = (await told()).failing;
    expect(failing).toMatchObject({
      task: "mail.send",
      lastError: expect.stringMatching(/mail server/),
    });
    const [before] = await select<{ at: string }>("SELECT clock_timestamp()::text AS at");
    const { retried } = await admin(installation.environment, "jobs", "--retry", failing.id);
    expect(retried).toMatchObject({ id: failing.id });
    const failedAgain = () =>
      select(`SELECT 1 FROM graphile_worker.jobs WHERE task_identifier = 'mail.send' AND last_error IS NOT NULL
        AND locked_at IS NULL AND updated_at > '${before!.at}'`);
    await expect.poll(failedAgain, { timeout: 60_000 }).toHaveLength(1);
    await second.end("SIGTERM");
    expect(await select("SELECT 1 FROM graphile_worker.jobs WHERE locked_at IS NOT NULL")).toEqual([]);
  } finally {
    await installation.close();
    mail.close();
  }
});
