"use client";
/**
 * Whether the server is reachable. Code whose request failed reports it here. The server is then polled until
 * it responds, once for the whole page.
 */
import { useEffect, useRef, useSyncExternalStore } from "react";

const pollMs = 2000;
/** The timeout of one poll. */
const timeoutMs = 8000;

let isCutOff = false;
let polling: Promise<void> | undefined;
const listeners = new Set<() => void>();

function setCutOff(next: boolean): void {
  if (next === isCutOff) return;
  isCutOff = next;
  for (const listener of listeners) listener();
}

/** The lowest status of a gateway that did not reach the server; lower ones come from the server itself. */
const badGateway = 502;

async function isServerReachable(): Promise<boolean> {
  const signal = AbortSignal.timeout(timeoutMs);
  const answer = await fetch("/livez", { cache: "no-store", credentials: "omit", signal }).catch(() => null);
  return answer !== null && answer.status < badGateway;
}

/** Resolves once the server responds, which it may do right away. Concurrent callers share one poll. */
export function whenReachable(): Promise<void> {
  polling ??= pollUntilAnswered().finally(() => {
    polling = undefined;
  });
  return polling;
}

async function pollUntilAnswered(): Promise<void> {
  while (!(await isServerReachable())) {
    setCutOff(true);
    await nextPoll();
  }
  setCutOff(false);
}

/** Resolves after `pollMs`, or as soon as the browser reports that it is online again. */
function nextPoll(): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer);
      window.removeEventListener("online", go);
      resolve();
    };
    const timer = setTimeout(go, pollMs);
    window.addEventListener("online", go);
  });
}

/** Reports a failed request. The server is then polled to find out whether the connection is lost. */
export function recordUnreachable(): void {
  void whenReachable();
}

function onOffline(): void {
  setCutOff(true);
  recordUnreachable();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("offline", onOffline);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("offline", onOffline);
  };
}

/** Whether the connection is known to be lost. */
export const useIsCutOff = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => isCutOff,
    () => false,
  );

/** Calls `act` whenever a lost connection is restored. */
export function useOnReconnect(act: () => void): void {
  const cutOff = useIsCutOff();
  const latest = useRef({ act, wasCutOff: cutOff });
  useEffect(() => {
    const { wasCutOff } = latest.current;
    latest.current = { act, wasCutOff: cutOff };
    if (wasCutOff && !cutOff) act();
  });
}

/**
 * Disables links while the connection is lost: following one would replace the page with the browser's error
 * page, and unsaved input would be lost. Links to anchors, and those opened in another tab, still work.
 */
export function useLinksBlockedOffline(): void {
  const cutOff = useIsCutOff();
  useEffect(() => {
    if (!cutOff) return;
    document.addEventListener("click", blockNavigation, { capture: true });
    return () => document.removeEventListener("click", blockNavigation, { capture: true });
  }, [cutOff]);
}

function blockNavigation(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || link?.hasAttribute("target");
  if (link && !isElsewhere && !link.getAttribute("href")?.startsWith("#")) event.preventDefault();
}
