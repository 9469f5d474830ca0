"use client";
/** What time it is while a page stands open: when the server made it, and what has gone by since. */
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from "react";

interface Clock {
  /** What the server rendered with: the browser's first rendering must say the same. */
  made: string;
  now(): string;
  tick(): void;
  subscribe(listener: () => void): () => void;
}

/** By the browser's clock it is only known how much time goes by: what it shows may be wrong. */
function clockFrom(made: string): Clock {
  const since = Date.now();
  let now = made;
  const listeners = new Set<() => void>();
  return {
    made,
    now: () => now,
    tick: () => {
      now = new Date(Date.parse(made) + Math.max(0, Date.now() - since)).toISOString();
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

/** `now`: when the page was made. A layout keeps it while one goes from page to page. */
export function NowProvider({ now, children }: { now: string; children: ReactNode }) {
  const [kept, setKept] = useState(() => clockFrom(now));
  const clock = kept.made === now ? kept : clockFrom(now);
  if (clock !== kept) setKept(clock);
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

/** What `read` makes of the time. Whoever shows it is drawn again when that changes, not at every minute. */
export function useNow<Value extends string | number | boolean>(read: (now: string) => Value): Value {
  const clock = useContext(ClockContext);
  if (!clock) throw new Error("This part of a page is for members: put it under app/(member).");
  return useSyncExternalStore(
    clock.subscribe,
    () => read(clock.now()),
    () => read(clock.made),
  );
}
