"use client";
/**
 * A page's connection to the server. Changes made while it is lost are queued, as the page says, and sent as
 * soon as the server is reachable again.
 */
import { useEffect, useState, useSyncExternalStore } from "react";
import { whenReachable } from "#components/ui/connection.ts";
import { ApiProblem } from "#lib/doors/client.ts";

export interface ConnectionState {
  /** Whether the browser is offline, or the server did not respond to the last request. */
  isLost: boolean;
  /** The number of changes queued until it responds. */
  waiting: number;
}

const connected: ConnectionState = { isLost: false, waiting: 0 };

/**
 * Short, because most connections are lost only for a moment, as in an elevator or while the server restarts.
 */
const firstDelayMs = 1000;
const longestDelayMs = 8000;
/** A server that responds within this time was reachable all along. */
const promptMs = 500;

/** Returns whether there was no response, or only one from a gateway whose server is unreachable. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof ApiProblem)) return false;
  // Without a Retry-After, the server is reachable and only this operation cannot run now.
  if (error.code === "unavailable") return error.retryAfterSeconds !== null;
  return error.code === "unreachable" || [502, 503, 504].includes(error.status);
}

export class Connection {
  #state = connected;
  #listeners = new Set<() => void>();
  #wake = Promise.withResolvers<void>();
  /** Resolves when the last queued request has settled. */
  #lastQueued: Promise<void> = Promise.resolve();
  /** Resolves when the last action whose result was shown optimistically has settled. */
  #lastOptimistic: Promise<unknown> = Promise.resolve();
  /** Incremented when queued requests are discarded: those of earlier eras are no longer sent. */
  #era = 0;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): ConnectionState => this.#state;

  /**
   * Repeats `send` until the server has responded, with success or a refusal. `send` must be safe to repeat:
   * the first request may have arrived although its response did not. Queued requests are sent in order. If
   * the result is already shown (`isShown`), the next action may build on it and so waits for the response.
   */
  sendWithRetry<T>(send: () => Promise<T>, { isShown = false } = {}): Promise<T> {
    const ended = this.#settledOrQueued(this.#lastOptimistic).then(() => this.#sendOrQueue(send));
    if (isShown) this.#lastOptimistic = ended.catch(() => undefined);
    return ended;
  }

  /** Waits until `before` has settled or a request is queued, behind which this one is queued, too. */
  async #settledOrQueued(before: Promise<unknown>): Promise<void> {
    const kept = Promise.withResolvers<void>();
    const check = () => {
      if (this.#state.waiting > 0) kept.resolve();
    };
    const leave = this.subscribe(check);
    check();
    await Promise.race([before, kept.promise]);
    leave();
  }

  async #sendOrQueue<T>(send: () => Promise<T>): Promise<T> {
    if (this.#state.waiting === 0) {
      try {
        return await this.#attempt(send);
      } catch (error) {
        if (!isUnreachable(error)) throw error;
      }
    }
    const era = this.#era;
    const before = this.#lastQueued;
    const done = Promise.withResolvers<void>();
    this.#lastQueued = done.promise;
    this.#change({ isLost: true, waiting: this.#state.waiting + 1 });
    try {
      await before;
      return await this.#persist(send, era);
    } finally {
      this.#change({ waiting: this.#state.waiting - 1 });
      done.resolve();
    }
  }

  /** Awaits the response to a read. Reads are not queued; they only show whether the server is reachable. */
  async trackRead<T>(answer: Promise<T>): Promise<T> {
    try {
      return await this.#attempt(() => answer);
    } catch (error) {
      if (isUnreachable(error)) this.markLost();
      throw error;
    }
  }

  async #persist<T>(send: () => Promise<T>, era: number): Promise<T> {
    for (let delayMs = firstDelayMs; ; delayMs = Math.min(delayMs * 2, longestDelayMs)) {
      if (this.#state.isLost) await this.#waitForRetry(delayMs);
      if (this.#era !== era) throw givenUp();
      try {
        return await this.#attempt(send);
      } catch (error) {
        if (!isUnreachable(error)) throw error;
        this.markLost();
      }
    }
  }

  async #attempt<T>(send: () => Promise<T>): Promise<T> {
    try {
      const answer = await send();
      this.markReachable();
      return answer;
    } catch (error) {
      if (error instanceof ApiProblem && !isUnreachable(error)) this.markReachable();
      throw error;
    }
  }

  /** Retries the queued requests immediately. */
  readonly tryNow = (): void => {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  };

  /** Discards the queued requests. */
  readonly giveUp = (): void => {
    this.#era++;
    this.tryNow();
  };

  readonly markLost = (): void => this.#change({ isLost: true });

  readonly markReachable = (): void => this.#change({ isLost: false });

  async #waitForRetry(delayMs: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const rested = new Promise<void>((done) => {
      timer = setTimeout(done, delayMs);
    });
    try {
      await Promise.race([rested, this.#wake.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Polls the server until it is reachable, then retries the queued requests immediately. */
  async #watch(): Promise<void> {
    const since = performance.now();
    await whenReachable();
    this.markReachable();
    // If the server was reachable all along and a single request keeps failing, it keeps its backoff.
    if (performance.now() - since > promptMs) this.tryNow();
  }

  #change(change: Partial<ConnectionState>): void {
    const { isLost, waiting } = { ...this.#state, ...change };
    if (isLost === this.#state.isLost && waiting === this.#state.waiting) return;
    if (isLost && !this.#state.isLost) void this.#watch();
    this.#state = { isLost, waiting };
    for (const listener of this.#listeners) listener();
  }
}

const givenUp = () =>
  new ApiProblem(
    "unreachable",
    "The connection was lost, so this may not have been saved. Check before you try again.",
  );

/**
 * Creates a page's connection, which follows the browser's network state and warns before the page is left
 * while requests are queued.
 */
export function useNewConnection(): Connection {
  const [connection] = useState(() => new Connection());
  useEffect(() => {
    const onOnline = () => {
      connection.markReachable();
      connection.tryNow();
    };
    const onLeave = (event: BeforeUnloadEvent) => {
      if (connection.state().waiting > 0) event.preventDefault();
    };
    if (!navigator.onLine) connection.markLost();
    window.addEventListener("online", onOnline);
    window.addEventListener("offline", connection.markLost);
    window.addEventListener("beforeunload", onLeave);
    return () => {
      window.removeEventListener("online", onOnline);
      window.removeEventListener("offline", connection.markLost);
      window.removeEventListener("beforeunload", onLeave);
    };
  }, [connection]);
  return connection;
}

export function useConnectionState(connection: Connection): ConnectionState {
  return useSyncExternalStore(connection.subscribe, connection.state, () => connected);
}
