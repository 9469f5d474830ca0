"use client";
/**
 * A page's connection to the server: changes made while it is lost are kept, which the page says, and sent as soon as
 * the server answers again.
 */
import { useEffect, useState, useSyncExternalStore } from "react";
import { whenReachable } from "#components/ui/connection.ts";
import { ApiProblem } from "#lib/doors/client.ts";

export interface ConnectionState {
  /** The browser is offline, or the server did not answer the last request. */
  isLost: boolean;
  /** How many changes are kept until it does. */
  waiting: number;
}

const connected: ConnectionState = { isLost: false, waiting: 0 };

/** The first try comes soon: most losses are a lift or a restart. */
const firstDelayMs = 1000;
const longestDelayMs = 8000;
/** A server that answers within this time was reachable. */
const promptMs = 500;

/** Whether no one answered, or only a gateway for an unreachable server. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof ApiProblem)) return false;
  // An operation that is too busy for one thing says so without a time to come back.
  if (error.code === "unavailable") return error.retryAfterSeconds !== null;
  return error.code === "unreachable" || [502, 503, 504].includes(error.status);
}

export class Connection {
  #state = connected;
  #listeners = new Set<() => void>();
  #wake = Promise.withResolvers<void>();
  /** The end of what was kept last. */
  #last: Promise<void> = Promise.resolve();
  /** The end of what was shown last before it was saved. */
  #shown: Promise<unknown> = Promise.resolve();
  /** What was kept before this one began is given up. */
  #era = 0;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): ConnectionState => this.#state;

  /**
   * Repeats `send` until the server has answered, with success or a refusal. It must be safe to repeat: the first
   * request may have arrived although its response did not. Kept requests are sent in their order. If the result is
   * already shown (`isShown`), the next action may build on it and waits for the response.
   */
  keep<T>(send: () => Promise<T>, { isShown = false } = {}): Promise<T> {
    const ended = this.#answeredOrKept(this.#shown).then(() => this.#keep(send));
    if (isShown) this.#shown = ended.catch(() => undefined);
    return ended;
  }

  /** If an earlier request is kept, this one is kept behind it. */
  async #answeredOrKept(before: Promise<unknown>): Promise<void> {
    const kept = Promise.withResolvers<void>();
    const look = () => {
      if (this.#state.waiting > 0) kept.resolve();
    };
    const leave = this.subscribe(look);
    look();
    await Promise.race([before, kept.promise]);
    leave();
  }

  async #keep<T>(send: () => Promise<T>): Promise<T> {
    if (this.#state.waiting === 0) {
      try {
        return await this.#attempt(send);
      } catch (error) {
        if (!isUnreachable(error)) throw error;
      }
    }
    const era = this.#era;
    const before = this.#last;
    const done = Promise.withResolvers<void>();
    this.#last = done.promise;
    this.#change({ isLost: true, waiting: this.#state.waiting + 1 });
    try {
      await before;
      return await this.#persist(send, era);
    } finally {
      this.#change({ waiting: this.#state.waiting - 1 });
      done.resolve();
    }
  }

  /** Reads are not kept; they only show whether the server answers. */
  async notice<T>(answer: Promise<T>): Promise<T> {
    try {
      return await this.#attempt(() => answer);
    } catch (error) {
      if (isUnreachable(error)) this.lost();
      throw error;
    }
  }

  async #persist<T>(send: () => Promise<T>, era: number): Promise<T> {
    for (let delayMs = firstDelayMs; ; delayMs = Math.min(delayMs * 2, longestDelayMs)) {
      if (this.#state.isLost) await this.#rest(delayMs);
      if (this.#era !== era) throw givenUp();
      try {
        return await this.#attempt(send);
      } catch (error) {
        if (!isUnreachable(error)) throw error;
        this.lost();
      }
    }
  }

  async #attempt<T>(send: () => Promise<T>): Promise<T> {
    try {
      const answer = await send();
      this.found();
      return answer;
    } catch (error) {
      if (error instanceof ApiProblem && !isUnreachable(error)) this.found();
      throw error;
    }
  }

  /** Sends kept requests now. */
  readonly tryNow = (): void => {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  };

  /** Discards kept requests. */
  readonly giveUp = (): void => {
    this.#era++;
    this.tryNow();
  };

  readonly lost = (): void => this.#change({ isLost: true });

  readonly found = (): void => this.#change({ isLost: false });

  async #rest(delayMs: number): Promise<void> {
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

  /** Polls the server until it answers, and then sends kept requests at once. */
  async #watch(): Promise<void> {
    const since = performance.now();
    await whenReachable();
    this.found();
    // Where it answered all the while and one request fails again and again, that one keeps its pauses.
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

/** A page's connection, which follows the browser's network state and warns before leaving while requests are kept. */
export function useNewConnection(): Connection {
  const [connection] = useState(() => new Connection());
  useEffect(() => {
    const onOnline = () => {
      connection.found();
      connection.tryNow();
    };
    const onLeave = (event: BeforeUnloadEvent) => {
      if (connection.state().waiting > 0) event.preventDefault();
    };
    if (!navigator.onLine) connection.lost();
    window.addEventListener("online", onOnline);
    window.addEventListener("offline", connection.lost);
    window.addEventListener("beforeunload", onLeave);
    return () => {
      window.removeEventListener("online", onOnline);
      window.removeEventListener("offline", connection.lost);
      window.removeEventListener("beforeunload", onLeave);
    };
  }, [connection]);
  return connection;
}

export function useConnectionState(connection: Connection): ConnectionState {
  return useSyncExternalStore(connection.subscribe, connection.state, () => connected);
}
