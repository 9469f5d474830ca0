"use client";
import { useEffect } from "react";

/** Passes entries that were not saved yet when the step was left to `change` once, so that they are saved. */
export function useResume<Entered>(entered: Entered | undefined, change: (entered: Entered) => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the step opens.
  useEffect(() => {
    if (entered !== undefined) change(entered);
  }, []);
}
