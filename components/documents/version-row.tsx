"use client";
import { Download, GitCompareArrows, LoaderCircle, MoreHorizontal, RotateCw } from "lucide-react";
import { useRouter } from "next/navigation";
import { useAct, useOperation } from "#components/query.tsx";
import { useMay, useSession } from "#components/session.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button, IconButton } from "#components/ui/button.tsx";
import { download } from "#components/ui/download.ts";
import { NameLink } from "#components/ui/link.tsx";
import { Menu, MenuItem } from "#components/ui/menu.tsx";
import { Ago } from "#components/ui/time.tsx";
import { counted } from "#components/words.ts";
import type { InputOf, OutputOf } from "#lib/doors/client.ts";
import { placeText, sizeText, sourceWords } from "./words.ts";

export type Version = OutputOf<"versions.list">["data"][number];
export type VersionState = OutputOf<"versions.progress">["data"][number];

export interface VersionRowProps {
  version: Version;
  /** Undefined while loading. */
  progress: VersionState | undefined;
  /** The previous version, if any. */
  earlier: Version | undefined;
}

export function VersionRow({ version, progress, earlier }: VersionRowProps) {
  const { contractId, id, versionNumber, fileName, source, sizeBytes, createdAt } = version;
  const who = useMemberName(version.uploadedById);
  const downloadVersion = useDownload();
  const router = useRouter();
  const isPdf = version.contentType === "application/pdf";
  const address = `/contracts/${contractId}/versions/${id}`;
  return (
    <li className="relative flex items-start gap-3 border-line border-b px-4 py-2.5 last:border-b-0">
      <span
        title={`Version ${versionNumber}`}
        className="mt-0.5 inline-flex h-6 min-w-8 shrink-0 items-center justify-center whitespace-nowrap rounded-md bg-well px-1.5 font-semibold text-quiet text-xs tabular-nums"
      >
        <span className="sr-only">Version </span>
        <span aria-hidden>v</span>
        {versionNumber}
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <NameLink href={address} className="min-w-0 break-words">
            {fileName}
          </NameLink>
          {source === "SIGNED" && <Badge tone="good">Signed</Badge>}
          <PdfState version={version} progress={progress} />
        </p>
        <p className="text-quiet text-xs">
          {sourceWords[source] ?? source}
          {who && ` by ${who}`}, <Ago value={createdAt} />
          <span className="text-faint">
            {" · "}
            {sizeText(sizeBytes)}
            {progress?.pageCount ? ` · ${counted(progress.pageCount, "page")}` : ""}
          </span>
        </p>
        {progress?.pdfState === "FAILED" && <Failed version={version} why={progress.pdfError} />}
      </div>
      <Menu
        align="end"
        label={`Version ${versionNumber}`}
        trigger={
          <IconButton label={`More about version ${versionNumber}`} size="sm">
            <MoreHorizontal aria-hidden />
          </IconButton>
        }
      >
        <MenuItem
          icon={<Download aria-hidden />}
          onSelect={() => void downloadVersion({ contractId, versionId: id, as: "original" })}
        >
          Download the {isPdf ? "PDF" : "DOCX"}
        </MenuItem>
        {!isPdf && progress?.pdfState === "READY" && (
          <MenuItem
            icon={<Download aria-hidden />}
            onSelect={() => void downloadVersion({ contractId, versionId: id, as: "pdf" })}
          >
            Download the PDF
          </MenuItem>
        )}
        {earlier && (
          <MenuItem
            icon={<GitCompareArrows aria-hidden />}
            onSelect={() => router.push(`/contracts/${contractId}/compare?from=${earlier.id}&to=${id}`)}
          >
            Compare with version {earlier.versionNumber}
          </MenuItem>
        )}
      </Menu>
    </li>
  );
}

function PdfState({ version, progress }: Pick<VersionRowProps, "version" | "progress">) {
  if (!progress || progress.pdfState === "READY") return null;
  if (progress.pdfState === "FAILED") return <Badge tone="bad">No PDF</Badge>;
  const place = placeText(progress.documentsAhead);
  return (
    <span role="status" className="inline-flex items-center gap-1.5 text-quiet text-xs">
      <LoaderCircle aria-hidden className="size-3.5 animate-turn" />
      Creating the PDF
      <span className="sr-only"> of version {version.versionNumber}</span>
      {place && <span>({place.replace(/\.$/, "")})</span>}
    </span>
  );
}

/** Why there is no PDF, and a button to retry. */
export function Failed({ version, why }: { version: Version; why: string | null }) {
  const may = useMay();
  const retry = useAct("versions.retry", { invalidates: ["versions"] });
  const { contractId, id } = version;
  return (
    <div className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-xs">
      <p className="min-w-0 text-danger">{why ?? "The PDF could not be created."} Try again, or add a PDF.</p>
      {may("contracts:write") && (
        <Button
          size="sm"
          busy={retry.isRunning}
          onClick={() => void retry.run({ contractId, versionId: id }).catch(() => undefined)}
        >
          <RotateCw aria-hidden />
          Retry
        </Button>
      )}
    </div>
  );
}

/** Returns a member's name, "you" for the current user, or null if it is unknown or may not be read. */
function useMemberName(userId: string | null): string | null {
  const { user } = useSession();
  const may = useMay();
  const { data } = useOperation("members.list", {}, { enabled: userId !== null && may("members:read") });
  if (userId === null) return null;
  if (userId === user.id) return "you";
  return data?.data.find((member) => member.userId === userId)?.name ?? null;
}

/** Returns a function that requests a link and downloads the file. */
export function useDownload(): (input: InputOf<"versions.viewUrl">) => Promise<void> {
  const { run } = useAct("versions.viewUrl", { invalidates: ["auditEvents", "contracts.activity"] });
  return async (input) => {
    const link = await run(input).catch(() => null);
    if (!link) return;
    download(link.url);
  };
}
