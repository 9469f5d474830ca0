"use client";
/**
 * Components that are loaded after the page, so that it need not wait for dialogs that no one has opened yet. They are
 * preloaded as soon as the page is idle. One that is needed but cannot be loaded says so in its place, and appears once
 * the server answers; if the server no longer has it, because it was updated, the page is reloaded.
 */
import { type ComponentType, type ReactNode, useDeferredValue, useEffect, useSyncExternalStore } from "react";
import { whenReachable } from "./connection.ts";
import { PartMissing } from "./part-missing.tsx";
import { reloadIfKept } from "./unsaved.ts";
import { whenIdle } from "./when-idle.ts";

/** `cut-off`: it comes with the connection. `outdated`: the server answers, and does not have it. */
export type Trouble = "cut-off" | "outdated";

const pauseMs = 1000;
/** Who answers within this time could be reached all along. */
const promptMs = 500;
/** So often the server may answer and the part not come, until it counts as gone. */
const mostTries = 3;

/** Repeats `load` until it works, reporting trouble; rejects if the server no longer has the file. */
export async function persistently<T>(load: () => Promise<T>, tell?: (trouble: Trouble) => void): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await load();
    } catch (error) {
      const slow = setTimeout(() => tell?.("cut-off"), promptMs);
      await whenReachable();
      clearTimeout(slow);
      if (tries === mostTries) {
        tell?.("outdated");
        void reloadIfKept();
        throw error;
      }
      if (tries > 1) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

interface Known<Props> {
  component?: ComponentType<Props>;
  trouble?: Trouble;
}

export interface LazyOptions {
  /** What stands in its place until it is there. */
  loading?: () => ReactNode;
  /** Not loaded ahead: hardly anyone ever needs it. */
  isRare?: boolean;
  /** What the page is opened for: asked for as soon as the page's own script runs, before anything is drawn. */
  isMain?: boolean;
}

export type Lazy<Props> = ComponentType<Props> & {
  /** Loads it before it is shown. Never throws. */
  ahead(): Promise<void>;
  /** Whether it is loaded: shown, it is there at once. */
  useIsLoaded(): boolean;
};

/**
 * A component that is loaded when it is first shown, or before. With `loading` it is part of the page, otherwise on top
 * of it.
 */
export function lazily<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { loading, isRare = false, isMain = false }: LazyOptions = {},
): Lazy<Props> {
  const unknown: Known<Props> = {};
  let known = unknown;
  let isNeeded = false;
  const listeners = new Set<() => void>();
  const learn = (next: Known<Props>) => {
    if (known.component) return;
    known = next;
    for (const listener of listeners) listener();
  };
  const ahead = () =>
    load().then(
      (component) => learn({ component }),
      () => undefined,
    );
  const need = () => {
    if (isNeeded) return;
    isNeeded = true;
    persistently(load, (trouble) => learn({ trouble })).then(
      (component) => learn({ component }),
      () => {
        isNeeded = false;
      },
    );
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  };
  function Part(props: Props) {
    const learned = useSyncExternalStore(
      subscribe,
      () => known,
      () => unknown,
    );
    const later = useDeferredValue(learned);
    // What comes into a page that is already used is drawn bit by bit: it may be large, and someone may be typing. What
    // opens over it was asked for just now.
    const { component: Loaded, trouble } = loading ? later : learned;
    // A part of the page is asked for while the page is drawn, not only once all the rest of it works.
    if (loading && typeof window !== "undefined") need();
    useEffect(need, []);
    if (Loaded) return <Loaded {...props} />;
    if (trouble) return <PartMissing trouble={trouble} isOver={loading === undefined} />;
    return loading?.() ?? null;
  }
  if (isMain && typeof window !== "undefined") need();
  else if (!isRare) queue(ahead);
  const useIsLoaded = () =>
    useSyncExternalStore(
      subscribe,
      () => known.component !== undefined,
      () => false,
    );
  return Object.assign(Part, { ahead, useIsLoaded });
}

/** In the browser's own timeline: that all parts are there which are loaded ahead. */
const loaded = "parts loaded";

const waiting: (() => Promise<void>)[] = [];
let isWorking = false;

/** Preloads one component after the other while the page is idle, unless the reader saves data. */
function queue(ahead: () => Promise<void>): void {
  if (typeof window === "undefined") return;
  if ((navigator as { connection?: { saveData?: boolean } }).connection?.saveData) return;
  waiting.push(ahead);
  if (isWorking) return;
  isWorking = true;
  performance.clearMarks(loaded);
  if (document.readyState === "complete") whenIdle(next);
  else window.addEventListener("load", () => whenIdle(next), { once: true });
}

function next(): void {
  const ahead = waiting.shift();
  if (!ahead) {
    isWorking = false;
    performance.mark(loaded);
    return;
  }
  void ahead().then(() => whenIdle(next));
}
