/**
 * Processes like those of child.ts that stay for the next file, for work that has to be quick: most of what a fresh one
 * takes is to begin. Each has the same limits for every file, and serves one workspace alone: what a file might do to
 * it, no other workspace's file meets. One that has served no one yet waits for the next workspace.
 */
import { hungUp, inLane, type Lane, nicenessOf, type Turn } from "#lib/core/lanes.ts";
import { inProject } from "#lib/core/root.ts";
import type { Frame } from "./frames.ts";
import { startSandboxed } from "./sandbox.ts";
import { WarmChild } from "./warm-child.ts";
import { didNotBegin, type Limits, ParserFailed } from "./watch.ts";

export interface Rest {
  /** Files until another takes its place. */
  files: number;
  /** Who holds more than this after a file is ended. */
  memoryMb: number;
  /** So long it waits for the next file of its workspace. */
  idleMs: number;
  /** As many wait, of all workspaces together: who waits longest is ended for one more. */
  waiting: number;
  /** So long one that has served no one waits for the next file of anyone. */
  freshMs: number;
}

/** A function that a module of ours exports, from the project's folder, and where it waits for its turn. */
interface What {
  module: string;
  name: string;
  lane: Lane;
}

const usualRest: Rest = { files: 50, memoryMb: 400, idleMs: 10_000, waiting: 4, freshMs: 60_000 };

/** A file's bytes, or how to read them when its turn has come. */
type Bytes = Uint8Array | (() => Promise<Uint8Array>);

/** What is larger is read where it lies, by a process of child.ts: one that is handed a file holds it several times over. */
export const handedBytes = 8 * 1024 * 1024;

/** What `work` of `module` does with bytes: see warm-main.ts. */
export class WarmChildren<Input extends object, Result extends object> {
  readonly #module: string;
  readonly #name: string;
  readonly #lane: Lane;
  readonly #limits: Limits;
  readonly #rest: Rest;
  #idle: WarmChild[] = [];
  #fresh: WarmChild | null = null;
  #resting: NodeJS.Timeout | undefined;

  constructor(what: What, limits: Limits, rest: Partial<Rest> = {}) {
    this.#module = what.module;
    this.#name = what.name;
    this.#lane = what.lane;
    this.#limits = limits;
    this.#rest = { ...usualRest, ...rest };
  }

  /** Those that wait: of which workspace, null for none yet. */
  get waiting(): { pid: number | undefined; share: string | null }[] {
    return [...this.#idle, ...(this.#fresh ? [this.#fresh] : [])].map(({ pid, share }) => ({ pid, share }));
  }

  /**
   * Runs it on one file when the turn has come. Throws ParserFailed. A process may end for what is not the file's fault:
   * only what breaks another one, too, that no file came to before, is said to be broken.
   */
  run(input: Input, bytes: Bytes, turn: Turn): Promise<Result & { bytes: Uint8Array }> {
    return inLane(this.#lane, turn, async () => {
      const frame = { message: input, bytes: typeof bytes === "function" ? await bytes() : bytes };
      const child = this.#ofShare(turn.share) ?? this.#unused();
      try {
        return await this.#run(frame, turn, child);
      } catch (error) {
        const isBroken = error instanceof ParserFailed && error.reason === "crash";
        if (!isBroken || !child.hasEndedByItself) throw error;
        return this.#run(frame, turn, this.#unused());
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
    child.begin(share);
    const end = () => child.end();
    signal?.addEventListener("abort", end, { once: true });
    try {
      await child.ready;
      const { message, bytes } = await child.ask(frame, this.#limits);
      return { ...(message as Result), bytes };
    } catch (error) {
      child.end();
      if (signal?.aborted) throw hungUp();
      throw child.hasBegun ? error : didNotBegin(this.#name, String(error));
    } finally {
      signal?.removeEventListener("abort", end);
      await this.#giveBack(child);
    }
  }

  /** The one that waits for its workspace. */
  #ofShare(share: string): WarmChild | undefined {
    const own = this.#idle.find((child) => child.share === share && child.isRunning);
    this.#idle = this.#idle.filter((child) => child !== own);
    return own;
  }

  /** One that no file has come to. */
  #unused(): WarmChild {
    const fresh = this.#fresh?.isRunning ? this.#fresh : this.#start();
    this.#fresh = null;
    return fresh;
  }

  async #giveBack(child: WarmChild): Promise<void> {
    if (!this.#fresh?.isRunning) this.#fresh = this.#startAhead();
    this.#restFresh();
    const usage = await child.usage();
    const { files, memoryMb, idleMs } = this.#rest;
    // The system ends it once it has used twice this of the processor.
    const isWorn = !usage || usage.memoryMb > memoryMb || usage.cpuMs > this.#limits.timeoutMs;
    if (isWorn || child.files >= files) return child.end();
    this.#idle.push(child);
    if (this.#idle.length > this.#rest.waiting) this.#idle.shift()!.end();
    child.rest(idleMs, () => {
      this.#idle = this.#idle.filter((one) => one !== child);
    });
  }

  #restFresh(): void {
    clearTimeout(this.#resting);
    const { freshMs } = this.#rest;
    if (freshMs === Infinity) return;
    this.#resting = setTimeout(() => {
      this.#fresh?.end();
      this.#fresh = null;
    }, freshMs).unref();
  }

  #start(): WarmChild {
    try {
      const child = startSandboxed({
        program: inProject("lib", "documents", "sandbox", "warm-main.ts"),
        args: [inProject(...this.#module.split("/")), this.#name],
        flags: [`--max-old-space-size=${this.#limits.memoryMb}`, "--max-semi-space-size=2"],
        cpuSeconds: 2 * Math.ceil(this.#limits.timeoutMs / 1000),
        niceness: nicenessOf(this.#lane),
        stdio: ["pipe", "pipe", "pipe"],
      });
      return new WarmChild(child, this.#name);
    } catch (error) {
      throw didNotBegin(this.#name, String(error));
    }
  }

  /** For whoever comes next, who fails alone where there is none. */
  #startAhead(): WarmChild | null {
    try {
      return this.#start();
    } catch {
      return null;
    }
  }
}

const byWork = new Map<string, WarmChildren<object, object>>();

/** The children of this whole process for one kind of work. */
export function warmChildren<Input extends object, Result extends object>(
  what: What,
  limits: Limits,
  rest: Partial<Rest> = {},
): WarmChildren<Input, Result> {
  const name = `${what.module} ${what.name}`;
  const children = byWork.get(name) ?? new WarmChildren<object, object>(what, limits, rest);
  byWork.set(name, children);
  return children as unknown as WarmChildren<Input, Result>;
}
