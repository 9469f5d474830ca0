/**
 * `npm run bench -- install`: a fresh clone, `npm ci` with a warm cache and `npm start`, up to a signed-in Home page;
 * also the disk space used afterwards. Fails if a limit is broken.
 */
import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { openBrowser } from "#e2e/members.ts";
import { freePort } from "#e2e/server.ts";
import { type Flags, say } from "./flags.ts";
import { closeOnInterrupt } from "./interrupt.ts";
import { judged, type Limited } from "./limits.ts";
import { cpuMs } from "./processes.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..");

export async function installBench({ json }: Flags): Promise<void> {
  await using closing = new AsyncDisposableStack();
  closeOnInterrupt(closing);
  const folder = await mkdtemp(join(tmpdir(), "countersign-bench-install-"));
  closing.defer(() => rm(folder, { recursive: true, force: true }));
  await run("git", ["clone", "--quiet", "--depth", "1", `file://${root}`, folder]);
  say("npm ci");
  const installMs = await timed(() => run("npm", ["ci"], { cwd: folder, env: outside() }));
  say("npm start");
  const { startMs, startCpuMs } = await firstStart(folder, closing);
  const { stdout } = await run("du", ["--summarize", "--block-size=1000000", folder]);
  const sizeMb = Number.parseInt(stdout, 10);
  const seconds = { unit: "s", digits: 1 };
  const figures: Limited[] = [
    { what: "npm ci, with a warm cache", value: installMs / 1000, ...seconds },
    { what: "npm start, until one is signed in to Home", value: startMs / 1000, ...seconds },
    { what: "npm start, processor time", value: (startCpuMs ?? 0) / 1000, ...seconds },
    { what: "both", value: (installMs + startMs) / 1000, atMost: 60, ...seconds },
    { what: "on the disk", value: sizeMb, atMost: 1500, unit: "MB" },
  ];
  process.stdout.write(judged(figures, { json }));
}

/** Returns an environment without this checkout's programs and settings. */
function outside(more: Record<string, string> = {}): NodeJS.ProcessEnv {
  const path = process.env.PATH?.split(":").filter((one) => !one.includes("node_modules"));
  const given = ["HOME", "LANG", "TMPDIR"].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(given), PATH: path?.join(":"), ...more } as NodeJS.ProcessEnv;
}

async function firstStart(folder: string, closing: AsyncDisposableStack) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn("npm", ["start"], {
    cwd: folder,
    env: outside({ PORT: String(port), BASE_URL: url }),
    stdio: ["ignore", "ignore", "pipe"],
  });
  let told = "";
  child.stderr.on("data", (chunk) => (told += chunk));
  const ended = new Promise((resolve) => child.once("close", resolve));
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  closing.defer(stop);
  const startMs = await timed(async () => {
    while (!/API key/.test(told)) {
      if (child.exitCode !== null) throw new Error(`npm start ended:\n${told}`);
      await sleep(50);
    }
    const said = (name: string) => new RegExp(`${name} +(\\S+)`).exec(told)?.[1] ?? "";
    const browser = openBrowser(url);
    const { error } = await browser.signIn(said("sign in"), said("password"));
    if (error) throw new Error(`The demo's owner could not sign in: ${error}`);
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const home = await fetch(`${url}/home`, { headers: { cookie } });
    if (home.status !== 200 || !home.url.endsWith("/home")) throw new Error(`Home answered ${home.status}.`);
    await home.text();
  });
  const startCpuMs = cpuMs(child.pid ?? null);
  await stop();
  return { startMs, startCpuMs };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}
