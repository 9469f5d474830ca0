"use client";
/**
 * Whether the server can be reached. Code that finds that it cannot reports it here; from then on the server is polled
 * until it answers, once for the whole page.
 */
import { useEffect, useRef, useSyncExternalStore } from "react";

const pollMs = 2000;
/** A request without a response for so long counts as failed. */
const patienceMs = 8000;

let isCutOff = false;
let asking: Promise<void> | undefined;
const listeners = new Set<() => void>();

function setCutOff(next: boolean): void {
  if (next === isCutOff) return;
  isCutOff = next;
  for (const listener of listeners) listener();
}

/** Below this, whatever was answered came from the server; above, from a gateway that did not find it. */
const badGateway = 502;

async function answers(): Promise<boolean> {
  const signal = AbortSignal.timeout(patienceMs);
  const answer = await fetch("/livez", { cache: "no-store", credentials: "omit", signal }).catch(() => null);
  return answer !== null && answer.status < badGateway;
}

/** Resolves as soon as the server answers: at once where it does now. */
export function whenReachable(): Promise<void> {
  asking ??= pollUntilAnswered().finally(() => {
    asking = undefined;
  });
  return asking;
}

async function pollUntilAnswered(): Promise<void> {
  while (!(await answers())) {
    setCutOff(true);
    await nextMoment();
  }
  setCutOff(false);
}

/** A moment later, or when the browser says that it has a network again. */
function nextMoment(): Promise<void> {
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

/** Something could not be reached. Whether that is the connection, the server is asked. */
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

/** Does something whenever a lost connection is back. */
export function useOnReturn(act: () => void): void {
  const cutOff = useIsCutOff();
  const latest = useRef({ act, wasCutOff: cutOff });
  useEffect(() => {
    const { wasCutOff } = latest.current;
    latest.current = { act, wasCutOff: cutOff };
    if (wasCutOff && !cutOff) act();
  });
}

/**
 * Until a lost connection is back, links lead nowhere: the browser would leave the page for its own, and what was
 * entered would be gone.
 */
export function useLinksHeld(): void {
  const cutOff = useIsCutOff();
  useEffect(() => {
    if (!cutOff) return;
    document.addEventListener("click", stay, { capture: true });
    return () => document.removeEventListener("click", stay, { capture: true });
  }, [cutOff]);
}

function stay(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || link?.hasAttribute("target");
  if (link && !isElsewhere && !link.getAttribute("href")?.startsWith("#")) event.preventDefault();
}
