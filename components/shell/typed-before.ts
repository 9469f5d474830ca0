"use client";
/** Enters into the palette what was typed before it was loaded, and repeats an Enter that ended it. */
import { type RefObject, useEffect, useState } from "react";
import type { Typed } from "./typed-ahead.ts";

interface Field {
  takeTyped(): Typed;
  input: RefObject<HTMLInputElement | null>;
}

/** Returns the search words, initially what was typed before, and their setter. */
export function useSearch({ takeTyped, input }: Field) {
  const [search, setSearch] = useState("");
  const [entered, setEntered] = useState<string>();
  useEffect(() => {
    const { text, isEntered } = takeTyped();
    if (text) setSearch(text);
    if (isEntered) setEntered(text);
  }, [takeTyped]);
  useEffect(() => {
    if (entered === undefined || search !== entered) return;
    // The list selects an entry a moment after its entries change: wait for that.
    let frame = requestAnimationFrame(function press() {
      const field = input.current;
      if (!field || awaitsChoice(field)) frame = requestAnimationFrame(press);
      else {
        setEntered(undefined);
        field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
      }
    });
    return () => cancelAnimationFrame(frame);
  }, [entered, search, input]);
  const type = (words: string) => {
    setEntered(undefined);
    setSearch(words);
  };
  return [search, type] as const;
}

function awaitsChoice(field: HTMLElement): boolean {
  const rows = [...(field.closest("[cmdk-root]")?.querySelectorAll('[role="option"]') ?? [])];
  return rows.length > 0 && !rows.some((row) => row.ariaSelected === "true");
}
