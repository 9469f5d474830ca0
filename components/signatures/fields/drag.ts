"use client";
/** Follows a pointer (mouse, pen or finger) from press to release. */

export interface Drag {
  /** The distance from where it was pressed, in pixels, and its position. */
  move(dx: number, dy: number, event: PointerEvent): void;
  /** `moved`: it was more than a click. */
  end(moved: boolean, event: PointerEvent): void;
}

/** Movement within this many pixels still counts as a click. */
const shake = 4;

/** Listens on the window: the dragged element may move in the document. */
export function follow(
  { pointerId, clientX, clientY }: { pointerId: number; clientX: number; clientY: number },
  drag: Drag,
): void {
  let moved = false;
  const onMove = (event: PointerEvent) => {
    if (event.pointerId !== pointerId) return;
    const dx = event.clientX - clientX;
    const dy = event.clientY - clientY;
    moved ||= Math.hypot(dx, dy) > shake;
    if (moved) drag.move(dx, dy, event);
  };
  const onEnd = (event: PointerEvent) => {
    if (event.pointerId !== pointerId) return;
    window.removeEventListener("pointermove", onMove);
    window.removeEventListener("pointerup", onEnd);
    window.removeEventListener("pointercancel", onEnd);
    drag.end(moved && event.type === "pointerup", event);
  };
  window.addEventListener("pointermove", onMove);
  window.addEventListener("pointerup", onEnd);
  window.addEventListener("pointercancel", onEnd);
}

/** The page under a point of the window, and the position on it. */
export function pageAt(
  x: number,
  y: number,
): { pageIndex: number; xPct: number; yPct: number; rect: DOMRect } | null {
  for (const element of document.querySelectorAll<HTMLElement>("[data-sheet]")) {
    const rect = element.getBoundingClientRect();
    if (x < rect.left || x > rect.right || y < rect.top || y > rect.bottom) continue;
    return {
      pageIndex: Number(element.dataset.sheet),
      xPct: ((x - rect.left) * 100) / rect.width,
      yPct: ((y - rect.top) * 100) / rect.height,
      rect,
    };
  }
  return null;
}
