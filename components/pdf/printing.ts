"use client";
/**
 * Prints all pages of a displayed document, of which usually only those near the viewport are drawn. A
 * browser that has begun to print does not wait for drawing, so Ctrl-P is handled here: it prints once all
 * pages are drawn.
 */
import { type RefObject, useEffect, useState, useSyncExternalStore } from "react";

const lookMs = 100;

function subscribe(listener: () => void): () => void {
  const medium = window.matchMedia("print");
  medium.addEventListener("change", listener);
  return () => medium.removeEventListener("change", listener);
}

/** Returns whether to draw all pages. Each page sets `data-drawn` once it is drawn or has failed. */
export function usePrinting(frame: RefObject<HTMLElement | null>, pageCount: number): boolean {
  const isOnPaper = useSyncExternalStore(
    subscribe,
    () => window.matchMedia("print").matches,
    () => false,
  );
  const [isAsked, setAsked] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
      if (event.key.toLowerCase() !== "p" || pageCount === 0) return;
      event.preventDefault();
      setAsked(true);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [pageCount]);
  useEffect(() => {
    if (!isAsked) return;
    const timer = setInterval(() => {
      if ((frame.current?.querySelectorAll("[data-drawn]").length ?? 0) < pageCount) return;
      clearInterval(timer);
      window.print();
      setAsked(false);
    }, lookMs);
    return () => clearInterval(timer);
  }, [isAsked, pageCount, frame]);
  return isAsked || isOnPaper;
}
