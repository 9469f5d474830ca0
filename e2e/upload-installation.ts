/** A separate database and data folder, for uploads that are killed and the sweep that cleans up after them. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { openPostgres } from "#prisma/embedded/postgres.ts";
import { migrate } from "#prisma/migrate.ts";
import { workspaceIn } from "./admin.ts";
import { node, root, strictly } from "./server.ts";

export async function uploadInstallation() {
  const dataDir = await mkdtemp(join(tmpdir(), "countersign-uploads-"));
  const postgres = await openPostgres(dataDir);
  await migrate(postgres.url);
  const environment = {
    ...{ DATABASE_URL: postgres.url, DATA_DIR: dataDir, SECRET_KEY: "x".repeat(40) },
    ...{ WORKER: "off", RATE_LIMIT_PER_MINUTE: "0" },
  };
  const { key, userId, organizationId } = await workspaceIn(environment);
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const select = async <Row extends object>(sql: string) => (await client.query<Row>(sql)).rows;
  return {
    ...{ dataDir, environment, key, ownerId: userId, organizationId, select },
    /** Runs the sweep as a worker does: with no grace period, with the given one, or with the default. */
    async sweep(payload: { graceSeconds?: number } = { graceSeconds: 0 }): Promise<void> {
      const worker = spawn(node, [...strictly, join(root, "lib", "run", "worker.ts")], {
        cwd: root,
        env: { ...process.env, LOG_LEVEL: "error", ...environment },
        stdio: "ignore",
      });
      const isWaiting = () =>
        select("SELECT 1 FROM graphile_worker.jobs WHERE task_identifier = 'files.sweep'");
      await select(`SELECT graphile_worker.add_job('files.sweep', '${JSON.stringify(payload)}')`);
      while ((await isWaiting()).length > 0) await sleep(50);
      worker.kill("SIGTERM");
      await once(worker, "exit");
    },
    async close(): Promise<void> {
      await client.end();
      await postgres.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
