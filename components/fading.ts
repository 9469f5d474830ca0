"use client";
import { useEffect, useState } from "react";

/** A response within this time is not perceived as a wait. */
const noticedMs = 150;

/**
 * Returns the classes of a list that stays visible until its replacement arrives, and fades if it takes long.
 */
export function useFading(isPrevious: boolean): string {
  const [isNoticed, setNoticed] = useState(false);
  useEffect(() => {
    if (!isPrevious) return;
    const timer = setTimeout(() => setNoticed(true), noticedMs);
    return () => {
      clearTimeout(timer);
      setNoticed(false);
    };
  }, [isPrevious]);
  return isPrevious && isNoticed ? "transition-opacity opacity-60" : "transition-opacity";
}
