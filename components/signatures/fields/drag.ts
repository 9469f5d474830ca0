"use client";
/** Follows a pointer (mouse, pen or finger) from press to release. */

export interface Drag {
  /**
   * Called with the distance from where the pointer was pressed, in pixels, and the event with its position.
   */
  move(dx: number, dy: number, event: PointerEvent): void;
  /** Called on release. `moved` is false after a mere click, or if the drag was canceled. */
  end(moved: boolean, event: PointerEvent): void;
}

/** Movement within this many pixels still counts as a click. */
const clickTolerancePx = 4;

/** Follows the pointer until release, on the window because the dragged element may move in the document. */
export function follow(
  { pointerId, clientX, clientY }: { pointerId: number; clientX: number; clientY: number },
  drag: Drag,
): void {
  let moved = false;
  const onMove = (event: PointerEvent) => {
    if (event.pointerId !== pointerId) return;
    const dx = event.clientX - clientX;
    const dy = event.clientY - clientY;
    moved ||= Math.hypot(dx, dy) > clickTolerancePx;
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

/** Returns the page under a point of the viewport and the position on it, or null if there is none. */
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
