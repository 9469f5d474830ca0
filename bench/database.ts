/** The database to measure on: an embedded one for this bench, or the one that DATABASE_URL names. */
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPostgres } from "#prisma/embedded/postgres.ts";
import { findPostmaster } from "#prisma/embedded/postmaster.ts";
import { migrate } from "#prisma/migrate.ts";
import { say } from "./flags.ts";

export interface BenchDatabase {
  url: string;
  /** PostgreSQL's main process, if it runs on this machine and this bench started it; null otherwise. */
  pid: number | null;
  /** The file that records what was seeded; null if the database is not kept. */
  notes: string | null;
  close(): Promise<void>;
}

export async function openDatabase(keep: string | undefined): Promise<BenchDatabase> {
  const given = process.env.DATABASE_URL;
  if (given) {
    await migrate(given, say);
    return { url: given, pid: null, notes: null, close: async () => undefined };
  }
  const folder = keep ?? (await mkdtemp(join(tmpdir(), "countersign-bench-")));
  // As root, PostgreSQL runs under another user, who must be able to enter the folder.
  if (!keep) await chmod(folder, 0o755);
  const isNew = !existsSync(folder);
  const postgres = await openPostgres(folder, say);
  if (isNew) await chmod(folder, 0o755);
  try {
    await migrate(postgres.url, say);
  } catch (error) {
    await postgres.close();
    throw error;
  }
  const { pid } = (await findPostmaster(join(folder, "postgres")))!;
  return {
    url: postgres.url,
    pid,
    notes: keep ? join(folder, "bench.json") : null,
    async close() {
      await postgres.close();
      if (!keep) await rm(folder, { recursive: true, force: true });
    },
  };
}
