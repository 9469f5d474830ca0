"use client";
/**
 * Reloads the page after an update of the server without losing input. Components that store their input
 * elsewhere register here, and are asked to do so before the reload.
 */
import { useEffect, useRef } from "react";

/** Stores the input; resolves to false if that failed. */
type Keep = () => Promise<boolean>;

const keepers = new Set<Keep>();

/** Registers `keep` to store the page's input before a reload, as long as the component is mounted. */
export function useKeeper(keep: Keep): void {
  const latest = useRef(keep);
  useEffect(() => {
    latest.current = keep;
  });
  useEffect(() => {
    const keeper = () => latest.current();
    keepers.add(keeper);
    return () => {
      keepers.delete(keeper);
    };
  }, []);
}

let isTouched = false;

/** Records input other than typing that exists only on this page. */
export function recordEntry(): void {
  isTouched = true;
}

if (typeof document !== "undefined") document.addEventListener("input", recordEntry);

async function isAllKept(): Promise<boolean> {
  if (keepers.size === 0) return !isTouched;
  const kept = await Promise.all([...keepers].map((keep) => keep().catch(() => false)));
  return kept.every(Boolean);
}

const mark = "reloaded-at";
/** The time after a reload during which another one would not help either. */
const againMs = 60_000;

/** Reloads the page, unless that was tried within the last minute. */
export function reloadOnce(): void {
  const last = Number(sessionStorage.getItem(mark) ?? 0);
  if (Date.now() - last < againMs) return;
  sessionStorage.setItem(mark, String(Date.now()));
  window.location.reload();
}

/** Reloads the page as `reloadOnce` does, if no input would be lost. */
export async function reloadIfKept(): Promise<void> {
  if (await isAllKept()) reloadOnce();
}
