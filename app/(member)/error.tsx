"use client";
import { useEffect } from "react";
import { useIsCutOff, whenReachable } from "#components/ui/connection.ts";
import { PartMissing } from "#components/ui/part-missing.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import { reloadOnce } from "#components/ui/unsaved.ts";

interface PageErrorProps {
  error: Error & { digest?: string };
  /** Has the server asked again for what failed: showing it again would fail with the same answer. */
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

/** The page itself did not come: it is loaded as soon as the server answers. */
function PageMissing() {
  const isCutOff = useIsCutOff();
  useEffect(() => void whenReachable().then(reloadOnce), []);
  return <PartMissing trouble={isCutOff ? "cut-off" : "outdated"} />;
}
