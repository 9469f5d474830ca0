"use client";
/** The current time on an open page: that of the server's rendering, plus the time elapsed since. */
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from "react";

interface Clock {
  /** The time with which the server rendered the page; hydration must use the same. */
  renderedAt: string;
  now(): string;
  tick(): void;
  subscribe(listener: () => void): () => void;
}

/**
 * Creates a clock that starts at `renderedAt`. The browser's clock, which may be wrong, only measures the time
 * elapsed.
 */
function clockFrom(renderedAt: string): Clock {
  const since = Date.now();
  let now = renderedAt;
  const listeners = new Set<() => void>();
  return {
    renderedAt,
    now: () => now,
    tick: () => {
      now = new Date(Date.parse(renderedAt) + Math.max(0, Date.now() - since)).toISOString();
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

const ClockContext = createContext<Clock | null>(null);

const tickMs = 60_000;

/**
 * Provides the time to the pages in a layout. `now` is when the server rendered the layout, which stays
 * mounted during navigation.
 */
export function NowProvider({ now, children }: { now: string; children: ReactNode }) {
  const [stored, setStored] = useState(() => clockFrom(now));
  const clock = stored.renderedAt === now ? stored : clockFrom(now);
  if (clock !== stored) setStored(clock);
  useEffect(() => {
    const tick = () => document.visibilityState === "visible" && clock.tick();
    const timer = setInterval(tick, tickMs);
    document.addEventListener("visibilitychange", tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", tick);
    };
  }, [clock]);
  return <ClockContext value={clock}>{children}</ClockContext>;
}

/**
 * Returns what `read` computes from the current time. The component renders again only when that changes, not
 * every minute.
 */
export function useNow<Value extends string | number | boolean>(read: (now: string) => Value): Value {
  const clock = useContext(ClockContext);
  if (!clock) throw new Error("This part of a page is for members: put it under app/(member).");
  return useSyncExternalStore(
    clock.subscribe,
    () => read(clock.now()),
    () => read(clock.renderedAt),
  );
}
