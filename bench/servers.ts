/** Starts the compared servers, each as its own process on the loopback interface. */
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
/** Connections to the database: the product's default, which the reference uses, too. */
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

/** Starts the product as `npm start` does, on the settings' PORT or a free one. The rate limit is never reached. */
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

/** Starts the product's worker as its own process. */
export function startWorker(url: string, settings: Record<string, string>) {
  return launch(scripts.worker, { ...productSettings(url), ...settings });
}

/** Starts the reference that signs and posts; it receives its work as JSON and exits when done. */
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

/** Runs a shell command that ends in `exec`, so that the process is the server itself, with this process's node. */
function launch(command: string, environment: Record<string, string>, input: "ignore" | "pipe" = "ignore") {
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
  const child = spawn("sh", ["-c", command], {
    cwd: root,
    env: { ...process.env, PATH, ...environment },
    // Logs are written as in production, but to a place where reading them costs nothing.
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

/** Exited by itself, or by a signal, such as the one that Ctrl-C sends to every process of a terminal. */
const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

/** Waits until the server is ready. The product may have to build its web app first; the reference has no /readyz. */
async function answering(child: ChildProcess, name: string, port: number): Promise<void> {
  for (const giveUpAt = Date.now() + 300_000; Date.now() < giveUpAt; await sleep(100)) {
    if (hasEnded(child)) throw new Error(`The server ${name} ended at its start.`);
    const reply = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    await reply?.arrayBuffer();
    if (reply && reply.status < 500) return;
  }
  throw new Error(`The server ${name} did not start within five minutes.`);
}
