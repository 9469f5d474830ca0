/** Starts the product as its users do, in its own folder and on its own port. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

export const root = join(import.meta.dirname, "..");

/** The server to test: the product, or only its API for mutation tests, which needs no build. */
const program = process.env.API_ONLY
  ? join(root, "e2e", "mutants", "api-server.ts")
  : join(root, "lib", "run", "start.ts");

/** Node 24 from the dependencies, whatever runs the tests. */
export const node = join(root, "node_modules", ".bin", "node");

/** The options that `npm start` sets for Node's heap and for the C library. */
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const heap: string[] = scripts.start.match(/--\S+/g);
const [, forC = "", value = ""] = /^(\w+)=(\S+)/.exec(scripts.start)!;

/** Makes Node load strict.ts first, so that mistakes that are otherwise harmless fail. */
export const strictly = ["--import", join(root, "e2e", "strict.ts")];

export interface RunningServer {
  url: string;
  process: ChildProcess;
  /** Everything it has written so far. */
  output(): string;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts a server on PORT, or on any port, and waits until it is ready; throws with its output if it fails. */
export async function startServer(
  environment: Record<string, string>,
  /** A command that runs the program, and that finally replaces itself with it; none by default. */
  through: string[] = [],
  /** The options for what Node loads first. */
  preloaded = strictly,
): Promise<RunningServer> {
  const port = Number(environment.PORT ?? (await freePort()));
  const url = `http://127.0.0.1:${port}`;
  const [command = node, ...args] = [...through, node, ...heap, ...preloaded, program];
  const child = spawn(command, args, {
    cwd: root,
    env: {
      ...process.env,
      PORT: String(port),
      BASE_URL: url,
      SEED: "none",
      LOG_LEVEL: "warn",
      [forC]: value,
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  const exited = new Promise<number | null>((resolve) => child.once("close", resolve));
  const running: RunningServer = {
    url,
    process: child,
    output: () => output,
    stop: (signal = "SIGTERM") => {
      child.kill(signal);
      return exited;
    },
  };
  await untilReady(running, exited);
  return running;
}

async function untilReady(server: RunningServer, exited: Promise<number | null>): Promise<void> {
  let code: number | null | undefined;
  exited.then((value) => (code = value));
  const deadline = Date.now() + 180_000;
  while (Date.now() < deadline) {
    if (code !== undefined) throw new Error(`The server ended with ${code}:\n${server.output()}`);
    const ready = await fetch(`${server.url}/readyz`).catch(() => undefined);
    if (ready?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await server.stop("SIGKILL");
  throw new Error(`The server was not ready in time:\n${server.output()}`);
}

/** Below the ephemeral port range, so that no other program's connection takes one before it is used. */
const ports = { lowest: 15_000, highest: 32_767 };

/** Returns a port of this machine that no one listens on. */
export async function freePort(): Promise<number> {
  const port = randomInt(ports.lowest, ports.highest + 1);
  const probe = createServer();
  const isFree = new Promise<boolean>((resolve) => {
    probe.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
  });
  if (!(await isFree)) return freePort();
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
