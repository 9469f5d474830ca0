"use client";
/**
 * Printing a page that shows a document prints all of the document, of which only what is near is drawn otherwise.
 * Drawing takes longer than a browser waits that has begun to print: so Ctrl-P is answered here, once all is drawn.
 */
import { type RefObject, useEffect, useState, useSyncExternalStore } from "react";

const lookMs = 100;

function subscribe(listener: () => void): () => void {
  const medium = window.matchMedia("print");
  medium.addEventListener("change", listener);
  return () => medium.removeEventListener("change", listener);
}

/** Whether all pages are to be drawn. Each says in `data-drawn` that it is, or that it cannot be. */
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
