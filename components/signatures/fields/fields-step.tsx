"use client";
/** Places fields on the document's pages: who fills in what, and where. */
import { ScanText, Users } from "lucide-react";
import { useProgress } from "#components/documents/progress.ts";
import { placeText } from "#components/documents/words.ts";
import { useOperation } from "#components/query.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "#components/ui/states.tsx";
import type { Place } from "../place.ts";
import type { Envelope } from "../request-actions.ts";
import type { Saving } from "../saving.ts";
import { Placer } from "./placer.tsx";

export interface FieldsStepProps {
  envelope: Envelope;
  saving: Saving;
  place: Place | null;
}

export function FieldsStep({ envelope, saving, place }: FieldsStepProps) {
  const { contractId, documentVersionId: versionId, pdfState, signers } = envelope;
  const link = useOperation(
    "versions.viewUrl",
    { contractId, versionId, as: "pdf" },
    { enabled: pdfState === "READY" },
  );
  if (signers.length === 0) {
    return (
      <EmptyState icon={Users} title="No signers yet">
        Fields belong to signers: add them first, in the previous step.
      </EmptyState>
    );
  }
  if (pdfState === "FAILED" || link.error) {
    return (
      <ErrorState
        title="The document cannot be shown"
        message={
          link.error?.message ?? "Its PDF could not be created. Choose another version in the first step."
        }
        requestId={link.error?.requestId}
        onRetry={link.error ? link.refetch : undefined}
      />
    );
  }
  if (pdfState === "PENDING") return <Waiting envelope={envelope} />;
  if (!link.data) return <SkeletonRows label="Loading the document" />;
  return (
    <Placer envelope={envelope} saving={saving} place={place} url={link.data.url} onRetry={link.refetch} />
  );
}

function Waiting({ envelope }: Pick<FieldsStepProps, "envelope">) {
  const { id: envelopeId, contractId, documentVersionId } = envelope;
  useOperation("signatures.progress", { envelopeId }, { everyMs: 1500 });
  const { progress } = useProgress(contractId);
  const place = placeText(progress.get(documentVersionId)?.documentsAhead);
  return (
    <EmptyState icon={ScanText} title="The PDF is being created">
      {place} Fields can be placed as soon as it is there; this page updates automatically.
    </EmptyState>
  );
}
