/** The database that is measured on: an embedded one of the bench's own, or the one that DATABASE_URL names. */
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
  /** The first process of PostgreSQL, where it runs on this machine. */
  pid: number | null;
  /** Where what was seeded is noted; null where nothing is kept. */
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
  // Root's PostgreSQL runs as another user, who must get in.
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
