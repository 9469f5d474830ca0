"use client";
/** What was typed before the palette had come is written into it, and Enter that ended it is pressed there. */
import { type RefObject, useEffect, useState } from "react";
import type { Typed } from "./typed-ahead.ts";

interface Field {
  takeTyped(): Typed;
  input: RefObject<HTMLInputElement | null>;
}

/** The words that are searched for, beginning with what was typed before. */
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
    // One that is chosen among what fits the words is chosen a moment after them.
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
