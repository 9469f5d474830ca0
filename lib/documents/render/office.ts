/**
 * DOCX to PDF by LibreOffice (lib/documents/render/office-main.ts) in a process of its own
 * (lib/documents/sandbox/sandbox.ts). It stays warm between documents, renders one at a time, and is killed if it
 * exceeds its time or memory, breaks, or is idle for a while.
 */
import type { ChildProcess } from "node:child_process";
import { nicenessOf, runInLane, type Turn } from "#lib/core/lanes.ts";
import { projectPath } from "#lib/core/root.ts";
import { usageOf } from "#lib/documents/sandbox/child-usage.ts";
import { startSandboxed } from "#lib/documents/sandbox/sandbox.ts";
import type { OfficeMessage } from "./office-main.ts";
import { RenderFailed } from "./render-failed.ts";

export interface OfficeLimits {
  /** Processor time for each attempt to start. LibreOffice takes 1.5 to 4 s. A failed start is retried. */
  startTimeoutsMs: number[];
  /** Processor time for one document. */
  convertMs: number;
  /** Of the whole process; after a few pages it uses some 1,200 MB. */
  memoryMb: number;
  /** Above this after a document, it is replaced before the next one. */
  maxIdleMemoryMb: number;
  /** How long it waits for a document, holding more than a gigabyte that nothing else can use. */
  idleMs: number;
}

const usual: OfficeLimits = {
  startTimeoutsMs: [6_000, 8_000, 12_000, 30_000],
  convertMs: 120_000,
  memoryMb: 3_000,
  maxIdleMemoryMb: 2_000,
  idleMs: 60_000,
};

/** Wall-clock time may exceed processor time by this factor, because others use the processor too. */
const clockFactor = 5;
/** After this long without using the processor, its threads are considered deadlocked. */
const standstillMs = 15_000;
/** A start may take this many times as long as the last one: after a slow one, the next is slow too. */
const startFactor = 2;
const pollIntervalMs = 200;

export class Office {
  readonly #limits: OfficeLimits;
  #child: ChildProcess | null = null;
  #idle: NodeJS.Timeout | undefined;
  #warmingUp: Promise<void> | undefined;
  /** The processor time of the last start. */
  #startMs = 0;

  constructor(limits: Partial<OfficeLimits> = {}) {
    this.#limits = { ...usual, ...limits };
  }

  /** The process that is starting or warm; undefined if there is none. */
  get pid(): number | undefined {
    return this.#child && isRunning(this.#child) ? this.#child.pid : undefined;
  }

  /** Waits for its turn, then renders within `convertMs` or the default. Throws RenderFailed. */
  render(
    docx: Uint8Array,
    turn: Turn = { share: "" },
    { convertMs = this.#limits.convertMs } = {},
  ): Promise<Uint8Array> {
    return runInLane("rendering", turn, () => this.#render(docx, convertMs, turn.signal));
  }

  /**
   * Prepares for a document to come: keeps an idle process waiting, or else starts one when there is capacity.
   * Resolves once it is warm or has failed to start; rendering reports the error if it fails again.
   */
  warmUp(): Promise<void> {
    this.#idle?.refresh();
    if (this.#warmingUp) return this.#warmingUp;
    if (this.pid !== undefined) return Promise.resolve();
    this.#warmingUp = runInLane("rendering", { share: "ahead" }, async () =>
      this.#goIdle(await this.#ensureStarted()),
    )
      .catch(() => undefined)
      .finally(() => {
        this.#warmingUp = undefined;
      });
    return this.#warmingUp;
  }

  close(): void {
    clearTimeout(this.#idle);
    this.#child?.kill("SIGKILL");
    this.#child = null;
  }

  async #render(docx: Uint8Array, convertMs: number, signal: AbortSignal | undefined): Promise<Uint8Array> {
    clearTimeout(this.#idle);
    const child = await this.#ensureStarted();
    setRef(child, true);
    // If the caller disconnects, rendering is cancelled so that nobody waits for it.
    const end = () => child.kill("SIGKILL");
    signal?.addEventListener("abort", end, { once: true });
    try {
      const { memoryMb } = this.#limits;
      const limits = { timeoutMs: convertMs, memoryMb, what: "This document", isLasting: true };
      const answer = nextMessage(child, limits);
      child.send(docx, () => undefined);
      const said = await answer;
      if ("pdf" in said && Buffer.from(said.pdf.subarray(0, 5)).toString() === "%PDF-") return said.pdf;
      throw new RenderFailed(
        `LibreOffice cannot render it: ${"error" in said ? said.error : "no PDF was produced"}.`,
      );
    } catch (error) {
      this.close();
      throw error;
    } finally {
      signal?.removeEventListener("abort", end);
      await this.#goIdle(child);
    }
  }

  async #ensureStarted(): Promise<ChildProcess> {
    if (this.#child && isRunning(this.#child)) return this.#child;
    let failure: unknown;
    for (const startMs of this.#limits.startTimeoutsMs) {
      try {
        return await this.#start(Math.max(startMs, startFactor * this.#startMs));
      } catch (error) {
        this.close();
        failure = error;
      }
    }
    throw failure;
  }

  async #start(timeoutMs: number): Promise<ChildProcess> {
    const { memoryMb } = this.#limits;
    const child = start();
    this.#child = child;
    const said = await nextMessage(child, {
      timeoutMs,
      memoryMb,
      what: "Starting LibreOffice",
      isLasting: false,
    });
    if (!("ready" in said))
      throw new RenderFailed(`LibreOffice does not start${"error" in said ? `: ${said.error}` : ""}.`);
    const usage = child.pid ? await usageOf(child.pid) : null;
    if (usage) this.#startMs = usage.cpuMs;
    return child;
  }

  /** Keeps it for the next document, without keeping this process alive. */
  async #goIdle(child: ChildProcess): Promise<void> {
    if (child !== this.#child) return;
    clearTimeout(this.#idle);
    setRef(child, false);
    const usage = child.pid ? await usageOf(child.pid) : null;
    if (!usage || usage.memoryMb > this.#limits.maxIdleMemoryMb) return this.close();
    this.#idle = setTimeout(() => this.close(), this.#limits.idleMs);
    this.#idle.unref();
  }
}

const isRunning = ({ exitCode, signalCode, connected }: ChildProcess) =>
  exitCode === null && signalCode === null && connected;

function setRef(child: ChildProcess, isHeld: boolean): void {
  const which = isHeld ? "ref" : "unref";
  child[which]();
  child.channel?.[which]();
}

/**
 * How much of a function V8 runs before it optimizes it, some fifteen times the default: a process that renders a few
 * documents gains nothing from most optimized code, which would take a quarter of a gigabyte.
 */
const tieringBudget = 200_000_000;

function start(): ChildProcess {
  const child = startSandboxed({
    program: projectPath("lib", "documents", "render", "office-main.ts"),
    flags: [`--wasm-tiering-budget=${tieringBudget}`],
    threads: true,
    cpuSeconds: "unlimited",
    niceness: nicenessOf("rendering"),
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    serialization: "advanced",
  });
  child.on("error", () => undefined);
  return child;
}

interface Watch {
  timeoutMs: number;
  memoryMb: number;
  what: string;
  /** Exceeding them is the document's fault. */
  isLasting: boolean;
}

/** The next message from the process. Rejects if it exits or exceeds a limit. */
async function nextMessage(child: ChildProcess, watch: Watch): Promise<OfficeMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<OfficeMessage>();
  const ended = () => reject(new RenderFailed(`${watch.what} made LibreOffice stop.`));
  child.once("message", resolve as (message: unknown) => void);
  child.once("exit", ended);
  child.once("error", ended);
  const clock = setTimeout(() => reject(tooSlow(watch)), clockFactor * watch.timeoutMs);
  const stopLooking = monitorUsage(child, watch, reject);
  try {
    if (!isRunning(child)) ended();
    return await promise;
  } finally {
    clearTimeout(clock);
    stopLooking();
    child.off("message", resolve);
    child.off("exit", ended);
    child.off("error", ended);
  }
}

const tooSlow = ({ what, timeoutMs, isLasting }: Watch) =>
  new RenderFailed(`${what} took longer than ${timeoutMs / 1000} s.`, { isLasting });

/** Checks resource usage periodically. */
function monitorUsage(child: ChildProcess, watch: Watch, reject: (error: RenderFailed) => void): () => void {
  const { what, timeoutMs, memoryMb, isLasting } = watch;
  let first: number | undefined;
  let last = { cpuMs: -1, at: performance.now() };
  const looking = setInterval(async () => {
    const usage = child.pid && isRunning(child) ? await usageOf(child.pid) : null;
    if (!usage) return;
    const { cpuMs } = usage;
    first ??= cpuMs;
    if (cpuMs > last.cpuMs) last = { cpuMs, at: performance.now() };
    if (usage.memoryMb > memoryMb) {
      reject(new RenderFailed(`${what} needs more than ${memoryMb} MB of memory.`, { isLasting }));
    }
    if (cpuMs - first > timeoutMs) reject(tooSlow(watch));
    if (performance.now() - last.at > standstillMs)
      reject(new RenderFailed(`${what} made LibreOffice hang.`));
  }, pollIntervalMs);
  return () => clearInterval(looking);
}

/** One per server. */
let only: Office | undefined;

export function office(): Office {
  only ??= new Office();
  return only;
}
