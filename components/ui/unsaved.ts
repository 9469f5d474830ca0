"use client";
/**
 * Reloads the page after an update of the server, without losing entries: components that keep them elsewhere register
 * here, and are asked to keep them first.
 */
import { useEffect, useRef } from "react";

/** Keeps what has been entered; false where that did not work. */
type Keep = () => Promise<boolean>;

const keepers = new Set<Keep>();

/** While this part is shown, what is typed on the page is kept by `keep`, and survives its being loaded anew. */
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

/** Something was entered in another way than by typing, and is nowhere but on this page. */
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
/** So soon after one, another one would not help either. */
const againMs = 60_000;

/** Loads the page anew, if that was not just tried. */
export function reloadOnce(): void {
  const last = Number(sessionStorage.getItem(mark) ?? 0);
  if (Date.now() - last < againMs) return;
  sessionStorage.setItem(mark, String(Date.now()));
  window.location.reload();
}

/** The same, if nothing is lost by it. */
export async function reloadIfKept(): Promise<void> {
  if (await isAllKept()) reloadOnce();
}
