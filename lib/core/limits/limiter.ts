/** Counters with a limit: in this process, or in Redis where several servers count together. */
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from "rate-limiter-flexible";
import { settings } from "../env.ts";
import { openSharedStore, type SharedStore } from "./shared-store.ts";

/** How far a counter has come in its window. */
export interface Count {
  isOver: boolean;
  remaining: number;
  msBeforeReset: number;
}

export interface Counter {
  /** Counts one, also one that is over the limit. Count before the work, so that a hundred at once are a hundred. */
  count(key: string): Promise<Count>;
  /** Takes one back. */
  takeBack(key: string): Promise<void>;
}

interface Counters {
  store?: SharedStore;
  byName: Map<string, Counter>;
}

/** Next bundles this file more than once; the process still counts once. */
const shared = globalThis as { countersignCounters?: Counters };

function opened(): Counters {
  shared.countersignCounters ??= { byName: new Map() };
  return shared.countersignCounters;
}

/** The counter of this name: `points` in each window of so many seconds. */
export function limiter(name: string, points: number, windowSeconds: number): Counter {
  const { byName } = opened();
  const known = byName.get(name);
  if (known) return known;
  const made = make({ points, duration: windowSeconds, keyPrefix: `countersign:${name}` });
  byName.set(name, made);
  return made;
}

/** Connects to Redis, where one is set, so that the first request finds it connected. */
export function connectCounters(): void {
  const { REDIS_URL, REDIS_TIMEOUT_MS } = settings();
  if (REDIS_URL) opened().store ??= openSharedStore(REDIS_URL, REDIS_TIMEOUT_MS);
}

function make(options: { points: number; duration: number; keyPrefix: string }): Counter {
  const memory = new RateLimiterMemory(options);
  connectCounters();
  const { store } = opened();
  if (!store) {
    return {
      count: (key) => outcomeOf(memory.consume(key)),
      takeBack: async (key) => void (await memory.reward(key)),
    };
  }
  const redis = new RateLimiterRedis({ ...options, storeClient: store.client });
  // While Redis is away each server counts for itself: limiting a little less beats refusing or delaying everyone.
  return {
    count: (key) =>
      store.ask(
        () => outcomeOf(redis.consume(key)),
        () => outcomeOf(memory.consume(key)),
      ),
    takeBack: async (key) => {
      await store.ask<unknown>(
        () => redis.reward(key),
        () => memory.reward(key),
      );
    },
  };
}

/**
 * The library rejects with the same result that it resolves with. It is told by its shape: the class of a counter
 * that another of Next's bundles made is not the class that this bundle imports.
 */
async function outcomeOf(consumed: Promise<RateLimiterRes>): Promise<Count> {
  const [result, isOver] = await consumed.then(
    (within) => [within, false] as const,
    (reason) => {
      if (typeof reason?.msBeforeNext === "number") return [reason as RateLimiterRes, true] as const;
      throw reason;
    },
  );
  return { isOver, remaining: Math.max(0, result.remainingPoints), msBeforeReset: result.msBeforeNext };
}
