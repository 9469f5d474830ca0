/** Starts one database and one server for the whole run; every test creates its own workspace in it. */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildIfStale } from "#lib/run/web/build.ts";
import { openPostgres } from "#prisma/embedded/postgres.ts";
import { migrate } from "#prisma/migrate.ts";
import { guardCachedTables, guarded } from "./cached-reads.ts";
import { guardWorkspaces } from "./one-workspace.ts";
import { root, startServer } from "./server.ts";

export default async function setUp(): Promise<() => Promise<void>> {
  if (!process.env.API_ONLY) await buildIfStale(root, (line) => process.stdout.write(`${line}\n`));
  const dataDir = await mkdtemp(join(tmpdir(), "countersign-tests-"));
  const postgres = await openPostgres(dataDir);
  await migrate(postgres.url);
  await guardCachedTables(postgres.url);
  await guardWorkspaces(postgres.url);
  Object.assign(process.env, {
    DATABASE_URL: postgres.url,
    DATA_DIR: dataDir,
    SECRET_KEY: randomBytes(32).toString("base64"),
    LOG_LEVEL: "warn",
    // Tests start hundreds of programs: with this cache, Node compiles each module only once.
    NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "compiled"),
  });
  const server = await startServer({
    DATABASE_URL: guarded(postgres.url),
    DATA_DIR: dataDir,
    // Receivers are on this machine, and tests cannot wait for hours.
    WEBHOOK_ALLOW_PRIVATE: "1",
    WEBHOOK_RETRY_SCHEDULE: "0.3,0.6,0.6",
    WEBHOOK_TIMEOUT_SECONDS: "2",
  });
  process.env.BASE_URL = server.url;
  return async () => {
    await server.stop();
    await postgres.close();
    await rm(dataDir, { recursive: true, force: true });
    const lines = server.output().split("\n");
    // Next reports a failed page as several lines of plain text.
    const said = lines.filter((line) => !line.startsWith("{"));
    const from = said.findIndex((line) => /⨯|Error/.test(line));
    if (from >= 0) process.stderr.write(`The server said:\n${said.slice(from).join("\n")}\n`);
    // A 500 response is a bug, even if no test checked for it.
    const errors = lines.filter((line) => line.includes('"level":50'));
    if (errors.length > 0) throw new Error(`The server logged errors:\n${errors.join("\n")}`);
    const deprecated = lines.filter((line) => line.includes("DeprecationWarning"));
    if (deprecated.length > 0) {
      throw new Error(`The server tells its operator what only we can change:\n${deprecated.join("\n")}`);
    }
  };
}
