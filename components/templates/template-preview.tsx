"use client";
/** A PDF preview of a template with the entries so far, updated when `filling` changes. */
import { clsx } from "clsx";
import { useState } from "react";
import { PdfViewer } from "#components/pdf/lazy.tsx";
import { useOperation } from "#components/query.tsx";
import { Progress } from "#components/ui/bits.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import type { InputOf } from "#lib/doors/client.ts";

export interface TemplatePreviewProps {
  filling: InputOf<"templates.preview">;
  className?: string;
}

export function TemplatePreview({ filling, className }: TemplatePreviewProps) {
  const inputKey = JSON.stringify(filling);
  const { data, error, isPrevious, isFetching, refetch } = useOperation("templates.preview", filling, {
    keepPrevious: true,
  });
  // Every response has a new link, so replace the link only for another document, or on a retry: it may have
  // expired.
  const [loaded, setLoaded] = useState<{ inputKey: string; url: string } | null>(null);
  const fresh = isPrevious || isFetching || error ? undefined : data;
  if (fresh && loaded?.inputKey !== inputKey) setLoaded({ inputKey, url: fresh.url });
  const [page, setPage] = useState(1);
  const isRendering = isFetching && loaded?.inputKey !== inputKey;
  if (error && !isFetching && loaded?.inputKey !== inputKey) {
    const why = error.issues.map(({ sentence, message }) => sentence ?? message).join("; ");
    return (
      <div className={clsx("overflow-auto rounded-lg border border-line", className)}>
        <ErrorState
          title="No preview available"
          message={why || error.message}
          requestId={error.requestId}
          onRetry={refetch}
        />
      </div>
    );
  }
  return (
    <div className={clsx("relative flex flex-col overflow-hidden rounded-lg border border-line", className)}>
      <div className="absolute inset-x-0 top-0 z-10" role="status">
        {isRendering && <Progress label="Creating the preview" />}
      </div>
      {loaded && (
        <PdfViewer
          key={loaded.url}
          url={loaded.url}
          label="Preview of the contract"
          page={page}
          onPage={setPage}
          onRetry={() => {
            setLoaded(null);
            refetch();
          }}
          compact
          className="min-h-0 flex-1"
        />
      )}
    </div>
  );
}
