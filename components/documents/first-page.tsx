"use client";
/** The first page of the newest version, as an image that links to the viewer. */
import { clsx } from "clsx";
import { FileText, FileUp, Maximize2 } from "lucide-react";
import NextLink from "next/link";
import { type ReactNode, useState } from "react";
import { useOperation } from "#components/query.tsx";
import { buttonClass } from "#components/ui/button.tsx";
import { ErrorState, Skeleton } from "#components/ui/states.tsx";
import { counted } from "#components/words.ts";
import type { OutputOf } from "#lib/doors/client.ts";
import { useRecentVersions } from "./recent.ts";

type RecentVersion = OutputOf<"versions.recent">["data"][number];

export function FirstPage({ contractId, className }: { contractId: string; className?: string }) {
  const { data, error, refetch } = useRecentVersions(contractId);
  const version = data?.data[0];
  return (
    <section id="document" aria-label="Document" className={className}>
      {version ? (
        <Shown key={version.id} version={version} />
      ) : data ? (
        <Blank icon={<FileUp aria-hidden className="size-6" />} title="No document yet" />
      ) : error ? (
        <ErrorState message={error.message} requestId={error.requestId} onRetry={refetch} />
      ) : (
        <Waiting label="Loading the document" />
      )}
    </section>
  );
}

const againMs = 1000;

function Shown({ version }: { version: RecentVersion }) {
  const { contractId, id: versionId, fileName, versionNumber, pageCount, pdfState } = version;
  const { data, error } = useOperation(
    "previews.read",
    { contractId, versionId },
    {
      enabled: pdfState === "READY",
      everyMs: ({ preview }) => (preview.state === "PENDING" ? againMs : null),
    },
  );
  const [isMissing, setMissing] = useState(false);
  const preview = data?.preview;
  const isPending = pdfState === "PENDING" || (pdfState === "READY" && !error && preview?.state !== "FAILED");
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-paper shadow-low">
      <NextLink
        prefetch={false}
        href={`/contracts/${contractId}/versions/${versionId}`}
        className="relative block outline-offset-[-2px]"
      >
        {preview?.state === "READY" && !isMissing ? (
          <span className={clsx("block overflow-hidden bg-white", height)}>
            {/* biome-ignore lint/performance/noImgElement: it has its display size already, and needs a session. */}
            <img
              src={`/api/previews/${versionId}`}
              alt="First page of the document"
              width={preview.width ?? undefined}
              height={preview.height ?? undefined}
              fetchPriority="high"
              onError={() => setMissing(true)}
              className="block h-auto w-full"
            />
          </span>
        ) : isPending && !isMissing ? (
          <Waiting label={pdfState === "PENDING" ? "Creating the PDF" : "Drawing the first page"} />
        ) : (
          <Blank
            icon={<FileText aria-hidden className="size-6" />}
            title="The first page cannot be shown here"
          />
        )}
        <span className={clsx(buttonClass("secondary", "sm"), "absolute right-3 bottom-3")}>
          <Maximize2 aria-hidden />
          Open
        </span>
      </NextLink>
      <div className="border-line border-t px-3 py-2">
        <p className="truncate font-medium" title={fileName}>
          {fileName}
        </p>
        <p className="text-quiet text-xs">
          Version {versionNumber}
          {pageCount ? `, ${counted(pageCount, "page")}` : ""}
        </p>
      </div>
    </div>
  );
}

/**
 * On a phone, the top of the page is enough to recognize it; next to the summary, as much as fits is shown.
 */
const height = "max-h-64 lg:max-h-[calc(100dvh-12rem)]";

function Waiting({ label }: { label: string }) {
  return (
    <span role="status" aria-label={`${label} …`} className={clsx("block overflow-hidden bg-well", height)}>
      <span className="grid aspect-[1/1.414] content-start gap-3 p-8">
        <Skeleton className="mb-3 h-5 w-3/5" />
        {["w-full", "w-11/12", "w-full", "w-4/5", "w-full", "w-2/3"].map((width, line) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no state and never move.
          <Skeleton key={line} className={clsx("h-3", width)} />
        ))}
      </span>
    </span>
  );
}

function Blank({ icon, title }: { icon: ReactNode; title: string }) {
  return (
    <span className="grid min-h-48 place-content-center justify-items-center gap-2 rounded-lg bg-well px-6 py-10 text-center text-quiet lg:min-h-96">
      {icon}
      <span className="text-pretty">{title}</span>
    </span>
  );
}
