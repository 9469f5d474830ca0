"use client";
import { ErrorState } from "#components/ui/states.tsx";

export default function PageError({ error, reset }: { error: Error & { digest?: string }; reset(): void }) {
  return (
    <ErrorState
      title="This page could not be shown"
      message="Something went wrong on our side. Try again; if it stays, tell the operator the number below."
      requestId={error.digest}
      onRetry={reset}
    />
  );
}
