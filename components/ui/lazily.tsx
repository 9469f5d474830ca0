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
import { reloadIfSaved } from "./unsaved.ts";
import { whenIdle } from "./when-idle.ts";

/** `cut-off`: it loads once the connection is back. `outdated`: the server responds, but no longer has it. */
export type Trouble = "cut-off" | "outdated";

const retryDelayMs = 1000;
/** If the server responds within this time, the connection was never lost. */
const promptResponseMs = 500;
/**
 * The number of failed loads, although the server responds, after which the part counts as removed by an
 * update.
 */
const maxTries = 3;

/**
 * Repeats `load` until it succeeds, reporting trouble to `onTrouble`. Rejects, after reloading the page if no
 * input would be lost, if the server no longer has the file.
 */
export async function loadWithRetry<T>(
  load: () => Promise<T>,
  onTrouble?: (trouble: Trouble) => void,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await load();
    } catch (error) {
      const slow = setTimeout(() => onTrouble?.("cut-off"), promptResponseMs);
      await whenReachable();
      clearTimeout(slow);
      if (tries === maxTries) {
        onTrouble?.("outdated");
        void reloadIfSaved();
        throw error;
      }
      if (tries > 1) await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
    }
  }
}

interface LoadState<Props> {
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
  preload(): Promise<void>;
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
  const unknown: LoadState<Props> = {};
  let state = unknown;
  let isRequested = false;
  const listeners = new Set<() => void>();
  const update = (next: LoadState<Props>) => {
    if (state.component) return;
    state = next;
    for (const listener of listeners) listener();
  };
  const preload = () =>
    load().then(
      (component) => update({ component }),
      () => undefined,
    );
  const request = () => {
    if (isRequested) return;
    isRequested = true;
    loadWithRetry(load, (trouble) => update({ trouble })).then(
      (component) => update({ component }),
      () => {
        isRequested = false;
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
      () => state,
      () => unknown,
    );
    const deferred = useDeferredValue(learned);
    // A part of a page in use is rendered with low priority, since it may be large and someone may be typing.
    // An overlay has just been requested, so it is rendered immediately.
    const { component: Loaded, trouble } = loading ? deferred : learned;
    // Request a part of the page during the render, without waiting until the rest of the page has hydrated.
    if (loading && typeof window !== "undefined") request();
    useEffect(request, []);
    if (Loaded) return <Loaded {...props} />;
    if (trouble) return <PartMissing trouble={trouble} isOverlay={loading === undefined} />;
    return loading?.() ?? null;
  }
  if (isMain && typeof window !== "undefined") request();
  else if (!isRare) enqueuePreload(preload);
  const useIsLoaded = () =>
    useSyncExternalStore(
      subscribe,
      () => state.component !== undefined,
      () => false,
    );
  return Object.assign(Part, { preload, useIsLoaded });
}

/** The mark in the browser's performance timeline when all preloaded parts are loaded. */
const loadedMark = "parts loaded";

const preloadQueue: (() => Promise<void>)[] = [];
let isPreloading = false;

/** Preloads one component after another while the page is idle, unless the browser is set to save data. */
function enqueuePreload(preload: () => Promise<void>): void {
  if (typeof window === "undefined") return;
  if ((navigator as { connection?: { saveData?: boolean } }).connection?.saveData) return;
  preloadQueue.push(preload);
  if (isPreloading) return;
  isPreloading = true;
  performance.clearMarks(loadedMark);
  if (document.readyState === "complete") whenIdle(next);
  else window.addEventListener("load", () => whenIdle(next), { once: true });
}

function next(): void {
  const preload = preloadQueue.shift();
  if (!preload) {
    isPreloading = false;
    performance.mark(loadedMark);
    return;
  }
  void preload().then(() => whenIdle(next));
}
