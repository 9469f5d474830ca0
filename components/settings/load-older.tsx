"use client";
import type { Feed } from "#components/operation.ts";
import { Button } from "#components/ui/button.tsx";

/** A button that loads a feed's next older page. */
export function LoadOlder<Page>({ feed: { older, isLoadingOlder, error, pages } }: { feed: Feed<Page> }) {
  if (!older) return null;
  return (
    <div className="grid justify-items-center gap-2 pt-3">
      {error && pages && (
        <p role="alert" className="text-danger">
          {error.message} {error.requestId && `(Request ${error.requestId})`}
        </p>
      )}
      <Button busy={isLoadingOlder} onClick={older}>
        Load older
      </Button>
    </div>
  );
}
