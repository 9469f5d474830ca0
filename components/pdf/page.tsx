"use client";
import { memo, useCallback, useState } from "react";
import { Page } from "./engine.ts";
import { gapPixels, type PageSize, type PlacedPage, pixelRatioFor } from "./layout.ts";
import { marked } from "./search.ts";

export interface DrawnPageProps {
  place: PlacedPage;
  scale: number;
  roomPixels: number;
  /** What is searched for, to be marked. */
  words: string;
  onSize(number: number, size: PageSize): void;
}

/** One page in its place, with its text over it to be selected. */
export const DrawnPage = memo(function DrawnPage({
  place,
  scale,
  roomPixels,
  words,
  onSize,
}: DrawnPageProps) {
  const { number, top, width, height } = place;
  const [isDrawn, setDrawn] = useState(false);
  const onText = useCallback(({ str }: { str: string }) => marked(str, words), [words]);
  return (
    <section
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
        {...(words.trim().length > 1 ? { customTextRenderer: onText } : {})}
        onRenderSuccess={() => setDrawn(true)}
        onLoadSuccess={({ originalWidth, originalHeight }) =>
          onSize(number, { width: originalWidth, height: originalHeight })
        }
        loading=""
        error={<p className="p-6 text-danger">Page {number} cannot be drawn.</p>}
      />
    </section>
  );
});
