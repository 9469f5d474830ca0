"use client";
import { useEffect, useRef } from "react";

interface FocusNextOptions {
  /** The selector of the button to focus in a row; by default its first button. */
  button?: string;
  /** Returns the element to focus if the list is empty. */
  fallback?(): HTMLElement | null | undefined;
}

/**
 * After a pressed button has disappeared, moves the focus to the row that took the place of the button's row
 * or, if that row is still in the list, to the one after it.
 */
export function useFocusNext<List extends HTMLElement>(
  rows: readonly { id: string }[] | undefined,
  { button = "button", fallback }: FocusNextOptions = {},
) {
  const list = useRef<List>(null);
  const gone = useRef<{ id: string; at: number } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the rows have changed.
  useEffect(() => {
    if (!rows || !gone.current) return;
    const { id, at } = gone.current;
    const stays = rows.findIndex((row) => row.id === id);
    const isLost = document.activeElement === document.body;
    // The action is still running, and the pressed button still has the focus.
    if (stays >= 0 && !isLost) return;
    gone.current = null;
    if (!isLost) return;
    const next = list.current?.children[Math.min(stays >= 0 ? stays + 1 : at, rows.length - 1)];
    const goesOn =
      next?.querySelector<HTMLElement>(button) ?? fallback?.() ?? document.getElementById("main");
    goesOn?.focus({ preventScroll: true });
  }, [rows]);
  const onAction = (id: string) => {
    gone.current = { id, at: rows?.findIndex((row) => row.id === id) ?? 0 };
  };
  return { list, onAction };
}
