/** One process that works on one file after another. */
import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import { usageOf } from "./child-usage.ts";
import { type Frame, FrameReader, FrameTooLarge, writeFrame } from "./frames.ts";
import { enforceLimits, type Limits, ParserFailed, unexpectedExit } from "./watch.ts";

/** For starting its program, before the first file. */
const startLimits: Limits = { timeoutMs: 30_000, memoryMb: 512 };

const megabyte = 1024 * 1024;
const usualAnswerMb = 16;
const keptComplaint = 4_000;

export class WarmChild {
  /** The workspace whose files it serves; null before the first. */
  share: string | null = null;
  files = 0;
  /** Whether it became ready for its first file. */
  hasBegun = false;
  /** Rejects if it fails to start. */
  readonly ready: Promise<unknown>;
  readonly #child: ChildProcess;
  readonly #name: string;
  readonly #frames: FrameReader;
  readonly #exited: Promise<void>;
  #stderrTail = "";
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
      this.#stderrTail = (this.#stderrTail + text).slice(-keptComplaint);
    });
    this.ready = this.#readResponse(startLimits, 0).then(() => (this.hasBegun = true));
    this.ready.catch(() => undefined);
    this.#setRef(false);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null && !this.#child.killed;
  }

  /** Whether it exited without being ended here. */
  get hasExitedUnexpectedly(): boolean {
    return !this.isRunning && !this.#child.killed;
  }

  usage() {
    return this.pid && this.isRunning ? usageOf(this.pid) : Promise.resolve(null);
  }

  acquire(share: string): void {
    clearTimeout(this.#resting);
    this.#setRef(true);
    this.share = share;
    this.files++;
  }

  async ask(frame: Frame, limits: Limits): Promise<Frame> {
    const spentMs = (await this.usage())?.cpuMs ?? 0;
    writeFrame(this.#child.stdin!, frame);
    return this.#readResponse(limits, spentMs);
  }

  /** Waits for the next file without keeping this process alive. */
  release(idleMs: number, whenOver: () => void): void {
    this.#setRef(false);
    this.#resting = setTimeout(() => {
      this.end();
      whenOver();
    }, idleMs).unref();
  }

  end(): void {
    clearTimeout(this.#resting);
    this.#child.kill("SIGKILL");
    // Nobody reads the rest of its output, and unread output would delay its `close` event.
    this.#child.stdout!.destroy();
  }

  async #readResponse(limits: Limits, spentMs: number): Promise<Frame> {
    let exceeded: ParserFailed["reason"] | null = null;
    const exceed = (limit: ParserFailed["reason"]) => {
      exceeded ??= limit;
      this.end();
    };
    const stopWatching = enforceLimits(this.#child, limits, exceed, spentMs);
    try {
      const frame = await this.#frames.next((limits.answerMb ?? usualAnswerMb) * megabyte);
      if (frame) return frame;
    } catch (error) {
      exceed(error instanceof FrameTooLarge ? "memory" : "crash");
    } finally {
      stopWatching();
    }
    await this.#exited;
    if (exceeded) throw new ParserFailed(exceeded, this.#name);
    throw unexpectedExit(this.#child, this.#name, this.#stderrTail);
  }

  #setRef(isHeld: boolean): void {
    const { stdin, stdout, stderr } = this.#child;
    const which = isHeld ? "ref" : "unref";
    this.#child[which]();
    for (const stream of [stdin, stdout, stderr]) (stream as Socket | null)?.[which]();
  }
}
