"use client";
import { useEffect } from "react";

/** Passes what was entered when the step was left, and is not saved yet, to `change` once, so that it is saved. */
export function useResume<Entered>(entered: Entered | undefined, change: (entered: Entered) => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the step opens.
  useEffect(() => {
    if (entered !== undefined) change(entered);
  }, []);
}
