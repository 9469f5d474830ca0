"use client";
/** The versions of a contract's document, with their progress, and the upload of a new one. */
import { FileText, GitCompareArrows } from "lucide-react";
import { useEffect, useState } from "react";
import { acceptOf, documents } from "#components/accepted-files.ts";
import { useMay } from "#components/session.tsx";
import { Button } from "#components/ui/button.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card, Section } from "#components/ui/card.tsx";
import { DropOverlay } from "#components/ui/drop-overlay.tsx";
import { FileDrop, usePageDrop } from "#components/ui/file-drop.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "#components/ui/states.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { UploadStatus, useUpload } from "#components/upload.tsx";
import { OlderVersions } from "./older-versions.tsx";
import { useRecentVersions } from "./recent.ts";
import { VersionRow } from "./version-row.tsx";

/** The number of versions shown at first, and how many more each click shows. */
const fewVersions = 5;
const moreVersions = 20;

export interface ContractDocumentsProps {
  contractId: string;
  /** Files dropped on the page before this component was loaded, which removes them from the array. */
  early: File[];
}

export function ContractDocuments({ contractId, early }: ContractDocumentsProps) {
  const may = useMay();
  const mayWrite = may("contracts:write");
  const { data, error, refetch } = useRecentVersions(contractId);
  const toast = useToast();
  const upload = useUpload("versions.create", {
    invalidates: ["versions", "contracts", "approvals", "proposals", "auditEvents", "home"],
    onSent: ({ version }) =>
      toast({ title: `Version ${version.versionNumber} added`, detail: version.fileName }),
    several: true,
  });
  const [olderCount, setOlderCount] = useState(0);
  // One after the other, so that the files become versions in this order.
  const takeAll = (files: File[]) => {
    if (upload.state.kind === "idle") upload.clear();
    for (const file of files) void upload.send(file, { id: contractId });
  };
  const isOver = usePageDrop(mayWrite ? takeAll : null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when this part is loaded.
  useEffect(() => takeAll(early.splice(0)), []);
  const versions = data?.data ?? [];
  const total = data?.total ?? 0;
  const left = total - fewVersions - olderCount;
  return (
    <Section
      id="documents"
      title="Documents"
      actions={
        versions.length > 1 && (
          <ButtonLink
            size="sm"
            href={`/contracts/${contractId}/compare?from=${versions[1]!.id}&to=${versions[0]!.id}`}
          >
            <GitCompareArrows aria-hidden />
            Compare versions
          </ButtonLink>
        )
      }
    >
      {isOver && <DropOverlay>Drop it to add a version</DropOverlay>}
      <div className="grid gap-3">
        <Card>
          {error && !data ? (
            <ErrorState message={error.message} requestId={error.requestId} onRetry={refetch} />
          ) : !data ? (
            <SkeletonRows label="Loading the documents" rows={2} />
          ) : versions.length === 0 ? (
            <EmptyState icon={FileText} title="No document yet" compact>
              {mayWrite
                ? "Add the PDF or Word file of this contract. Each later file becomes its next version, to read and compare here."
                : "Anyone who can edit this contract can add its document."}
            </EmptyState>
          ) : (
            <ul aria-label="Versions">
              {versions.slice(0, fewVersions).map((version, index) => (
                <VersionRow
                  key={version.id}
                  version={version}
                  progress={version}
                  earlier={versions[index + 1]}
                />
              ))}
              {olderCount > 0 && (
                <OlderVersions contractId={contractId} from={fewVersions} to={fewVersions + olderCount} />
              )}
            </ul>
          )}
        </Card>
        {left > 0 && (
          <Button
            size="sm"
            className="justify-self-start"
            onClick={() => setOlderCount(olderCount + moreVersions)}
          >
            Show {Math.min(left, moreVersions)} older of {total} versions
          </Button>
        )}
        <UploadStatus upload={upload} />
        {mayWrite && upload.state.kind !== "sending" && (
          <FileDrop
            label={versions.length === 0 ? "Add a document" : "Add a new version"}
            hint="A PDF or DOCX of at most 50 MB, dropped here or chosen."
            accept={acceptOf(documents)}
            onFile={(file) => takeAll([file])}
            onOtherFiles={takeAll}
          />
        )}
      </div>
    </Section>
  );
}
