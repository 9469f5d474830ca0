"use client";
/** Where in a draft a problem can be fixed: a step, and a part of it. */
import { useEffect, useRef } from "react";
import type { Step } from "./steps.tsx";

export interface Place {
  step: Step;
  /** Undefined for the step as a whole. */
  part?: Part;
  /** The index of the signer, field or page, from 0. */
  index?: number;
}

type Part = "signer" | "deadline" | "field" | "page";

/** Focuses the part that the user was sent to, once, as soon as it is rendered. */
export function useFocusTarget(
  place: Place | null,
  isReady: boolean,
  focusHandlers: Partial<Record<Part, (index: number) => void>>,
): void {
  const latest = useRef(focusHandlers);
  latest.current = focusHandlers;
  const hasArrived = useRef(false);
  useEffect(() => {
    if (!place?.part || !isReady || hasArrived.current) return;
    hasArrived.current = true;
    latest.current[place.part]?.(place.index ?? 0);
  }, [place, isReady]);
}
