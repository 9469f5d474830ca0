"use client";
/** Moves the rows of a list by dragging their handles, with mouse, pen or finger. */
import { type PointerEvent as ReactPointerEvent, useRef, useState } from "react";

export function useReorder(onMove: (from: number, to: number) => void) {
  const list = useRef<HTMLOListElement>(null);
  const [dragged, setDragged] = useState<number | null>(null);
  const move = useRef(onMove);
  move.current = onMove;

  const grab = (event: ReactPointerEvent, index: number) => {
    if (event.button !== 0) return;
    const { pointerId } = event;
    let at = index;
    setDragged(at);
    const follow = (moveEvent: PointerEvent) => {
      if (moveEvent.pointerId !== pointerId) return;
      const boxes = [...(list.current?.children ?? [])].map((row) => row.getBoundingClientRect());
      const over = boxes.findIndex(
        ({ top, bottom }) => moveEvent.clientY >= top && moveEvent.clientY <= bottom,
      );
      if (over === -1 || over === at) return;
      move.current(at, over);
      at = over;
      setDragged(over);
    };
    // Listens on the window, because the row itself moves in the document while it is dragged.
    const drop = (end: PointerEvent) => {
      if (end.pointerId !== pointerId) return;
      window.removeEventListener("pointermove", follow);
      window.removeEventListener("pointerup", drop);
      window.removeEventListener("pointercancel", drop);
      setDragged(null);
    };
    window.addEventListener("pointermove", follow);
    window.addEventListener("pointerup", drop);
    window.addEventListener("pointercancel", drop);
  };
  return { list, dragged, grab };
}
