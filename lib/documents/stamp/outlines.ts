/**
 * Outlines of what signers type, made in a thread of its own: reading fonts and setting a text for the first time take
 * tens of milliseconds, for which no one else should wait, and megabytes, which go with the thread once it rests.
 */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { LRUCache } from "lru-cache";
import { busy, inLane, type Turn } from "#lib/core/lanes.ts";
import { log } from "#lib/core/log.ts";
import { inProject } from "#lib/core/root.ts";
import type { Outlined, Wording } from "./outline.ts";

const memoryMb = 256;
/** Nothing takes a tenth of it. */
const patienceMs = 20_000;
const restMs = 60_000;
const keptBytes = 8 * 1024 * 1024;

class Outlines {
  readonly #made = new LRUCache<string, Outlined>({
    maxSize: keptBytes,
    sizeCalculation: ({ path }, key) => path.length + key.length + 100,
  });
  #thread: Worker | null = null;
  #rest: NodeJS.Timeout | undefined;

  async of(wording: Wording, turn: Turn): Promise<Outlined> {
    const key = JSON.stringify(wording);
    const known = this.#made.get(key);
    if (known) return known;
    const outlined = await inLane("outlines", turn, async () => this.#made.get(key) ?? this.#ask(wording));
    this.#made.set(key, outlined);
    return outlined;
  }

  /** One at a time: the lane sees to it. */
  async #ask(wording: Wording): Promise<Outlined> {
    clearTimeout(this.#rest);
    const thread = this.#running();
    thread.ref();
    thread.postMessage(wording);
    try {
      const [outlined] = await once(thread, "message", { signal: AbortSignal.timeout(patienceMs) });
      return outlined;
    } catch (error) {
      log().warn({ error: (error as Error).message }, "the outlines of signatures had to be restarted");
      this.#end(thread);
      throw busy();
    } finally {
      // A program that has done its work does not wait for a thread that rests.
      thread.unref();
      this.#rest = setTimeout(() => this.#end(thread), restMs).unref();
    }
  }

  #running(): Worker {
    if (this.#thread) return this.#thread;
    const thread = new Worker(inProject("lib", "documents", "stamp", "outline-thread.ts"), {
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

/** What a text looks like once it is stamped. Refuses with 503 where too many wait for it, or it takes too long. */
export function outlined(wording: Wording, turn: Turn): Promise<Outlined> {
  return outlines.of(wording, turn);
}
