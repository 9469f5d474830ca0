"use client";
/**
 * Stores the entries of a form that is a whole page, so that they survive leaving the page in the same tab.
 */
import { useEffect, useState } from "react";
import { recall, remember } from "./tab-memory.ts";

export interface Kept {
  /** Whether the form shows entries made before the page was left. */
  isRecalled: boolean;
  /** Deletes the stored entries, which were sent or are no longer wanted. */
  forget(): void;
}

interface KeptOptions<Entered> {
  /** Whether there are entries that could be lost. */
  isChanged: boolean;
  isSent: boolean;
  /** Restores stored entries into the form; returns false if the form starts with something else instead. */
  onRecall(before: Entered): boolean;
}

/** Stores entries under a key of the person and the form, and warns before the page is closed or reloaded. */
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
