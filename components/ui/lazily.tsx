"use client";
/**
 * Components that are loaded after the page, so that it need not wait for dialogs that no one has opened yet.
 * They are preloaded as soon as the page is idle. If one is needed but cannot be loaded, a message is shown
 * in its place, and it appears once the server is reachable; if the server no longer has it, because it was
 * updated, the page is reloaded.
 */
import { type ComponentType, type ReactNode, useDeferredValue, useEffect, useSyncExternalStore } from "react";
import { whenReachable } from "./connection.ts";
import { PartMissing } from "./part-missing.tsx";
import { reloadIfKept } from "./unsaved.ts";
import { whenIdle } from "./when-idle.ts";

/** `cut-off`: it loads once the connection is back. `outdated`: the server responds, but no longer has it. */
export type Trouble = "cut-off" | "outdated";

const pauseMs = 1000;
/** If the server responds within this time, the connection was never lost. */
const promptMs = 500;
/**
 * The number of failed loads, although the server responds, after which the part counts as removed by an
 * update.
 */
const mostTries = 3;

/**
 * Repeats `load` until it succeeds, reporting trouble to `tell`. Rejects, after reloading the page if no
 * input would be lost, if the server no longer has the file.
 */
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
  /** Renders a placeholder while it loads. */
  loading?: () => ReactNode;
  /** Whether it is not preloaded, because hardly anyone needs it. */
  isRare?: boolean;
  /**
   * Whether it is the main content of the page: requested as soon as the page's script runs, before the first
   * render.
   */
  isMain?: boolean;
}

export type Lazy<Props> = ComponentType<Props> & {
  /** Preloads it. Never rejects. */
  ahead(): Promise<void>;
  /** Whether it is loaded, so that it would render immediately. */
  useIsLoaded(): boolean;
};

/**
 * A component that is loaded when it is first rendered, or preloaded. With `loading`, it is a part of the
 * page; without it, an overlay.
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
    // A part of a page in use is rendered with low priority, since it may be large and someone may be typing.
    // An overlay has just been requested, so it is rendered immediately.
    const { component: Loaded, trouble } = loading ? later : learned;
    // Request a part of the page during the render, without waiting until the rest of the page has hydrated.
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

/** The mark in the browser's performance timeline when all preloaded parts are loaded. */
const loaded = "parts loaded";

const waiting: (() => Promise<void>)[] = [];
let isWorking = false;

/** Preloads one component after another while the page is idle, unless the browser is set to save data. */
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
