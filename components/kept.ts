"use client";
/** Keeps the entries of a form that is a whole page, so that they survive leaving the page in the same tab. */
import { useEffect, useState } from "react";
import { recall, remember } from "./tab-memory.ts";

export interface Kept {
  /** The form shows what was entered before it was left. */
  isRecalled: boolean;
  /** Forgets it: it was sent, or is no longer wanted. */
  forget(): void;
}

interface KeptOptions<Entered> {
  /** Whether there are entries to lose. */
  isChanged: boolean;
  isSent: boolean;
  /** Restores earlier entries into the form; returns false if the form starts with something else. */
  onRecall(before: Entered): boolean;
}

/** Keeps entries under a key of the person and the form, and asks before the page is closed or reloaded. */
export function useKept<Entered>(
  key: string,
  entered: Entered,
  { isChanged, isSent, onRecall }: KeptOptions<Entered>,
): Kept {
  const [isRecalled, setRecalled] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, before the entries are stored again.
  useEffect(() => {
    const before = recall<Entered>(key);
    if (before !== null && onRecall(before)) setRecalled(true);
  }, []);
  const text = JSON.stringify(entered);
  useEffect(() => {
    if (!isSent) remember(key, isChanged ? JSON.parse(text) : null);
  }, [key, text, isChanged, isSent]);
  useEffect(() => {
    if (!isChanged || isSent) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [isChanged, isSent]);
  return { isRecalled: isRecalled && isChanged, forget: () => remember(key, null) };
}
