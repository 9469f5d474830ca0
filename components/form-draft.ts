"use client";
/**
 * Stores the entries of a form that is a whole page, so that they survive leaving the page in the same tab.
 */
import { useEffect, useState } from "react";
import { readStored, writeStored } from "./tab-storage.ts";

export interface FormDraft {
  /** Whether the form shows entries made before the page was left. */
  isRestored: boolean;
  /** Deletes the stored entries, which were sent or are no longer wanted. */
  forget(): void;
}

interface FormDraftOptions<Entered> {
  /** Whether there are entries that could be lost. */
  isChanged: boolean;
  isSent: boolean;
  /** Restores stored entries into the form; returns false if the form starts with something else instead. */
  onRestore(before: Entered): boolean;
}

/** Stores entries under a key of the person and the form, and warns before the page is closed or reloaded. */
export function useFormDraft<Entered>(
  key: string,
  entered: Entered,
  { isChanged, isSent, onRestore }: FormDraftOptions<Entered>,
): FormDraft {
  const [isRestored, setRestored] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, before the entries are stored again.
  useEffect(() => {
    const before = readStored<Entered>(key);
    if (before !== null && onRestore(before)) setRestored(true);
  }, []);
  const text = JSON.stringify(entered);
  useEffect(() => {
    if (!isSent) writeStored(key, isChanged ? JSON.parse(text) : null);
  }, [key, text, isChanged, isSent]);
  useEffect(() => {
    if (!isChanged || isSent) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [isChanged, isSent]);
  return { isRestored: isRestored && isChanged, forget: () => writeStored(key, null) };
}
