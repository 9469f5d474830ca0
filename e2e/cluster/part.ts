/** One process of the cluster, which the test may kill, suspend and restart. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";

export interface Part {
  name: string;
  /** Starts it and waits until it is ready; `way` overrides the usual start. */
  start(way?: Way): Promise<void>;
  /** Sends the signal and waits until it has exited. */
  end(signal: NodeJS.Signals): Promise<void>;
  /** Ends it permanently: it cannot be started again. */
  close(): Promise<void>;
  /** Suspends it, and resumes it. */
  suspend(): void;
  resume(): void;
  /** The pid of its main process, once started. */
  pid(): number | undefined;
  /** The end of its output. */
  said(): string;
}

/** What is different about a start. */
export interface Way {
  env?: Record<string, string>;
  cwd?: string;
  /** Arguments that come before all others. */
  first?: string[];
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

/** Two servers may load a web build at the same time, on a busy machine. */
const patienceMs = 180_000;

export function part(name: string, { command, isReady, env, ...options }: Program): Part {
  let child: ChildProcess | undefined;
  let said = "";
  let isClosed = false;
  const isRunning = () => child?.exitCode === null && child.signalCode === null;
  const end = async (signal: NodeJS.Signals) => {
    if (!child || !isRunning()) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  };
  return {
    name,
    async start({ first = [], env: more, ...way } = {}) {
      if (isClosed) throw new Error(`${name} is closed.`);
      const [file, ...args] = command;
      const started = spawn(file, [...first, ...args], {
        ...options,
        ...way,
        env: { ...process.env, ...env, ...more },
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
      const deadline = Date.now() + patienceMs;
      while (!(await isReady(since))) {
        if (!isRunning()) throw new Error(`${name} ended before it was ready:\n${since}`);
        if (Date.now() > deadline) throw new Error(`${name} does not become ready:\n${since.slice(-2000)}`);
        await pause(50);
      }
    },
    end,
    close() {
      isClosed = true;
      return end("SIGKILL");
    },
    suspend: () => void child?.kill("SIGSTOP"),
    resume: () => void child?.kill("SIGCONT"),
    pid: () => child?.pid,
    said: () => said,
  };
}

/** Whether the URL responds with success. */
export const answers = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(5000) }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.ok;
    },
    () => false,
  );
