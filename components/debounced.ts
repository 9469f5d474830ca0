"use client";
import { useEffect, useState } from "react";

/** Returns the value once it has not changed for `restMs`, or immediately if that is 0. */
export function useDebounced<T>(value: T, restMs: number): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), restMs);
    return () => clearTimeout(timer);
  }, [value, restMs]);
  return restMs === 0 ? value : rested;
}
