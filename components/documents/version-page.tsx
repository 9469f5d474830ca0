"use client";
/** Shows one version of a document. */
import { Download, FileClock, GitCompareArrows, MessageSquarePlus } from "lucide-react";
import { useRouter } from "next/navigation";
import { parseAsInteger, parseAsNativeArrayOf, parseAsString, useQueryState } from "nuqs";
import { useMemo, useState } from "react";
import { type Passage, selectedPassage } from "#components/comments/passage.ts";
import { PdfViewer } from "#components/pdf/lazy.tsx";
import { phrasesOf } from "#components/pdf/phrases.ts";
import { useOperation } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { Progress } from "#components/ui/bits.tsx";
import { Button } from "#components/ui/button.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { Breadcrumbs } from "#components/ui/page-header.tsx";
import { Select } from "#components/ui/select.tsx";
import { EmptyState, ErrorState, Skeleton } from "#components/ui/states.tsx";
import { useProgress } from "./progress.ts";
import { Failed, useDownload, type Version, type VersionState } from "./version-row.tsx";
import { placeText } from "./words.ts";

/** Loaded on demand, because it includes the form library. */
const PassageDialog = lazily(() =>
  import("#components/comments/passage-dialog.tsx").then((module) => module.PassageDialog),
);

export function VersionPage({ contractId, versionId }: { contractId: string; versionId: string }) {
  const contract = useOperation("contracts.read", { id: contractId });
  const versions = useOperation("versions.list", { id: contractId });
  const { progress, ...reading } = useProgress(contractId);
  const download = useDownload();
  const router = useRouter();
  const all = versions.data?.data ?? [];
  const version = all.find(({ id }) => id === versionId);
  const error = contract.error ?? versions.error;
  if (error && !version) {
    const refetch = () => {
      contract.refetch();
      versions.refetch();
    };
    return <ErrorState message={error.message} requestId={error.requestId} onRetry={refetch} />;
  }
  if (!version) return <Skeleton className="m-6 h-7 w-72" />;
  const other =
    all.find(({ versionNumber }) => versionNumber < version.versionNumber) ??
    all.find((one) => one !== version);
  return (
    <div className="flex h-[calc(100dvh-7rem)] flex-col md:h-[calc(100dvh-1.125rem)]">
      <header className="flex flex-wrap items-end gap-x-4 gap-y-2 border-line border-b px-4 pt-3 pb-2.5">
        <div className="min-w-0 flex-1 basis-56">
          <Breadcrumbs
            crumbs={[
              { label: "Contracts", href: "/contracts" },
              { label: contract.data?.contract.title ?? "Contract", href: `/contracts/${contractId}` },
            ]}
          />
          <h1 className="truncate font-semibold text-base">{version.fileName}</h1>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {all.length > 1 && (
            <Select
              aria-label="Version"
              className="w-32"
              value={version.id}
              onChange={({ target }) => router.replace(`/contracts/${contractId}/versions/${target.value}`)}
              options={all.map(({ id, versionNumber }) => ({ value: id, label: `Version ${versionNumber}` }))}
            />
          )}
          <CommentButton
            contractId={contractId}
            versionId={versionId}
            pageCount={progress.get(versionId)?.pageCount ?? null}
          />
          {other && (
            <ButtonLink href={compareAddress(contractId, other, version)}>
              <GitCompareArrows aria-hidden />
              <span className="max-sm:sr-only">Compare</span>
            </ButtonLink>
          )}
          <Button onClick={() => void download({ contractId, versionId, as: "original" })}>
            <Download aria-hidden />
            <span className="max-sm:sr-only">Download</span>
          </Button>
        </div>
      </header>
      {reading.error ? (
        <ErrorState
          message={reading.error.message}
          requestId={reading.error.requestId}
          onRetry={reading.refetch}
        />
      ) : (
        <Shown version={version} progress={progress.get(version.id)} />
      )}
    </div>
  );
}

/** Adds a comment on the selected text, or on the page in view. */
function CommentButton({
  contractId,
  versionId,
  pageCount,
}: {
  contractId: string;
  versionId: string;
  pageCount: number | null;
}) {
  const may = useMay();
  const [page] = useQueryState("page", parseAsInteger.withDefault(1));
  const [asked, setAsked] = useState<{ selected: Passage | null } | null>(null);
  // Without a PDF there are no pages to refer to.
  if (!may("contracts:write") || !pageCount) return null;
  return (
    <>
      {/* Pressing the button must not clear the selection before it is read. */}
      <Button
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => setAsked({ selected: selectedPassage() })}
      >
        <MessageSquarePlus aria-hidden />
        <span className="max-sm:sr-only">Comment</span>
      </Button>
      {asked && (
        <PassageDialog
          contractId={contractId}
          versionId={versionId}
          page={page}
          selected={asked.selected}
          pageCount={pageCount}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

/** Returns the address that compares two versions, from the earlier to the later. */
function compareAddress(contractId: string, a: Version, b: Version): string {
  const [from, to] = a.versionNumber < b.versionNumber ? [a, b] : [b, a];
  return `/contracts/${contractId}/compare?from=${from.id}&to=${to.id}`;
}

/**
 * Returns where the viewer starts. It restarts if a link leads elsewhere in the open version, but not if the
 * reader scrolls to another page. After a failed load, it restarts at the page that was in view.
 */
function useStart(page: number, marks: string[]) {
  const [start, setStart] = useState({ page, marks, nth: 0 });
  const [inView, setInView] = useState(page);
  if (page !== inView || marks.join("\n") !== start.marks.join("\n")) {
    setStart({ page, marks, nth: start.nth + 1 });
    setInView(page);
  }
  const restart = () => setStart({ ...start, page: inView, nth: start.nth + 1 });
  return { start, onPage: setInView, restart };
}

function Shown({ version, progress }: { version: Version; progress: VersionState | undefined }) {
  const { contractId, id: versionId } = version;
  const [page, setPage] = useQueryState(
    "page",
    parseAsInteger.withDefault(1).withOptions({ throttleMs: 500 }),
  );
  const [marks] = useQueryState("mark", parseAsNativeArrayOf(parseAsString));
  const { start, onPage, restart } = useStart(page, marks);
  const wanted = useMemo(() => phrasesOf(start.marks), [start]);
  const isReady = progress?.pdfState === "READY";
  const link = useOperation("versions.viewUrl", { contractId, versionId, as: "pdf" }, { enabled: isReady });
  // Every request returns another link to the same file. Keep the first, because a new one would load the file again. A
  // retry drops it, because it may have expired.
  const [kept, setKept] = useState<{ url: string; sha256: string } | null>(null);
  const fresh = link.isFetching || link.error ? undefined : link.data;
  if (fresh && kept?.sha256 !== fresh.sha256) setKept(fresh);
  const retry = () => {
    setKept(null);
    restart();
    link.refetch();
  };
  if (progress?.pdfState === "FAILED") {
    return (
      <EmptyState icon={FileClock} title="There is no PDF of this version">
        <Failed version={version} why={progress.pdfError} />
      </EmptyState>
    );
  }
  if (progress?.pdfState === "PENDING") {
    return (
      <EmptyState
        icon={FileClock}
        title="The PDF is being created"
        action={<Progress label="Creating the PDF" />}
      >
        {placeText(progress.documentsAhead) ?? "It appears here automatically, usually within seconds."}
      </EmptyState>
    );
  }
  if (link.error && !kept) {
    return <ErrorState message={link.error.message} requestId={link.error.requestId} onRetry={retry} />;
  }
  if (!kept) return <Skeleton className="m-6 h-96" />;
  return (
    <PdfViewer
      url={kept.url}
      label={`${version.fileName}, version ${version.versionNumber}`}
      start={start.nth}
      page={start.page}
      marks={wanted}
      onPage={(next) => {
        onPage(next);
        void setPage(next);
      }}
      onRetry={retry}
      className="min-h-0 flex-1"
    />
  );
}
