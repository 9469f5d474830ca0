"use client";
import { useEffect } from "react";
import { useIsCutOff, whenReachable } from "#components/ui/connection.ts";
import { PartMissing } from "#components/ui/part-missing.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import { reloadOnce } from "#components/ui/unsaved.ts";

interface PageErrorProps {
  error: Error & { digest?: string };
  /** Requests the failed part from the server again, since rendering the same response would fail again. */
  retry(): void;
}

export default function PageError({ error, retry }: PageErrorProps) {
  if (error.name === "ChunkLoadError") return <PageMissing />;
  return (
    <ErrorState
      title="This page could not be shown"
      message="Something went wrong on our side. Try again; if it keeps happening, send the operator the number below."
      requestId={error.digest}
      onRetry={retry}
    />
  );
}

/** Shown if the page's code could not be loaded. Reloads the page once the server is reachable. */
function PageMissing() {
  const isCutOff = useIsCutOff();
  useEffect(() => void whenReachable().then(reloadOnce), []);
  return <PartMissing trouble={isCutOff ? "cut-off" : "outdated"} />;
}
