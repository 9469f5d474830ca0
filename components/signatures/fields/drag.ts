"use client";
/** Following a pointer from where it went down until it is let go: mouse, pen or finger. */

export interface Drag {
  /** How far it is from where it went down, in pixels, and where it is. */
  move(dx: number, dy: number, event: PointerEvent): void;
  /** `moved`: it was more than a click. */
  end(moved: boolean, event: PointerEvent): void;
}

/** A hand shakes by so many pixels when it clicks. */
const shake = 4;

/** Listens on the window: what is dragged may change its place in the document. */
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

/** The page under a point of the window, and where on it that is. */
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
