"use client";
import { useCallback, useRef } from "react";
import { newKey } from "#lib/doors/client.ts";
import { isUnreachable } from "./connection.ts";

/** The same action again within this time counts as the second click of a double click. */
const doubleClickMs = 1000;

/**
 * Distinguishes a double click from a second action: the same input while the first request is running, or
 * just after it, counts as the same action and gets the same result. A request that may have arrived is
 * repeated with the same key.
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
