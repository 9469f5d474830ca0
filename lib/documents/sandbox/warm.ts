/**
 * Processes like those of child.ts that stay for the next file, for work that must be fast: starting a fresh one
 * takes most of its time. Each has the same limits for every file and serves only one workspace, so that a malicious
 * file cannot affect other workspaces. One that has served nobody yet waits for the next workspace.
 */
import { callerDisconnected, type Lane, nicenessOf, runInLane, type Turn } from "#lib/core/lanes.ts";
import { projectPath } from "#lib/core/root.ts";
import type { Frame } from "./frames.ts";
import { startSandboxed } from "./sandbox.ts";
import { WarmChild } from "./warm-child.ts";
import { type Limits, ParserFailed, startFailure } from "./watch.ts";

export interface PoolOptions {
  /** The number of files after which it is replaced. */
  files: number;
  /** It is ended if it uses more than this after a file. */
  memoryMb: number;
  /** How long it waits for the next file of its workspace. */
  idleMs: number;
  /** How many wait, across workspaces: one more ends the one that has waited longest. */
  waiting: number;
  /** How long an unused one waits for a file of any workspace. */
  freshMs: number;
}

/** An export of one of our modules, relative to the project's folder, and the lane in which it waits for its turn. */
interface FunctionRef {
  module: string;
  name: string;
  lane: Lane;
}

const defaultPoolOptions: PoolOptions = {
  files: 50,
  memoryMb: 400,
  idleMs: 10_000,
  waiting: 4,
  freshMs: 60_000,
};

/** A file's bytes, or how to read them when its turn comes. */
type Bytes = Uint8Array | (() => Promise<Uint8Array>);

/**
 * Larger files are read from disk by a process of child.ts: a process that is handed a file holds several copies of
 * it.
 */
export const inlineLimitBytes = 8 * 1024 * 1024;

/** Processes that run one function on bytes: see warm-main.ts. */
export class WarmChildren<Input extends object, Result extends object> {
  readonly #module: string;
  readonly #name: string;
  readonly #lane: Lane;
  readonly #limits: Limits;
  readonly #options: PoolOptions;
  #idle: WarmChild[] = [];
  #fresh: WarmChild | null = null;
  #resting: NodeJS.Timeout | undefined;

  constructor(what: FunctionRef, limits: Limits, rest: Partial<PoolOptions> = {}) {
    this.#module = what.module;
    this.#name = what.name;
    this.#lane = what.lane;
    this.#limits = limits;
    this.#options = { ...defaultPoolOptions, ...rest };
  }

  /** The waiting processes and their workspaces, null for none yet. */
  get waiting(): { pid: number | undefined; share: string | null }[] {
    return [...this.#idle, ...(this.#fresh ? [this.#fresh] : [])].map(({ pid, share }) => ({ pid, share }));
  }

  /**
   * Runs the function on one file when its turn comes. Throws ParserFailed. A process may die for reasons other than
   * the file, so a crash is retried once in an unused process before the file is reported as broken.
   */
  run(input: Input, bytes: Bytes, turn: Turn): Promise<Result & { bytes: Uint8Array }> {
    return runInLane(this.#lane, turn, async () => {
      const frame = { message: input, bytes: typeof bytes === "function" ? await bytes() : bytes };
      const child = this.#takeIdle(turn.share) ?? this.#takeFresh();
      try {
        return await this.#run(frame, turn, child);
      } catch (error) {
        const isBroken = error instanceof ParserFailed && error.reason === "crash";
        if (!isBroken || !child.hasExitedUnexpectedly) throw error;
        return this.#run(frame, turn, this.#takeFresh());
      }
    });
  }

  close(): void {
    clearTimeout(this.#resting);
    for (const child of [...this.#idle, ...(this.#fresh ? [this.#fresh] : [])]) child.end();
    this.#idle = [];
    this.#fresh = null;
  }

  async #run(
    frame: Frame,
    { share, signal }: Turn,
    child: WarmChild,
  ): Promise<Result & { bytes: Uint8Array }> {
    child.acquire(share);
    const end = () => child.end();
    signal?.addEventListener("abort", end, { once: true });
    try {
      await child.ready;
      const { message, bytes } = await child.ask(frame, this.#limits);
      return { ...(message as Result), bytes };
    } catch (error) {
      child.end();
      if (signal?.aborted) throw callerDisconnected();
      throw child.hasBegun ? error : startFailure(this.#name, String(error));
    } finally {
      signal?.removeEventListener("abort", end);
      await this.#returnToPool(child);
    }
  }

  /** A waiting process of this workspace. */
  #takeIdle(share: string): WarmChild | undefined {
    const own = this.#idle.find((child) => child.share === share && child.isRunning);
    this.#idle = this.#idle.filter((child) => child !== own);
    return own;
  }

  /** A process that no file has reached yet. */
  #takeFresh(): WarmChild {
    const fresh = this.#fresh?.isRunning ? this.#fresh : this.#start();
    this.#fresh = null;
    return fresh;
  }

  async #returnToPool(child: WarmChild): Promise<void> {
    if (!this.#fresh?.isRunning) this.#fresh = this.#tryStart();
    this.#restartFreshTimer();
    const usage = await child.usage();
    const { files, memoryMb, idleMs } = this.#options;
    // The system kills it once it has used twice this much processor time.
    const isWorn = !usage || usage.memoryMb > memoryMb || usage.cpuMs > this.#limits.timeoutMs;
    if (isWorn || child.files >= files) return child.end();
    this.#idle.push(child);
    if (this.#idle.length > this.#options.waiting) this.#idle.shift()!.end();
    child.release(idleMs, () => {
      this.#idle = this.#idle.filter((one) => one !== child);
    });
  }

  #restartFreshTimer(): void {
    clearTimeout(this.#resting);
    const { freshMs } = this.#options;
    if (freshMs === Infinity) return;
    this.#resting = setTimeout(() => {
      this.#fresh?.end();
      this.#fresh = null;
    }, freshMs).unref();
  }

  #start(): WarmChild {
    try {
      const child = startSandboxed({
        program: projectPath("lib", "documents", "sandbox", "warm-main.ts"),
        args: [projectPath(...this.#module.split("/")), this.#name],
        flags: [`--max-old-space-size=${this.#limits.memoryMb}`, "--max-semi-space-size=2"],
        cpuSeconds: 2 * Math.ceil(this.#limits.timeoutMs / 1000),
        niceness: nicenessOf(this.#lane),
        stdio: ["pipe", "pipe", "pipe"],
      });
      return new WarmChild(child, this.#name);
    } catch (error) {
      throw startFailure(this.#name, String(error));
    }
  }

  /** Starts one for the next caller; if that fails, only that caller gets an error. */
  #tryStart(): WarmChild | null {
    try {
      return this.#start();
    } catch {
      return null;
    }
  }
}

const pools = new Map<string, WarmChildren<object, object>>();

/** This server process's children for one kind of work. */
export function warmPool<Input extends object, Result extends object>(
  what: FunctionRef,
  limits: Limits,
  rest: Partial<PoolOptions> = {},
): WarmChildren<Input, Result> {
  const name = `${what.module} ${what.name}`;
  const children = pools.get(name) ?? new WarmChildren<object, object>(what, limits, rest);
  pools.set(name, children);
  return children as unknown as WarmChildren<Input, Result>;
}
