/** The servers that are compared, each a process of its own on loopback. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "#e2e/server.ts";

export interface Server {
  name: "countersign" | "bare";
  pid: number;
  port: number;
  close(): Promise<void>;
}

const root = join(import.meta.dirname, "..");
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
/** Connections to the database; the product's default, and the reference has as many. */
const pool = "10";

export const productSettings = (url: string): Record<string, string> => ({
  DATABASE_URL: url,
  DATABASE_POOL: pool,
  DATA_DIR: join(tmpdir(), "countersign-bench-files"),
  SECRET_KEY: "what the servers of a bench encrypt with",
  RATE_LIMIT_PER_MINUTE: "1000000000",
  LOG_LEVEL: "info",
  SEED: "none",
  WORKER: "off",
  NODE_ENV: "production",
});

/** The product, as `npm start` runs it, at a PORT of the settings or any; the limit is counted and never reached. */
export function startProduct(
  url: string,
  command: string | undefined,
  settings: Record<string, string> = {},
): Promise<Server> {
  return start("countersign", command === undefined ? scripts.start : `exec ${command}`, {
    ...productSettings(url),
    ...settings,
  });
}

/** The product's worker, as a process of its own. */
export function startWorker(url: string, settings: Record<string, string>) {
  return launch(scripts.worker, { ...productSettings(url), ...settings });
}

/** The reference that signs and posts; it gets its work as JSON and ends when that is done. */
export function startBareSender(work: object) {
  const sender = launch("exec node bench/bare-sender.ts", {}, "pipe");
  sender.child.stdin!.end(JSON.stringify(work));
  return sender;
}

export function startBare(url: string): Promise<Server> {
  return start("bare", "exec node bench/bare.ts", {
    DATABASE_URL: url,
    DATABASE_POOL: pool,
    NODE_ENV: "production",
  });
}

async function start(
  name: Server["name"],
  command: string,
  environment: Record<string, string>,
): Promise<Server> {
  const port = Number(environment.PORT ?? (await freePort()));
  const { child, close } = launch(command, { ...environment, PORT: String(port) });
  await answering(child, name, port);
  return { name, port, pid: child.pid!, close };
}

/** A command of the shell that ends in `exec`, so that its process is the server's; its node is the one that runs this. */
function launch(command: string, environment: Record<string, string>, input: "ignore" | "pipe" = "ignore") {
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
  const child = spawn("sh", ["-c", command], {
    cwd: root,
    env: { ...process.env, PATH, ...environment },
    // Logs are written as in production, to where reading them costs nothing.
    stdio: [input, "ignore", "inherit"],
  });
  return {
    child,
    async close() {
      if (hasEnded(child)) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}

/** By itself, or by a signal, as Ctrl-C sends it to all of a terminal. */
const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

/** Waits until the server is ready; the product may have to make its web build first, and the reference knows no /readyz. */
async function answering(child: ChildProcess, name: string, port: number): Promise<void> {
  for (const giveUpAt = Date.now() + 300_000; Date.now() < giveUpAt; await sleep(100)) {
    if (hasEnded(child)) throw new Error(`The server ${name} ended at its start.`);
    const reply = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    await reply?.arrayBuffer();
    if (reply && reply.status < 500) return;
  }
  throw new Error(`The server ${name} did not start within five minutes.`);
}
