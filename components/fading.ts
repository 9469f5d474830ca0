"use client";
import { useEffect, useState } from "react";

/** What takes no longer has no one waiting. */
const noticedMs = 150;

/** The classes of what stays in sight until what was asked for has come: it fades where that takes a while. */
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
