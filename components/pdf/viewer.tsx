"use client";
/** A PDF to read: its pages under each other, zoomed, searched, selected, turned by keyboard. */
import "react-pdf/dist/Page/TextLayer.css";
import { clsx } from "clsx";
import type { PDFDocumentProxy } from "pdfjs-dist";
import { type KeyboardEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useDebounced } from "#components/debounced.ts";
import { Progress } from "#components/ui/bits.tsx";
import { noteUnreachable, useOnReturn } from "#components/ui/connection.ts";
import { ErrorState } from "#components/ui/states.tsx";
import { Document, firstSize, useDocumentOptions } from "./engine.ts";
import {
  nextZoom,
  type PageSize,
  pageAt,
  pagesInSight,
  percent,
  placePages,
  scaleFor,
  type Zoom,
} from "./layout.ts";
import { DrawnPage } from "./page.tsx";
import { usePrinting } from "./printing.ts";
import { useSearch } from "./search.ts";
import { ViewerToolbar } from "./toolbar.tsx";

export interface PdfViewerProps {
  url: string;
  /** What is shown, for those who do not see it. */
  label: string;
  /** The page to begin with. */
  page?: number;
  onPage?(page: number): void;
  /** A link that has expired is asked for again. */
  onRetry?(): void;
  /** A small viewer beside a form leaves the search out. */
  compact?: boolean;
  className?: string;
}

export function PdfViewer({ url, label, page = 1, onPage, onRetry, compact, className }: PdfViewerProps) {
  const [pdf, setPdf] = useState<PDFDocumentProxy | null>(null);
  const [sizes, setSizes] = useState<PageSize[]>([]);
  const [loaded, setLoaded] = useState<number | undefined>(undefined);
  const options = useDocumentOptions();
  const isWhole = useRef(false);
  // What had not come before the connection was lost does not come by itself.
  useOnReturn(() => {
    if (!isWhole.current) onRetry?.();
  });
  const onLoad = useCallback(async (document: PDFDocumentProxy) => {
    void document.getDownloadInfo().then(() => {
      isWhole.current = true;
    });
    const size = await firstSize(document);
    if (!size) return;
    setSizes(Array.from({ length: document.numPages }, () => size));
    setPdf(document);
  }, []);
  return (
    <Document
      file={url}
      options={options}
      suspense={false}
      onLoadSuccess={(document) => void onLoad(document)}
      onLoadError={noteUnreachable}
      onLoadProgress={({ loaded: bytes, total }) =>
        setLoaded(total > 0 ? Math.min(1, bytes / total) : undefined)
      }
      loading={<Loading share={loaded} />}
      error={
        <ErrorState
          title="The PDF cannot be shown"
          message="It may be damaged, or the link to it has expired. Try again, or download it."
          {...(onRetry ? { onRetry } : {})}
        />
      }
      className={clsx("flex min-h-0 flex-col", className)}
    >
      {pdf && sizes.length > 0 ? (
        <Pages
          pdf={pdf}
          label={label}
          sizes={sizes}
          onSize={(number, size) => setSizes((before) => withSize(before, number, size))}
          first={page}
          onPage={onPage}
          compact={compact ?? false}
        />
      ) : (
        <Loading share={loaded} />
      )}
    </Document>
  );
}

function withSize(sizes: PageSize[], number: number, size: PageSize): PageSize[] {
  const before = sizes[number - 1];
  const isKnown = before && Math.abs(before.width - size.width) + Math.abs(before.height - size.height) < 0.5;
  return isKnown ? sizes : sizes.with(number - 1, size);
}

function Loading({ share }: { share: number | undefined }) {
  return (
    <div role="status" className="mx-auto grid w-56 gap-2 py-16 text-center text-quiet">
      <Progress label="Loading the document" {...(share === undefined ? {} : { value: share })} />
      Loading the document
    </div>
  );
}

interface PagesProps {
  pdf: PDFDocumentProxy;
  label: string;
  sizes: PageSize[];
  onSize(number: number, size: PageSize): void;
  first: number;
  onPage: ((page: number) => void) | undefined;
  compact: boolean;
}

function Pages({ pdf, label, sizes, onSize, first, onPage, compact }: PagesProps) {
  const scroller = useRef<HTMLElement>(null);
  const [view, setView] = useState({ top: 0, height: 800, width: 0 });
  const [zoom, setZoom] = useState<Zoom>("fit");
  const [words, setWords] = useState("");
  const rested = useDebounced(words, 250);
  const found = useSearch(pdf, rested);
  const [at, setAt] = useState(-1);
  const scale = scaleFor(zoom, sizes, view.width);
  const { pages, height } = placePages(sizes, scale);
  const isPrinting = usePrinting(scroller, pages.length);
  const current = pageAt(pages, view.top, view.height);

  const look = useCallback(() => {
    const box = scroller.current;
    if (box) setView({ top: box.scrollTop, height: box.clientHeight, width: box.clientWidth });
  }, []);
  useLayoutEffect(() => {
    look();
    const watcher = new ResizeObserver(look);
    if (scroller.current) watcher.observe(scroller.current);
    return () => watcher.disconnect();
  }, [look]);

  const show = useCallback(
    (number: number) => {
      const place = pages[Math.min(Math.max(1, number), pages.length) - 1];
      if (place && scroller.current) scroller.current.scrollTop = place.top - 4;
    },
    [pages],
  );
  // Where one was stays in sight when the pages grow or shrink; at first that is the page of the address.
  const anchor = useRef({ number: first, share: 0 });
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the scale changes, and then alone.
  useLayoutEffect(() => {
    const place = pages[Math.min(Math.max(1, anchor.current.number), pages.length) - 1];
    if (!place || !scroller.current || view.width === 0) return;
    scroller.current.scrollTop = place.top + anchor.current.share * place.height - 4;
  }, [scale]);
  const onScroll = () => {
    look();
    const top = (scroller.current?.scrollTop ?? 0) + 4;
    const place = pages.findLast((page) => page.top <= top) ?? pages[0];
    if (place) anchor.current = { number: place.number, share: (top - place.top) / place.height };
  };
  useEffect(() => {
    if (view.width > 0) onPage?.(current);
  }, [current, onPage, view.width]);

  // Whoever presses Enter before the places are found is led to the first of them then.
  const waiting = useRef(false);
  const turnTo = (step: 1 | -1) => {
    waiting.current = found.pages.length === 0;
    if (waiting.current) return;
    const here = at < 0 ? found.pages.findIndex((number) => number >= current) - (step === 1 ? 1 : 0) : at;
    const next = (here + step + found.pages.length) % found.pages.length;
    setAt(next);
    show(found.pages[next]!);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: when something was found, and then alone.
  useEffect(() => {
    if (waiting.current && found.pages.length > 0) turnTo(1);
  }, [found]);
  const onKeyDown = (event: KeyboardEvent) => {
    const act = keys({ show, current, last: pages.length, scale, setZoom })[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  };
  return (
    <>
      <ViewerToolbar
        page={current}
        pageCount={pages.length}
        onPage={show}
        zoom={zoom}
        percent={percent(scale)}
        onZoom={setZoom}
        onStep={(direction) => setZoom(nextZoom(scale, direction))}
        search={
          compact
            ? null
            : {
                words,
                found,
                at,
                onWords: (next) => {
                  setWords(next);
                  setAt(-1);
                  waiting.current = false;
                },
                onTurn: turnTo,
              }
        }
      />
      <section
        ref={scroller}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it.
        tabIndex={0}
        onScroll={onScroll}
        onKeyDown={onKeyDown}
        className="relative min-h-0 flex-1 overflow-auto bg-well outline-offset-[-2px]"
      >
        <div className="relative mx-auto min-w-fit print:h-auto!" style={{ height }}>
          {view.width > 0 &&
            (isPrinting ? pages : pagesInSight(pages, view.top, view.height)).map((place) => (
              <DrawnPage
                key={place.number}
                place={place}
                scale={scale}
                roomPixels={view.width}
                words={rested}
                onSize={onSize}
              />
            ))}
        </div>
      </section>
    </>
  );
}

function keys({
  show,
  current,
  last,
  scale,
  setZoom,
}: {
  show(page: number): void;
  current: number;
  last: number;
  scale: number;
  setZoom(zoom: Zoom): void;
}): Record<string, () => void> {
  return {
    ArrowRight: () => show(current + 1),
    ArrowLeft: () => show(current - 1),
    Home: () => show(1),
    End: () => show(last),
    "+": () => setZoom(nextZoom(scale, 1)),
    "=": () => setZoom(nextZoom(scale, 1)),
    "-": () => setZoom(nextZoom(scale, -1)),
    "0": () => setZoom("fit"),
  };
}
