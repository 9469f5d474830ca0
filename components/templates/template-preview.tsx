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
  const question = JSON.stringify(filling);
  const { data, error, isPrevious, isFetching, again } = useOperation("templates.preview", filling, {
    keepPrevious: true,
  });
  // Every response has a new link, so replace the link only for another document, or on a retry: it may have
  // expired.
  const [kept, setKept] = useState<{ question: string; url: string } | null>(null);
  const fresh = isPrevious || isFetching || error ? undefined : data;
  if (fresh && kept?.question !== question) setKept({ question, url: fresh.url });
  const [page, setPage] = useState(1);
  const isMaking = isFetching && kept?.question !== question;
  if (error && !isFetching && kept?.question !== question) {
    const why = error.issues.map(({ sentence, message }) => sentence ?? message).join("; ");
    return (
      <div className={clsx("overflow-auto rounded-lg border border-line", className)}>
        <ErrorState
          title="No preview available"
          message={why || error.message}
          requestId={error.requestId}
          onRetry={again}
        />
      </div>
    );
  }
  return (
    <div className={clsx("relative flex flex-col overflow-hidden rounded-lg border border-line", className)}>
      <div className="absolute inset-x-0 top-0 z-10" role="status">
        {isMaking && <Progress label="Creating the preview" />}
      </div>
      {kept && (
        <PdfViewer
          key={kept.url}
          url={kept.url}
          label="Preview of the contract"
          page={page}
          onPage={setPage}
          onRetry={() => {
            setKept(null);
            again();
          }}
          compact
          className="min-h-0 flex-1"
        />
      )}
    </div>
  );
}
