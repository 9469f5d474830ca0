"use client";
/** Selects the version of the contract's document to be signed, and shows whether its PDF is ready. */
import { FileText } from "lucide-react";
import { placeText } from "#components/documents/words.ts";
import { useAct, useOperation } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Radio } from "#components/ui/choice.tsx";
import { Link } from "#components/ui/link.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "#components/ui/states.tsx";
import { DateTime } from "#components/ui/time.tsx";
import { counted } from "#components/words.ts";
import type { OutputOf } from "#lib/doors/client.ts";

export interface DocumentChoiceProps {
  contractId: string;
  value: string | null;
  onValue(versionId: string): void;
}

type Progress = OutputOf<"versions.progress">["data"][number];

const whilePending = ({ data }: OutputOf<"versions.progress">) =>
  data.some(({ pdfState }) => pdfState === "PENDING") ? 1500 : null;

export function DocumentChoice({ contractId, value, onValue }: DocumentChoiceProps) {
  const versions = useOperation("versions.list", { id: contractId });
  const { data: progress } = useOperation("versions.progress", { contractId }, { everyMs: whilePending });
  if (versions.error && !versions.data) {
    const { message, requestId } = versions.error;
    return <ErrorState message={message} requestId={requestId} onRetry={versions.refetch} />;
  }
  if (!versions.data) return <SkeletonRows label="Loading the documents" rows={2} />;
  if (versions.data.data.length === 0) {
    return (
      <EmptyState
        icon={FileText}
        title="There is no document yet"
        action={<Link href={`/contracts/${contractId}`}>Open the contract</Link>}
      >
        Add a PDF or a DOCX to the contract; then it can be sent for signature.
      </EmptyState>
    );
  }
  const states = new Map(progress?.data.map((version) => [version.id, version]));
  return (
    <fieldset>
      <legend className="sr-only">Version to sign</legend>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {versions.data.data.map(({ id, versionNumber, fileName, createdAt }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
            <Radio
              name="version"
              value={id}
              checked={value === id}
              onChange={() => onValue(id)}
              className="min-w-0 flex-1 basis-60"
              label={<span className="font-medium">{fileName}</span>}
              hint={
                <>
                  Version {versionNumber}, <DateTime value={createdAt} />
                </>
              }
            />
            <PdfState contractId={contractId} progress={states.get(id)} />
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

function PdfState({ contractId, progress }: { contractId: string; progress: Progress | undefined }) {
  const may = useMay();
  const retry = useAct("versions.retry", { invalidates: ["versions"] });
  if (!progress) return null;
  const { id: versionId, pdfState, pdfError, pageCount, documentsAhead } = progress;
  if (pdfState === "READY") {
    return <Badge tone="good">{pageCount === null ? "PDF ready" : counted(pageCount, "page")}</Badge>;
  }
  if (pdfState === "PENDING") {
    const place = placeText(documentsAhead);
    return (
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone="review" dot>
          PDF is being created
        </Badge>
        {place && <span className="text-quiet text-xs">{place}</span>}
      </div>
    );
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Badge tone="bad">No PDF</Badge>
      <span className="text-quiet text-xs">{pdfError ?? "It could not be created."}</span>
      {may("contracts:write") && (
        <Button
          size="sm"
          busy={retry.isRunning}
          onClick={() => void retry.run({ contractId, versionId }).catch(() => undefined)}
        >
          Try again
        </Button>
      )}
    </div>
  );
}
