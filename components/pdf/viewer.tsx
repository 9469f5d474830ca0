"use client";
/** A PDF viewer: loads the document from a link and shows its pages. */
import "react-pdf/dist/Page/TextLayer.css";
import { clsx } from "clsx";
import type { PDFDocumentProxy } from "pdfjs-dist";
import { useCallback, useRef, useState } from "react";
import { Progress } from "#components/ui/bits.tsx";
import { recordUnreachable, useOnReconnect } from "#components/ui/connection.ts";
import { ErrorState } from "#components/ui/states.tsx";
import { Document, firstSize, useDocumentOptions } from "./engine.ts";
import type { PageSize } from "./layout.ts";
import { ScrolledPages } from "./scrolled-pages.tsx";

export interface PdfViewerProps {
  url: string;
  /** The accessible name of the document. */
  label: string;
  /** The initial page. */
  page?: number;
  /** A new value restarts the viewer with the current `page` and `marks`. */
  start?: number;
  onPage?(page: number): void;
  /** Words to mark on that page. */
  marks?: readonly string[];
  /** Requests a new link, because the current one may have expired. */
  onRetry?(): void;
  /** For a small viewer next to a form: without search. */
  compact?: boolean;
  className?: string;
}

const none: readonly string[] = [];

export function PdfViewer({
  url,
  label,
  page = 1,
  start,
  onPage,
  marks,
  onRetry,
  compact,
  className,
}: PdfViewerProps) {
  const [pdf, setPdf] = useState<PDFDocumentProxy | null>(null);
  const [sizes, setSizes] = useState<PageSize[]>([]);
  const [loaded, setLoaded] = useState<number | undefined>(undefined);
  const options = useDocumentOptions();
  const isWhole = useRef(false);
  // A download interrupted by a lost connection does not resume by itself.
  useOnReconnect(() => {
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
      onLoadError={recordUnreachable}
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
        <ScrolledPages
          key={start}
          pdf={pdf}
          label={label}
          sizes={sizes}
          onSize={(number, size) => setSizes((before) => withSize(before, number, size))}
          first={page}
          onPage={onPage}
          marks={marks ?? none}
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
