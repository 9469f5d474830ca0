/**
 * Processes like those of child.ts that stay for the next file, for work that has to be quick: most of what a fresh one
 * takes is to begin. Each has the same limits for every file, and serves one workspace alone: what a file might do to
 * it, no other workspace's file meets. One that has served no one yet waits for the next workspace.
 */
import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import { hungUp, inLane, type Lane, nicenessOf, type Turn } from "#lib/core/lanes.ts";
import { inProject } from "#lib/core/root.ts";
import { usageOf } from "./child-usage.ts";
import { type Frame, FrameReader, FrameTooLarge, writeFrame } from "./frames.ts";
import { startSandboxed } from "./sandbox.ts";
import { type Limits, ParserFailed, reasonOf, watch } from "./watch.ts";

export interface Rest {
  /** Files until another takes its place. */
  files: number;
  /** Who holds more than this after a file is ended. */
  memoryMb: number;
  /** So long it waits for the next file of its workspace. */
  idleMs: number;
}

const usualRest: Rest = { files: 50, memoryMb: 400, idleMs: 10_000 };

/** For its program, before the first file. */
const startLimits: Limits = { timeoutMs: 30_000, memoryMb: 512 };

/** What `work` of `module` does with bytes: see warm-main.ts. */
export class WarmChildren<Input extends object, Result extends object> {
  readonly #module: string;
  readonly #name: string;
  readonly #lane: Lane;
  readonly #limits: Limits;
  readonly #rest: Rest;
  #idle: WarmChild[] = [];
  #fresh: WarmChild | null = null;

  constructor(what: { module: string; name: string; lane: Lane }, limits: Limits, rest: Partial<Rest> = {}) {
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

  /** Runs it on one file when the turn has come. Throws ParserFailed. */
  run(input: Input, bytes: Uint8Array, turn: Turn): Promise<Result & { bytes: Uint8Array }> {
    return inLane(this.#lane, turn, () => this.#run({ message: input, bytes }, turn));
  }

  close(): void {
    for (const child of [...this.#idle, ...(this.#fresh ? [this.#fresh] : [])]) child.end();
    this.#idle = [];
    this.#fresh = null;
  }

  async #run(frame: Frame, { share, signal }: Turn): Promise<Result & { bytes: Uint8Array }> {
    const child = this.#take(share);
    const end = () => child.end();
    signal?.addEventListener("abort", end, { once: true });
    try {
      await child.ready;
      const { message, bytes } = await child.ask(frame, this.#limits);
      return { ...(message as Result), bytes };
    } catch (error) {
      child.end();
      throw signal?.aborted ? hungUp() : error;
    } finally {
      signal?.removeEventListener("abort", end);
      await this.#giveBack(child);
    }
  }

  #take(share: string): WarmChild {
    const own = this.#idle.find((child) => child.share === share && child.isRunning);
    const child = own ?? (this.#fresh?.isRunning ? this.#fresh : this.#start());
    if (child === this.#fresh) this.#fresh = null;
    this.#idle = this.#idle.filter((one) => one !== child);
    child.begin(share);
    return child;
  }

  async #giveBack(child: WarmChild): Promise<void> {
    if (!this.#fresh?.isRunning) this.#fresh = this.#start();
    const usage = await child.usage();
    const { files, memoryMb, idleMs } = this.#rest;
    // The system ends it once it has used twice this of the processor.
    const isWorn = !usage || usage.memoryMb > memoryMb || usage.cpuMs > this.#limits.timeoutMs;
    if (isWorn || child.files >= files) return child.end();
    this.#idle.push(child);
    child.rest(idleMs, () => {
      this.#idle = this.#idle.filter((one) => one !== child);
    });
  }

  #start(): WarmChild {
    return new WarmChild(
      startSandboxed({
        program: inProject("lib", "documents", "sandbox", "warm-main.ts"),
        args: [inProject(...this.#module.split("/")), this.#name],
        flags: [`--max-old-space-size=${this.#limits.memoryMb}`, "--max-semi-space-size=2"],
        cpuSeconds: 2 * Math.ceil(this.#limits.timeoutMs / 1000),
        niceness: nicenessOf(this.#lane),
        stdio: ["pipe", "pipe", "pipe"],
      }),
      this.#name,
    );
  }
}

const megabyte = 1024 * 1024;
const usualAnswerMb = 16;
const keptComplaint = 4_000;

class WarmChild {
  /** Whose files it serves; null before the first. */
  share: string | null = null;
  files = 0;
  /** Rejects where it does not begin. */
  readonly ready: Promise<unknown>;
  readonly #child: ChildProcess;
  readonly #name: string;
  readonly #frames: FrameReader;
  readonly #exited: Promise<void>;
  #complained = "";
  #resting: NodeJS.Timeout | undefined;

  constructor(child: ChildProcess, name: string) {
    this.#child = child;
    this.#name = name;
    this.#frames = new FrameReader(child.stdout!);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#exited = promise;
    child.once("close", () => resolve()).once("error", () => resolve());
    child.stdin!.on("error", () => undefined);
    child.stderr!.setEncoding("utf8").on("data", (text: string) => {
      this.#complained = (this.#complained + text).slice(-keptComplaint);
    });
    this.ready = this.#answer(startLimits, 0);
    this.ready.catch(() => undefined);
    this.#hold(false);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null && !this.#child.killed;
  }

  usage() {
    return this.pid && this.isRunning ? usageOf(this.pid) : Promise.resolve(null);
  }

  begin(share: string): void {
    clearTimeout(this.#resting);
    this.#hold(true);
    this.share = share;
    this.files++;
  }

  async ask(frame: Frame, limits: Limits): Promise<Frame> {
    const spentMs = (await this.usage())?.cpuMs ?? 0;
    writeFrame(this.#child.stdin!, frame);
    return this.#answer(limits, spentMs);
  }

  /** Waits for the next file without keeping this process from its end. */
  rest(idleMs: number, whenOver: () => void): void {
    this.#hold(false);
    this.#resting = setTimeout(() => {
      this.end();
      whenOver();
    }, idleMs).unref();
  }

  end(): void {
    clearTimeout(this.#resting);
    this.#child.kill("SIGKILL");
    // What it still says no one reads, and unread it would keep the process from being seen as ended.
    this.#child.stdout!.destroy();
  }

  async #answer(limits: Limits, spentMs: number): Promise<Frame> {
    let exceeded: ParserFailed["reason"] | null = null;
    const exceed = (limit: ParserFailed["reason"]) => {
      exceeded ??= limit;
      this.end();
    };
    const stopWatching = watch(this.#child, limits, exceed, spentMs);
    try {
      const frame = await this.#frames.next((limits.answerMb ?? usualAnswerMb) * megabyte);
      if (frame) return frame;
    } catch (error) {
      exceed(error instanceof FrameTooLarge ? "memory" : "crash");
    } finally {
      stopWatching();
    }
    await this.#exited;
    throw new ParserFailed(
      exceeded ?? reasonOf(this.#child, this.#complained),
      this.#name,
      exceeded ? "" : this.#complained.slice(-500),
    );
  }

  #hold(isHeld: boolean): void {
    const { stdin, stdout, stderr } = this.#child;
    const which = isHeld ? "ref" : "unref";
    this.#child[which]();
    for (const stream of [stdin, stdout, stderr]) (stream as Socket | null)?.[which]();
  }
}
