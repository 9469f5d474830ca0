/**
 * Outlines of what signers type, made in a thread of its own: reading fonts and setting a text for the first time take
 * tens of milliseconds, for which nobody else should wait, and megabytes, which go with the thread once it rests.
 */
import { Worker } from "node:worker_threads";
import { LRUCache } from "lru-cache";
import { busy } from "#lib/core/lanes.ts";
import { log } from "#lib/core/log.ts";
import { inProject } from "#lib/core/root.ts";
import type { Outlined, Wording } from "./outline.ts";

/** Of which each takes a few milliseconds. */
const mostWaiting = 200;
const memoryMb = 256;
/** Nothing takes a hundredth of it. */
const patienceMs = 20_000;
const restMs = 60_000;
const keptBytes = 8 * 1024 * 1024;

interface Waiting {
  resolve(outlined: Outlined): void;
  reject(error: unknown): void;
}

class Outlines {
  readonly #made = new LRUCache<string, Outlined>({
    maxSize: keptBytes,
    sizeCalculation: ({ path }, key) => path.length + key.length + 100,
  });
  readonly #waiting = new Map<number, Waiting>();
  #thread: Worker | null = null;
  #last = 0;
  #rest: NodeJS.Timeout | undefined;

  async of(wording: Wording): Promise<Outlined> {
    const key = JSON.stringify(wording);
    const known = this.#made.get(key);
    if (known) return known;
    const outlined = await this.#ask(wording);
    this.#made.set(key, outlined);
    return outlined;
  }

  #ask(wording: Wording): Promise<Outlined> {
    if (this.#waiting.size >= mostWaiting) throw busy();
    const { promise, resolve, reject } = Promise.withResolvers<Outlined>();
    const id = ++this.#last;
    const thread = this.#running();
    clearTimeout(this.#rest);
    const late = setTimeout(() => this.#end(thread, new Error("An outline took too long.")), patienceMs);
    this.#waiting.set(id, { resolve, reject });
    thread.ref();
    thread.postMessage({ id, wording });
    return promise.finally(() => {
      clearTimeout(late);
      if (this.#waiting.size > 0) return;
      // A program that has done its work does not wait for a thread that rests.
      thread.unref();
      clearTimeout(this.#rest);
      this.#rest = setTimeout(() => this.#end(thread), restMs).unref();
    });
  }

  #running(): Worker {
    if (this.#thread) return this.#thread;
    const thread = new Worker(inProject("lib", "documents", "stamp", "outline-thread.ts"), {
      // None of the server's settings.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    thread.on("message", ({ id, outlined }: { id: number; outlined: Outlined }) => {
      this.#waiting.get(id)?.resolve(outlined);
      this.#waiting.delete(id);
    });
    thread.on("error", (error) => this.#end(thread, error));
    this.#thread = thread;
    return thread;
  }

  /** Ends the thread; whoever waits for it is told to ask again, which starts another. */
  #end(thread: Worker, cause?: Error): void {
    if (this.#thread !== thread) return;
    this.#thread = null;
    if (cause) log().warn({ error: cause.message }, "the outlines of signatures had to be restarted");
    for (const { reject } of this.#waiting.values()) reject(busy());
    this.#waiting.clear();
    void thread.terminate();
  }
}

// Next bundles this file more than once: one thread is enough.
const shared = globalThis as { countersignOutlines?: Outlines };

/** What a text looks like once it is stamped. */
export function outlined(wording: Wording): Promise<Outlined> {
  shared.countersignOutlines ??= new Outlines();
  return shared.countersignOutlines.of(wording);
}
