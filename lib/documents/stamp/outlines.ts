/**
 * Outlines of what signers type, made in a separate thread: loading fonts and laying out a text for the first time
 * takes tens of milliseconds, which nobody else should wait for, and megabytes, which are freed when the thread ends
 * after a rest.
 */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { LRUCache } from "lru-cache";
import { runInLane, serverBusy, type Turn } from "#lib/core/lanes.ts";
import { log } from "#lib/core/log.ts";
import { projectPath } from "#lib/core/root.ts";
import type { OutlineInput, OutlineResult } from "./outline.ts";

const memoryMb = 256;
/** Nothing takes a tenth of it. */
const patienceMs = 20_000;
const idleMs = 60_000;
const maxCacheBytes = 8 * 1024 * 1024;

class Outlines {
  readonly #made = new LRUCache<string, OutlineResult>({
    maxSize: maxCacheBytes,
    sizeCalculation: ({ path }, key) => path.length + key.length + 100,
  });
  #thread: Worker | null = null;
  #rest: NodeJS.Timeout | undefined;

  async of(wording: OutlineInput, turn: Turn): Promise<OutlineResult> {
    const key = JSON.stringify(wording);
    const known = this.#made.get(key);
    if (known) return known;
    const outlined = await runInLane("outlines", turn, async () => this.#made.get(key) ?? this.#ask(wording));
    this.#made.set(key, outlined);
    return outlined;
  }

  /** One at a time: the lane ensures it. */
  async #ask(wording: OutlineInput): Promise<OutlineResult> {
    clearTimeout(this.#rest);
    const thread = this.#running();
    thread.ref();
    thread.postMessage(wording);
    try {
      const [outlined] = await once(thread, "message", { signal: AbortSignal.timeout(patienceMs) });
      return outlined;
    } catch (error) {
      log().warn(
        { error: (error as Error).message },
        "the thread for signature outlines failed and is replaced",
      );
      this.#end(thread);
      throw serverBusy();
    } finally {
      // A resting thread does not keep the process alive.
      thread.unref();
      this.#rest = setTimeout(() => this.#end(thread), idleMs).unref();
    }
  }

  #running(): Worker {
    if (this.#thread) return this.#thread;
    const thread = new Worker(projectPath("lib", "documents", "stamp", "outline-thread.ts"), {
      // None of the server's settings.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    thread.on("error", () => this.#end(thread));
    this.#thread = thread;
    return thread;
  }

  #end(thread: Worker): void {
    if (this.#thread === thread) this.#thread = null;
    void thread.terminate();
  }
}

const outlines = new Outlines();

/** What a text looks like once stamped. Throws 503 if too many are waiting, or if it takes too long. */
export function getOutline(wording: OutlineInput, turn: Turn): Promise<OutlineResult> {
  return outlines.of(wording, turn);
}
