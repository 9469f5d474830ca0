"use client";
/** Pages one below the other, with zoom, search, text selection and keyboard navigation. */
import type { PDFDocumentProxy } from "pdfjs-dist";
import {
  type KeyboardEvent,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useDebounced } from "#components/debounced.ts";
import {
  nextZoom,
  type PageSize,
  pageAt,
  percent,
  placePages,
  scaleFor,
  visiblePages,
  type Zoom,
} from "./layout.ts";
import { DrawnPage } from "./page.tsx";
import { usePrinting } from "./printing.ts";
import { useSearch } from "./search.ts";
import { ViewerToolbar } from "./toolbar.tsx";

interface ScrolledPagesProps {
  pdf: PDFDocumentProxy;
  label: string;
  sizes: PageSize[];
  onSize(number: number, size: PageSize): void;
  first: number;
  onPage: ((page: number) => void) | undefined;
  /** Words to mark on the first page shown. */
  marks: readonly string[];
  compact: boolean;
}

const none: readonly string[] = [];

export function ScrolledPages({
  pdf,
  label,
  sizes,
  onSize,
  first,
  onPage,
  marks,
  compact,
}: ScrolledPagesProps) {
  const scroller = useRef<HTMLElement>(null);
  const [view, setView] = useState({ top: 0, height: 800, width: 0 });
  const [zoom, setZoom] = useState<Zoom>("fit");
  const [words, setWords] = useState("");
  const debouncedWords = useDebounced(words, 250);
  const found = useSearch(pdf, debouncedWords);
  const searchWords = useMemo(
    () => (debouncedWords.trim().length > 1 ? [debouncedWords] : null),
    [debouncedWords],
  );
  const [at, setAt] = useState(-1);
  const scale = scaleFor(zoom, sizes, view.width);
  const { pages, height } = placePages(sizes, scale);
  const isPrinting = usePrinting(scroller, pages.length);
  const current = pageAt(pages, view.top, view.height);

  const measure = useCallback(() => {
    const box = scroller.current;
    if (box) setView({ top: box.scrollTop, height: box.clientHeight, width: box.clientWidth });
  }, []);
  useLayoutEffect(() => {
    measure();
    const watcher = new ResizeObserver(measure);
    if (scroller.current) watcher.observe(scroller.current);
    return () => watcher.disconnect();
  }, [measure]);

  const show = useCallback(
    (number: number) => {
      const place = pages[Math.min(Math.max(1, number), pages.length) - 1];
      if (place && scroller.current) scroller.current.scrollTop = place.top - 4;
    },
    [pages],
  );
  // The position that stays in view when the scale changes; initially the page named in the address.
  const anchor = useRef({ number: first, share: 0 });
  // Until the initial page has been scrolled to, the page in view must not replace it in the address.
  const [isPlaced, setPlaced] = useState(false);
  const isMeasured = view.width > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the scale changes or the size becomes known.
  useLayoutEffect(() => {
    const place = pages[Math.min(Math.max(1, anchor.current.number), pages.length) - 1];
    if (!place || !scroller.current || !isMeasured) return;
    scroller.current.scrollTop = place.top + anchor.current.share * place.height - 4;
    measure();
    setPlaced(true);
  }, [scale, isMeasured]);
  const onScroll = () => {
    measure();
    const top = (scroller.current?.scrollTop ?? 0) + 4;
    const place = pages.findLast((page) => page.top <= top) ?? pages[0];
    if (place) anchor.current = { number: place.number, share: (top - place.top) / place.height };
  };
  const tellPage = useEffectEvent((number: number) => onPage?.(number));
  useEffect(() => {
    if (isPlaced) tellPage(current);
  }, [current, isPlaced]);

  // Only once: someone who has begun to read must not be scrolled back.
  const isMarkShown = useRef(false);
  const showMark = useCallback((mark: Element) => {
    if (!isMarkShown.current) mark.scrollIntoView({ block: "center", inline: "nearest" });
    isMarkShown.current = true;
  }, []);

  // If Enter is pressed before the search has finished, go to the first match once it has.
  const waiting = useRef(false);
  const turnTo = (step: 1 | -1) => {
    waiting.current = found.pages.length === 0;
    if (waiting.current) return;
    const here = at < 0 ? found.pages.findIndex((number) => number >= current) - (step === 1 ? 1 : 0) : at;
    const next = (here + step + found.pages.length) % found.pages.length;
    setAt(next);
    show(found.pages[next]!);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when a search has found something.
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
          {isMeasured &&
            (isPrinting ? pages : visiblePages(pages, view.top, view.height)).map((place) => (
              <DrawnPage
                key={place.number}
                place={place}
                scale={scale}
                roomPixels={view.width}
                words={searchWords ?? (place.number === first ? marks : none)}
                {...(place.number === first && marks.length > 0 ? { onMarked: showMark } : {})}
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
