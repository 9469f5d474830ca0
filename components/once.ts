"use client";
import { useCallback, useRef } from "react";
import { newKey } from "#lib/doors/client.ts";
import { isUnreachable } from "./connection.ts";

/** What comes so soon after the same is the second half of a double click. */
const doubleClickMs = 1000;

/**
 * Tells a double click from a second act: the same input while the first is on its way, or just after it, is the
 * same act and has the same answer. What may or may not have arrived is sent again with the same key.
 */
export function useOnce<Input, Output>() {
  const last = useRef<{ text: string; key: string; answer: Promise<Output>; endedAt: number | null }>(null);
  return useCallback(async (input: Input, send: (key: string) => Promise<Output>): Promise<Output> => {
    const text = JSON.stringify(input);
    const before = last.current?.text === text ? last.current : null;
    const isSame = before && (before.endedAt === null || performance.now() - before.endedAt < doubleClickMs);
    if (isSame) return before.answer;
    const key = before?.endedAt === Number.NEGATIVE_INFINITY ? before.key : newKey();
    const answer = send(key);
    const act = { text, key, answer, endedAt: null as number | null };
    last.current = act;
    answer.then(
      () => {
        act.endedAt = performance.now();
      },
      (error) => {
        if (isUnreachable(error)) act.endedAt = Number.NEGATIVE_INFINITY;
        else if (last.current === act) last.current = null;
      },
    );
    return answer;
  }, []);
}
