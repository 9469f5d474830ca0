"use client";
import { memo, useCallback, useRef, useState } from "react";
import { Page } from "./engine.ts";
import { gapPixels, type PageSize, type PlacedPage, pixelRatioFor } from "./layout.ts";
import { withMarks } from "./search.ts";

export interface DrawnPageProps {
  place: PlacedPage;
  scale: number;
  roomPixels: number;
  /** Words and phrases to mark. */
  words: readonly string[];
  /** Called with the first mark once the marks are rendered. */
  onMarked?(mark: Element): void;
  onSize(number: number, size: PageSize): void;
}

/** One page at its position, with a selectable text layer. */
export const DrawnPage = memo(function DrawnPage({
  place,
  scale,
  roomPixels,
  words,
  onMarked,
  onSize,
}: DrawnPageProps) {
  const { number, top, width, height } = place;
  const [isDrawn, setDrawn] = useState(false);
  const frame = useRef<HTMLElement>(null);
  const onText = useCallback(({ str }: { str: string }) => withMarks(str, words), [words]);
  return (
    <section
      ref={frame}
      aria-label={`Page ${number}`}
      data-drawn={isDrawn ? "" : undefined}
      className="pdf-page pdf-sheet absolute overflow-hidden shadow-low"
      style={{ top, left: Math.max(gapPixels, (roomPixels - width) / 2), width, height }}
    >
      <Page
        pageNumber={number}
        scale={scale}
        devicePixelRatio={pixelRatioFor(place)}
        suspense={false}
        renderAnnotationLayer={false}
        {...(words.length > 0 ? { customTextRenderer: onText } : {})}
        onRenderTextLayerSuccess={() => {
          const mark = onMarked && frame.current?.querySelector("mark");
          if (mark) onMarked(mark);
        }}
        onRenderSuccess={() => setDrawn(true)}
        // Printing waits for each page, so a page that failed counts as drawn: its error is all there will be.
        onLoadError={() => setDrawn(true)}
        onRenderError={() => setDrawn(true)}
        onLoadSuccess={({ originalWidth, originalHeight }) =>
          onSize(number, { width: originalWidth, height: originalHeight })
        }
        loading=""
        error={<p className="p-6 text-danger">Page {number} cannot be drawn.</p>}
      />
    </section>
  );
});
