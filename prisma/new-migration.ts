import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DiffTarget } from "@prisma/schema-engine-wasm";
import { openPostgres } from "#prisma/embedded/postgres.ts";
import { migrate, migrationsFolder } from "./migrate.ts";
import { noFilters, withEngine } from "./schema-engine.ts";

/**
 * `npm run migration -- NAME` writes the SQL that leads from the committed schema to the current one, and tries all
 * migrations on a new database. Add triggers, functions and data changes by hand afterwards.
 */
const root = join(import.meta.dirname, "..");
const schemaPath = "prisma/schema.prisma";

async function diff(url: string, before: string, after: string): Promise<string> {
  const params = {
    from: target(before),
    to: target(after),
    script: true,
    exitCode: null,
    filters: noFilters,
  };
  const { stdout } = await withEngine(url, (engine) => engine.diff(params));
  return stdout ?? "";
}

function target(content: string): DiffTarget {
  return content ? { tag: "schemaDatamodel", files: [{ path: schemaPath, content }] } : { tag: "empty" };
}

/** Empty before the first commit that contains migrations. */
function committedSchema(): string {
  try {
    if (!git("ls-tree", "-d", "HEAD", "prisma/migrations")) return "";
    return git("show", `HEAD:${schemaPath}`);
  } catch {
    return "";
  }
}

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}

function write(name: string, sql: string): string {
  const timestamp = new Date().toISOString().replaceAll(/\D/g, "").slice(0, 14);
  const folder = join(migrationsFolder, `${timestamp}_${name}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "migration.sql"), sql);
  const lock = join(migrationsFolder, "migration_lock.toml");
  if (!existsSync(lock)) writeFileSync(lock, 'provider = "postgresql"\n');
  return join(folder, "migration.sql");
}

const name = process.argv[2]?.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_");
if (!name) throw new Error("usage: npm run migration -- NAME");
if (git("status", "--porcelain", "prisma/migrations")) {
  throw new Error(
    "prisma/migrations is not as committed: commit or undo that first, the next one starts there.",
  );
}
const scratch = mkdtempSync(join(tmpdir(), "countersign-migration-"));
// The engine requires a database even to compare two schemas.
const postgres = await openPostgres(scratch);
try {
  console.log(
    write(name, await diff(postgres.url, committedSchema(), readFileSync(join(root, schemaPath), "utf8"))),
  );
  await migrate(postgres.url);
} finally {
  await postgres.close();
  rmSync(scratch, { recursive: true });
}
