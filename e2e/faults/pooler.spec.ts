/** PostgreSQL behind PgBouncer, which gives each transaction another one of a few connections. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { openPostgres } from "#prisma/embedded/postgres.ts";
import { workspaceIn } from "../admin.ts";
import { simplePdf } from "../corpus/pdf.ts";
import { uploadForm } from "../documents.ts";
import { apiWith, expect, test } from "../fixtures.ts";
import { pgbouncer, poolerIsUp } from "../pgbouncer.ts";
import { startReceiver } from "../receiver.ts";
import { freePort, startServer } from "../server.ts";

/** Starts a pooler with three connections for everyone. */
async function startPooler(folder: string, directUrl: string) {
  const port = await freePort();
  const { command, owner } = await pgbouncer(folder, port, directUrl, ["default_pool_size = 3"]);
  const [program, ...args] = command;
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"], ...owner });
  let output = "";
  child.stderr.on("data", (chunk) => (output += chunk));
  await expect.poll(() => output, { message: "PgBouncer starts" }).toContain(poolerIsUp);
  const url = new URL(directUrl);
  url.port = String(port);
  return {
    url: url.href,
    async stop() {
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    },
  };
}

test("behind a transaction pooler, times, concurrent requests, jobs and webhooks work, and no session lock leaks", async () => {
  test.setTimeout(240_000);
  const dataDir = await mkdtemp(join(tmpdir(), "countersign-pooler-"));
  const folder = await mkdtemp(join(tmpdir(), "countersign-pgbouncer-"));
  const postgres = await openPostgres(dataDir);
  const direct = new pg.Client({ connectionString: postgres.url });
  await direct.connect();
  await direct.query("ALTER DATABASE countersign SET timezone = 'Asia/Tokyo'");
  const pooler = await startPooler(folder, postgres.url);
  const environment = {
    ...{ DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: postgres.url, DATABASE_PREPARED: "off" },
    ...{ DATA_DIR: dataDir, SECRET_KEY: "x".repeat(40), RATE_LIMIT_PER_MINUTE: "0" },
    WEBHOOK_ALLOW_PRIVATE: "1",
  };
  const receiver = await startReceiver();
  try {
    const { key, userId: ownerId } = await workspaceIn(environment);
    const server = await startServer(environment);
    try {
      const api = apiWith(key, server.url);
      const url = receiver.url;
      const endpoint = await api("POST /webhook-endpoints", { body: { url, events: ["contract.created"] } });
      expect(endpoint.status, endpoint.text).toBe(201);
      const began = Date.now();
      const body = {
        title: "Agreement",
        type: "NDA",
        ourRole: "VENDOR",
        ownerId,
        effectiveDate: "2030-06-30",
      };
      const create = (_: unknown, at: number) =>
        api("POST /contracts", { body, headers: { "idempotency-key": `key-${at}` } });
      const first = await Promise.all(Array.from({ length: 30 }, create));
      const created = [...first, ...(await Promise.all(Array.from({ length: 30 }, create)))];
      expect(new Set(created.map(({ status }) => status))).toEqual(new Set([201]));
      expect(new Set(created.map((reply) => reply.body.contract.id)).size, "each key creates once").toBe(30);
      const { contract } = created[0]!.body;
      expect(contract.effectiveDate).toBe("2030-06-30T00:00:00.000Z");
      expect(Math.abs(Date.parse(contract.createdAt) - began)).toBeLessThan(60 * 60_000);
      expect((await api(`GET /contracts/${contract.id}`)).body.contract).toEqual(contract);
      const page = await api("GET /contracts?limit=100");
      expect(page.body.data).toHaveLength(30);
      await expect.poll(() => receiver.received.length, { timeout: 60_000 }).toBe(30);

      const document = { fileName: "a.pdf", contentType: "application/pdf", bytes: simplePdf("agreed") };
      const uploaded = await uploadForm(api, contract.id, document);
      expect(uploaded.status, uploaded.text).toBe(201);
      const prepared = "SELECT pdf_state FROM document_versions";
      await expect
        .poll(async () => (await direct.query(prepared)).rows, { timeout: 60_000 })
        .toEqual([{ pdf_state: "READY" }]);

      const holders = `SELECT DISTINCT application_name AS name FROM pg_locks JOIN pg_stat_activity USING (pid)
        WHERE locktype = 'advisory' AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
      // Locks of a transaction are released when it ends.
      await expect
        .poll(async () => (await direct.query(holders)).rows)
        .toEqual([{ name: "countersign worker" }]);
      const role = await direct.query("SELECT setconfig FROM pg_db_role_setting WHERE setrole <> 0");
      // If a client vanishes, its locks are released after a minute, and its connection after two.
      const vanished = ["tcp_keepalives_idle=60", "tcp_keepalives_interval=10", "tcp_keepalives_count=6"];
      const settings = ["TimeZone=UTC", "idle_in_transaction_session_timeout=60000", ...vanished];
      expect(role.rows).toEqual([{ setconfig: settings }]);
      expect(server.output()).not.toMatch(/"level":[45]0/);
    } finally {
      await server.stop();
    }
  } finally {
    await receiver.close();
    await pooler.stop();
    await direct.end();
    await postgres.close();
    for (const one of [dataDir, folder]) await rm(one, { recursive: true, force: true });
  }
});
