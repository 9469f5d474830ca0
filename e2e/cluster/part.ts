/** One process of the cluster, which the test may kill, pause and start again. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";

export interface Part {
  name: string;
  /** Starts it and waits until it is ready. */
  start(): Promise<void>;
  /** Ends it, and waits until it is gone. */
  end(signal: NodeJS.Signals): Promise<void>;
  /** Stops it where it is, and lets it go on. */
  suspend(): void;
  resume(): void;
  /** The end of what it wrote. */
  said(): string;
}

interface Program {
  command: [string, ...string[]];
  env?: Record<string, string>;
  uid?: number;
  gid?: number;
  cwd?: string;
  isReady(said: string): boolean | Promise<boolean>;
}

const keptLetters = 20_000;

export function part(name: string, { command, isReady, env, ...options }: Program): Part {
  let child: ChildProcess | undefined;
  let said = "";
  const isRunning = () => child?.exitCode === null && child.signalCode === null;
  return {
    name,
    async start() {
      const [file, ...args] = command;
      const started = spawn(file, args, {
        ...options,
        env: { ...process.env, ...env },
        stdio: ["ignore", "pipe", "pipe"],
      });
      child = started;
      let since = "";
      const keep = (chunk: Buffer) => {
        since += chunk;
        said = (said + chunk).slice(-keptLetters);
      };
      started.stdout.on("data", keep);
      started.stderr.on("data", keep);
      for (let waits = 0; !(await isReady(since)); waits++) {
        if (!isRunning()) throw new Error(`${name} ended before it was ready:\n${since}`);
        if (waits > 2400) throw new Error(`${name} does not become ready:\n${since.slice(-2000)}`);
        await pause(50);
      }
    },
    async end(signal) {
      if (!child || !isRunning()) return;
      const ended = once(child, "exit");
      child.kill(signal);
      await ended;
    },
    suspend: () => void child?.kill("SIGSTOP"),
    resume: () => void child?.kill("SIGCONT"),
    said: () => said,
  };
}

/** Whether someone answers well there. */
export const answers = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(5000) }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.ok;
    },
    () => false,
  );
