"use client";
import { useEffect, useRef } from "react";
import SignaturePad from "signature_pad";
import { Button } from "#components/ui/button.tsx";

/** The color of drawn signatures: dark in every theme, because paper is white. */
const ink = "#14224f";

/**
 * A canvas for drawing with a finger, a pen or a mouse. Reports the drawing after each stroke, and null once
 * it is cleared.
 */
export function DrawingPad({ onDrawn }: { onDrawn(canvas: HTMLCanvasElement | null): void }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const pad = useRef<SignaturePad>(null);
  const tell = useRef(onDrawn);
  useEffect(() => {
    tell.current = onDrawn;
  });
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const scale = Math.max(2, window.devicePixelRatio);
    element.width = element.offsetWidth * scale;
    element.height = element.offsetHeight * scale;
    element.getContext("2d")?.scale(scale, scale);
    const made = new SignaturePad(element, { penColor: ink, minWidth: 0.9, maxWidth: 2.6 });
    made.addEventListener("endStroke", () => tell.current(element));
    pad.current = made;
    return () => made.off();
  }, []);
  const clear = () => {
    pad.current?.clear();
    onDrawn(null);
  };
  return (
    <div className="grid gap-2">
      <div className="on-paper relative overflow-hidden rounded-lg border border-edge bg-paper">
        <div aria-hidden className="absolute inset-x-6 bottom-10 border-line border-b" />
        <canvas
          ref={canvas}
          aria-label="Draw your signature here, or choose “Type”"
          role="img"
          className="relative block h-44 w-full touch-none"
        />
      </div>
      <div className="flex items-center justify-between gap-3">
        <p className="text-quiet text-xs">With a finger, a pen or the mouse.</p>
        <Button onClick={clear}>Clear</Button>
      </div>
    </div>
  );
}
