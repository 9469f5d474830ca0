"use client";
/**
 * Reloads the page after an update of the server without losing input. Components that store their input
 * elsewhere register here, and are asked to do so before the reload.
 */
import { useEffect, useRef } from "react";

/** Stores the input; resolves to false if that failed. */
type Keep = () => Promise<boolean>;

const savers = new Set<Keep>();

/** Registers `keep` to store the page's input before a reload, as long as the component is mounted. */
export function useSaveBeforeReload(keep: Keep): void {
  const latest = useRef(keep);
  useEffect(() => {
    latest.current = keep;
  });
  useEffect(() => {
    const keeper = () => latest.current();
    savers.add(keeper);
    return () => {
      savers.delete(keeper);
    };
  }, []);
}

let hasInput = false;

/** Records input other than typing that exists only on this page. */
export function recordEntry(): void {
  hasInput = true;
}

if (typeof document !== "undefined") document.addEventListener("input", recordEntry);

async function saveAll(): Promise<boolean> {
  if (savers.size === 0) return !hasInput;
  const saved = await Promise.all([...savers].map((keep) => keep().catch(() => false)));
  return saved.every(Boolean);
}

const mark = "reloaded-at";
/** The time after a reload during which another one would not help either. */
const reloadCooldownMs = 60_000;

/** Reloads the page, unless that was tried within the last minute. */
export function reloadOnce(): void {
  const last = Number(sessionStorage.getItem(mark) ?? 0);
  if (Date.now() - last < reloadCooldownMs) return;
  sessionStorage.setItem(mark, String(Date.now()));
  window.location.reload();
}

/** Reloads the page as `reloadOnce` does, if no input would be lost. */
export async function reloadIfSaved(): Promise<void> {
  if (await saveAll()) reloadOnce();
}
