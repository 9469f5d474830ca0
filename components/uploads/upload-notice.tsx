"use client";
/** A notice on the contracts page: how many of the member's files are on the way, missing, or need a decision. */
import { useEffect, useRef } from "react";
import { useInvalidate } from "#components/query.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { counted } from "#components/words.ts";
import type { OutputOf } from "#lib/doors/client.ts";
import { isSending, sendingIn, useUploadQueue } from "./queue.ts";

export function UploadNotice({ summary }: { summary: OutputOf<"uploads.summary"> }) {
  const queue = useUploadQueue();
  const isUnderWay = isSending(queue);
  useRefetchWhenSent();
  const message = isUnderWay ? onTheWay(sendingIn(queue)) : undecided(summary);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg bg-tone-info px-4 py-2.5 text-on-info">
      <p className="min-w-0 flex-1 basis-56">{message}</p>
      <ButtonLink size="sm" href="/contracts/upload">
        {isUnderWay ? "Show the upload" : "Continue the upload"}
      </ButtonLink>
    </div>
  );
}

const onTheWay = (count: number) =>
  `${counted(count, "file")} of your upload ${count === 1 ? "is" : "are"} on the way.`;

function undecided({ total, missing, duplicates }: OutputOf<"uploads.summary">): string {
  const said = [];
  if (missing > 0) {
    const verb = missing === 1 ? "is" : "are";
    said.push(`${missing} of the ${counted(total, "file")} of your upload ${verb} still missing.`);
  }
  if (duplicates > 0) {
    const verb = duplicates === 1 ? "waits" : "wait";
    said.push(`${counted(duplicates, "duplicate")} in your upload ${verb} for your decision.`);
  }
  return said.join(" ");
}

/** Refetches the list and the contracts once everything has been sent. */
export function useRefetchWhenSent(): void {
  const invalidate = useInvalidate();
  const isUnderWay = isSending(useUploadQueue());
  const before = useRef(isUnderWay);
  useEffect(() => {
    if (before.current && !isUnderWay) void invalidate(["uploads", "contracts", "home"]);
    before.current = isUnderWay;
  }, [isUnderWay, invalidate]);
}
