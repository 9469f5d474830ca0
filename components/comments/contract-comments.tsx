"use client";
/** Members' comments on a contract. */
import { MessagesSquare } from "lucide-react";
import { useDeferredValue, useEffect, useRef, useState } from "react";
import { ExportButton } from "#components/export-button.tsx";
import { useAct, useFeed } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, Section } from "#components/ui/card.tsx";
import { Segments } from "#components/ui/segments.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "#components/ui/states.tsx";
import { Composer } from "./composer.tsx";
import { invalidatedByComment, Thread } from "./thread.tsx";

type Shown = "open" | "resolved";

/** How often to load other members' comments. */
const everyMs = 15_000;

export function ContractComments({ contractId }: { contractId: string }) {
  const may = useMay();
  const [state, setState] = useState<Shown>("open");
  const feed = useFeed("comments.list", { id: contractId, state }, { everyMs });
  const add = useAct("comments.add", { invalidates: invalidatedByComment });
  const { error, refetch, older, isLoadingOlder } = feed;
  // Rendering twenty threads at once would block typing, so it is deferred.
  const pages = useDeferredValue(feed.pages, undefined);
  const counts = pages?.[0];
  const threads = pages?.flatMap(({ data }) => data) ?? [];
  const mayWrite = may("contracts:write");
  const card = useRef<HTMLDivElement>(null);
  const movedFrom = useRef<number | null>(null);
  // When a thread has left the list, move the focus to the one in its place, or to the choice of lists.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a thread has gone.
  useEffect(() => {
    const at = movedFrom.current;
    movedFrom.current = null;
    if (at === null || document.activeElement !== document.body) return;
    const left = card.current?.querySelectorAll<HTMLElement>("article");
    const next = left?.[Math.min(at, left.length - 1)] ?? card.current?.querySelector("fieldset");
    next?.querySelector("button")?.focus();
  }, [threads.length]);
  const hasAny = counts !== undefined && counts.openCount + counts.resolvedCount > 0;
  return (
    <Section
      id="comments"
      title="Comments"
      actions={
        hasAny && may("contracts:read", "data:export") ? (
          <ExportButton file="comments.csv" query={`contractId=${contractId}`} what="comment" />
        ) : undefined
      }
    >
      <Card ref={card}>
        {mayWrite && (
          <div className="border-line border-b p-4">
            <Composer
              label="Your comment"
              placeholder="Comment, or @mention someone"
              action="Comment"
              onSave={(words) => add.run({ id: contractId, ...words })}
            />
          </div>
        )}
        {hasAny && (
          <div className="border-line border-b px-4 py-2.5">
            <Segments<Shown>
              label="Which comments"
              value={state}
              onValue={setState}
              options={[
                { value: "open", label: `Open (${counts.openCount})` },
                { value: "resolved", label: `Resolved (${counts.resolvedCount})` },
              ]}
            />
          </div>
        )}
        {error && !pages ? (
          <ErrorState message={error.message} requestId={error.requestId} onRetry={refetch} />
        ) : !pages ? (
          <SkeletonRows rows={2} label="Loading comments" />
        ) : threads.length === 0 ? (
          <EmptyState compact icon={MessagesSquare} title={hasAny ? "None here" : "No comments yet"}>
            {hasAny
              ? state === "open"
                ? "Every thread is resolved."
                : "No thread is resolved yet."
              : "Only members of this workspace see them. To comment on a passage, select it in the document."}
          </EmptyState>
        ) : (
          <ul className="divide-y divide-line">
            {threads.map((thread, at) => (
              <li key={thread.id} className="laid-out-in-view [contain-intrinsic-size:auto_12rem]">
                <Thread
                  contractId={contractId}
                  thread={thread}
                  onMoved={() => {
                    movedFrom.current = at;
                  }}
                />
              </li>
            ))}
          </ul>
        )}
        {error && pages && (
          <p role="alert" className="px-4 py-3 text-danger text-sm">
            {error.message}
          </p>
        )}
        {older && (
          <div className="border-line border-t p-3">
            <Button size="sm" busy={isLoadingOlder} onClick={older}>
              Show older
            </Button>
          </div>
        )}
      </Card>
    </Section>
  );
}
