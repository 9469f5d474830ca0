"use client";
/** The fields of a draft, with undo and redo. */
import { useCallback, useReducer, useRef } from "react";
import type { PlacedField } from "./placed.ts";

interface Past {
  before: PlacedField[][];
  now: PlacedField[];
  after: PlacedField[][];
  /** The kind of the last change: changes of the same kind in quick succession are undone together. */
  kind: string | null;
  at: number;
}

type Move =
  | { do: "change"; next: PlacedField[]; kind: string | null; at: number }
  | { do: "undo" }
  | { do: "redo" };

const groupMs = 1200;
const maxSteps = 200;

function historyReducer(past: Past, move: Move): Past {
  if (move.do === "undo") {
    const back = past.before.at(-1);
    if (!back) return past;
    const after = [past.now, ...past.after];
    return { before: past.before.slice(0, -1), now: back, after, kind: null, at: 0 };
  }
  if (move.do === "redo") {
    const [next, ...after] = past.after;
    if (!next) return past;
    return { before: [...past.before, past.now], now: next, after, kind: null, at: 0 };
  }
  const { next, kind, at } = move;
  const isSame = kind !== null && kind === past.kind && at - past.at < groupMs;
  const before = isSame ? past.before : [...past.before, past.now].slice(-maxSteps);
  return { before, now: next, after: [], kind, at };
}

export interface FieldHistory {
  fields: PlacedField[];
  /** Returns the current fields, for handlers that outlive a render. */
  latest(): PlacedField[];
  change(next: PlacedField[], kind?: string): void;
  undo: (() => void) | null;
  redo: (() => void) | null;
}

/** Calls `onChange` with each new state, including those from undo and redo. */
export function useFieldHistory(
  initial: () => PlacedField[],
  onChange: (fields: PlacedField[]) => void,
): FieldHistory {
  const [past, move] = useReducer(historyReducer, null, () => ({
    ...{ before: [], now: initial(), after: [] },
    ...{ kind: null, at: 0 },
  }));
  const state = useRef(past);
  const notify = useRef(onChange);
  notify.current = onChange;
  const go = useCallback((to: Move) => {
    const next = historyReducer(state.current, to);
    if (next === state.current) return;
    state.current = next;
    move(to);
    notify.current(next.now);
  }, []);
  const latest = useCallback(() => state.current.now, []);
  const change = useCallback(
    (next: PlacedField[], kind?: string) =>
      go({ do: "change", next, kind: kind ?? null, at: performance.now() }),
    [go],
  );
  return {
    fields: past.now,
    latest,
    change,
    undo: past.before.length > 0 ? () => go({ do: "undo" }) : null,
    redo: past.after.length > 0 ? () => go({ do: "redo" }) : null,
  };
}
