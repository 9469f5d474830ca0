"use client";
/** The files of an upload, grouped by what remains to be done, and the overall progress. */
import type { ReactNode } from "react";
import { useAct } from "#components/query.tsx";
import { Progress } from "#components/ui/bits.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, Section } from "#components/ui/card.tsx";
import { counted } from "#components/words.ts";
import type { Upload } from "#lib/uploads/schema.ts";
import { type QueueState, useUploadQueue } from "./queue.ts";
import { RejectedRow, UploadRow } from "./upload-row.tsx";

const groups = ["decide", "missing", "sending", "created", "skipped"] as const;
type Group = (typeof groups)[number];

export function UploadFiles({ uploads }: { uploads: Upload[] }) {
  const queue = useUploadQueue();
  const current = withAnswers(uploads, queue);
  const byGroup = Map.groupBy(current, (upload) => groupOf(upload, queue));
  const of = (group: Group) => byGroup.get(group) ?? [];
  const count = (group: Group) => of(group).length + (group === "decide" ? queue.rejected.length : 0);
  return (
    <>
      <Overall queue={queue} uploads={current} created={count("created")} sending={count("sending")} />
      {groups
        .filter((group) => count(group) > 0)
        .map((group) => (
          <Section
            key={group}
            title={headings[group](count(group))}
            actions={group === "decide" && <SkipDuplicates uploads={of(group)} />}
          >
            {hints[group] && <p className="mb-2.5 text-quiet">{hints[group]}</p>}
            <Card>
              <ul>
                {of(group).map((upload) => (
                  <UploadRow key={upload.id} upload={upload} transfer={queue.transfers.get(upload.id)} />
                ))}
                {group === "decide" &&
                  queue.rejected.map((one) => <RejectedRow key={one.path} rejected={one} />)}
              </ul>
            </Card>
          </Section>
        ))}
    </>
  );
}

/**
 * Merges the server's responses for single files into the list, which is refetched once everything is sent.
 */
function withAnswers(uploads: Upload[], { answers }: QueueState): Upload[] {
  const known = new Set(uploads.map(({ id }) => id));
  const fresh = [...answers.values()].filter(({ id }) => !known.has(id));
  const latest = (upload: Upload) => (upload.state === "MISSING" && answers.get(upload.id)) || upload;
  return [...uploads.map(latest), ...fresh];
}

function groupOf({ id, state }: Upload, { transfers }: QueueState): Group {
  const transfer = transfers.get(id);
  if (transfer) return transfer.kind === "refused" ? "decide" : "sending";
  if (state === "DUPLICATE") return "decide";
  if (state === "MISSING") return "missing";
  return state === "CREATED" ? "created" : "skipped";
}

const headings: Record<Group, (count: number) => string> = {
  decide: (count) => `${counted(count, "file")} without a contract`,
  missing: (count) => `${counted(count, "file")} still missing`,
  sending: (count) => `${counted(count, "file")} on the way`,
  created: (count) => `${counted(count, "contract")} created`,
  skipped: (count) => `${counted(count, "file")} skipped`,
};

const hints: Partial<Record<Group, ReactNode>> = {
  missing:
    "The upload was interrupted before these arrived. Choose the same files or folder again: files that have arrived are not sent again.",
};

interface OverallProps {
  queue: QueueState;
  uploads: Upload[];
  created: number;
  sending: number;
}

function Overall({ queue, uploads, created, sending }: OverallProps) {
  const isSending = sending > 0 || queue.isAdding;
  const done = uploads.length - sending;
  return (
    <div role="status" className="empty:hidden">
      {queue.isAdding && sending === 0 && <p>The files are being added …</p>}
      {sending > 0 && (
        <>
          <p className="mb-1.5 tabular-nums">
            {done} of {counted(uploads.length, "file")} done, {counted(created, "contract")} created. You can
            keep working on other pages.
          </p>
          <Progress label="All files" value={uploads.length > 0 ? done / uploads.length : 0} />
        </>
      )}
      {!isSending && uploads.length > 0 && created === uploads.length && (
        <p>All files have arrived: {counted(created, "contract")} created.</p>
      )}
    </div>
  );
}

function SkipDuplicates({ uploads }: { uploads: Upload[] }) {
  const skip = useAct("uploads.skip", { invalidates: ["uploads"] });
  const ids = uploads.filter(({ state }) => state === "DUPLICATE").map(({ id }) => id);
  if (ids.length < 2) return null;
  return (
    <Button size="sm" busy={skip.isRunning} onClick={() => void skip.run({ ids }).catch(() => null)}>
      Skip all duplicates
    </Button>
  );
}
