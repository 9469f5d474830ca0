"use client";
/**
 * The pages of a PDF, one below the other. Each is drawn while it is near the viewport. The caller places
 * content on a page, in percent of its size. The module is large: load it with `lazily`.
 */
import { clsx } from "clsx";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { recordUnreachable, useOnReconnect } from "#components/ui/connection.ts";
import { ErrorState, Skeleton } from "#components/ui/states.tsx";
import { Document, firstSize, Page, useDocumentOptions } from "./engine.ts";
import { defaultSize, type PageSize, pixelRatioFor } from "./layout.ts";
import { usePrinting } from "./printing.ts";

export interface PdfPagesProps {
  /** A link to the PDF. Links expire, but a new one is only used if loading from the current one failed. */
  url: string;
  /** The displayed width of a page in pixels. */
  width: number;
  onPageCount?(count: number): void;
  /** Called with the index of the page at the middle of the window. */
  onCurrent?(pageIndex: number): void;
  /** Requests a new link to the same file. */
  onRetry?(): void;
  className?: string;
  /** Renders the content on top of a page. */
  children?(page: ShownPage): ReactNode;
}

/** A displayed page: its size in pixels, and its scale in pixels per point. */
export interface ShownPage extends PageSize {
  index: number;
  scale: number;
}

/** The gap between two pages. */
const gapPx = 16;

export function PdfPages({
  url,
  width,
  onPageCount,
  onCurrent,
  onRetry,
  className,
  children,
}: PdfPagesProps) {
  const options = useDocumentOptions();
  const [file, setFile] = useState(url);
  const [first, setFirst] = useState(defaultSize);
  const [pageCount, setPageCount] = useState(0);
  const sheets = useRef<HTMLDivElement>(null);
  const isPrinting = usePrinting(sheets, pageCount);
  const isWhole = useRef(false);
  const isRetryPending = useRef(false);
  const retry = () => {
    isRetryPending.current = true;
    onRetry?.();
  };
  useEffect(() => {
    if (!isRetryPending.current || url === file) return;
    isRetryPending.current = false;
    setFile(url);
  }, [url, file]);
  // A download interrupted by a lost connection does not resume by itself.
  useOnReconnect(() => {
    if (!isWhole.current) retry();
  });
  const failed = (
    <ErrorState
      title="The document cannot be shown"
      message="It could not be loaded. Check the connection, then try again."
      onRetry={onRetry && retry}
    />
  );
  return (
    <Document
      inputRef={sheets}
      file={file}
      options={options}
      suspense={false}
      // While a document loads again, reserve the height of its pages so that the scroll position is kept.
      loading={
        <div style={{ minHeight: pageCount * ((width * first.height) / first.width + gapPx) }}>
          <Blank width={width} size={first} label="Loading the document …" />
        </div>
      }
      error={failed}
      onLoadError={recordUnreachable}
      className={clsx("grid justify-center gap-4", className)}
      onLoadSuccess={async (pdf) => {
        void pdf.getDownloadInfo().then(() => {
          isWhole.current = true;
        });
        const size = await firstSize(pdf);
        if (!size) return;
        setFirst(size);
        setPageCount(pdf.numPages);
        onPageCount?.(pdf.numPages);
      }}
    >
      {Array.from({ length: pageCount }, (_, index) => (
        <NearPage
          // biome-ignore lint/suspicious/noArrayIndexKey: a page is identified by its position in the document.
          key={index}
          index={index}
          count={pageCount}
          width={width}
          guess={first}
          isPrinting={isPrinting}
          onCurrent={onCurrent}
        >
          {children}
        </NearPage>
      ))}
    </Document>
  );
}

/** Returns the id of a page's element. */
export const pageId = (index: number) => `page-${index + 1}`;

interface NearPageProps extends Pick<PdfPagesProps, "width" | "onCurrent" | "children"> {
  index: number;
  count: number;
  guess: PageSize;
  isPrinting: boolean;
}

function NearPage({ index, count, width, guess, isPrinting, onCurrent, children }: NearPageProps) {
  const frame = useRef<HTMLElement>(null);
  const [size, setSize] = useState<PageSize | null>(null);
  const isNear = useNear(frame) || isPrinting;
  const [isDrawn, setDrawn] = useState(false);
  if (isDrawn && !isNear) setDrawn(false);
  useCurrent(frame, onCurrent && (() => onCurrent(index)));
  const { width: wide, height } = size ?? guess;
  const shown = { width, height: (width * height) / wide };
  return (
    <section
      ref={frame}
      id={pageId(index)}
      data-drawn={isDrawn ? "" : undefined}
      aria-label={`Page ${index + 1} of ${count}`}
      style={shown}
      // Paper is white in both themes: it shows what will be signed.
      className="pdf-sheet relative scroll-mt-20 bg-[#fff] shadow-low ring-1 ring-line"
    >
      {isNear && (
        <Page
          pageIndex={index}
          width={width}
          devicePixelRatio={pixelRatioFor(shown)}
          suspense={false}
          renderTextLayer={false}
          renderAnnotationLayer={false}
          loading={
            <Blank width={width} size={{ width: wide, height }} label={`Loading page ${index + 1} …`} />
          }
          error={<p className="p-4 text-[#1a1c20]">This page cannot be shown.</p>}
          onRenderSuccess={() => setDrawn(true)}
          // Printing waits for each page, so a page that failed counts as drawn: its error is all there will be.
          onLoadError={() => setDrawn(true)}
          onRenderError={() => setDrawn(true)}
          onLoadSuccess={({ originalWidth, originalHeight }) =>
            setSize({ width: originalWidth, height: originalHeight })
          }
        />
      )}
      {children?.({ index, ...shown, scale: width / wide })}
    </section>
  );
}

/** Twice the window's height above and below the window. */
const nearMargin = "200% 0px";

/** Returns whether an element is near the window, so that its content need only be rendered while it is. */
export function useNear(frame: React.RefObject<HTMLElement | null>): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (!frame.current) return;
    const watch = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting ?? false), {
      rootMargin: nearMargin,
    });
    watch.observe(frame.current);
    return () => watch.disconnect();
  }, [frame]);
  return isNear;
}

/** Calls `onCurrent` when an element reaches the middle of the window. */
function useCurrent(frame: React.RefObject<HTMLElement | null>, onCurrent: (() => void) | undefined): void {
  const tell = useRef(onCurrent);
  useEffect(() => {
    tell.current = onCurrent;
  });
  useEffect(() => {
    if (!frame.current) return;
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting && tell.current?.(), {
      rootMargin: "-50% 0px -49% 0px",
    });
    watch.observe(frame.current);
    return () => watch.disconnect();
  }, [frame]);
}

function Blank({ width, size, label }: { width: number; size: PageSize; label: string }) {
  return (
    <div
      role="status"
      aria-label={label}
      style={{ width, height: (width * size.height) / size.width }}
      className="grid content-start gap-3 bg-[#fff] p-[10%]"
    >
      {[60, 100, 95, 98, 40].map((part) => (
        <div key={part} style={{ width: `${part}%` }}>
          <Skeleton className="h-3 !bg-[#eceae4]" />
        </div>
      ))}
    </div>
  );
}

/** Returns an element's width in whole pixels, and updates it when the element is resized. */
export function useWidth(frame: React.RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!frame.current) return;
    const watch = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    watch.observe(frame.current);
    return () => watch.disconnect();
  }, [frame]);
  return width;
}
