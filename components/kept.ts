"use client";
/** What is entered in a form that is a page of its own: whoever follows a link finds it again in this tab. */
import { useEffect, useState } from "react";
import { recall, remember } from "./tab-memory.ts";

export interface Kept {
  /** The form has what was entered before it was left. */
  isRecalled: boolean;
  /** It was sent, or is not wanted any more. */
  forget(): void;
}

interface KeptOptions<Entered> {
  /** Whether there is anything to lose. */
  isChanged: boolean;
  isSent: boolean;
  /** Puts what was entered before into the form; false where it begins with something else. */
  onRecall(before: Entered): boolean;
}

/** Keeps what is entered, by a key of the person and the form, and asks whoever closes or reloads the page before that. */
export function useKept<Entered>(
  key: string,
  entered: Entered,
  { isChanged, isSent, onRecall }: KeptOptions<Entered>,
): Kept {
  const [isRecalled, setRecalled] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, before it is remembered anew.
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
