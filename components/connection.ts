"use client";
/**
 * The connection to the server, as a page lives with it: what somebody did while it was lost is kept, said so, and
 * sent as soon as the server answers again.
 */
import { useEffect, useState, useSyncExternalStore } from "react";
import { whenReachable } from "#components/ui/connection.ts";
import { ApiProblem } from "#lib/api/client.ts";

export interface ConnectionState {
  /** The browser is offline, or the server did not answer what was sent last. */
  isLost: boolean;
  /** How many changes are kept until it does. */
  waiting: number;
}

const connected: ConnectionState = { isLost: false, waiting: 0 };

/** The first try comes soon: most losses are a lift or a restart. */
const firstDelayMs = 1000;
const longestDelayMs = 8000;

/** Nobody answered, or somebody in between who speaks for a server that is away. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof ApiProblem)) return false;
  return ["unreachable", "unavailable"].includes(error.code) || [502, 503, 504].includes(error.status);
}

export class Connection {
  #state = connected;
  #listeners = new Set<() => void>();
  #wake = Promise.withResolvers<"again" | "give up">();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): ConnectionState => this.#state;

  /**
   * Runs `send` until the server has answered it, with a success or a refusal. It must be safe to run again: the
   * first may have arrived although its answer did not.
   */
  async keep<T>(send: () => Promise<T>): Promise<T> {
    let delayMs = firstDelayMs;
    let isWaiting = false;
    try {
      while (true) {
        try {
          const answer = await send();
          this.found();
          return answer;
        } catch (error) {
          if (!isUnreachable(error)) {
            if (error instanceof ApiProblem) this.found();
            throw error;
          }
          if (!isWaiting) this.#change({ isLost: true, waiting: this.#state.waiting + 1 });
          isWaiting = true;
          if ((await this.#rest(delayMs)) === "give up") throw givenUp();
          delayMs = Math.min(delayMs * 2, longestDelayMs);
        }
      }
    } finally {
      if (isWaiting) this.#change({ waiting: this.#state.waiting - 1 });
    }
  }

  /** Sends what is kept without waiting any longer. */
  readonly tryNow = (): void => this.#end("again");

  /** Sends nothing of what is kept. */
  readonly giveUp = (): void => this.#end("give up");

  readonly lost = (): void => this.#change({ isLost: true });

  readonly found = (): void => this.#change({ isLost: false });

  #end(how: "again" | "give up"): void {
    this.#wake.resolve(how);
    this.#wake = Promise.withResolvers();
  }

  async #rest(delayMs: number): Promise<"again" | "give up"> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const rested = new Promise<"again">((done) => {
      timer = setTimeout(() => done("again"), delayMs);
    });
    try {
      return await Promise.race([rested, this.#wake.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** The server is asked until it answers: what is kept is then sent at once. */
  async #watch(): Promise<void> {
    await whenReachable();
    this.found();
    this.tryNow();
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

/** A page's connection, which hears of the browser's own and warns who leaves while something is kept. */
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
