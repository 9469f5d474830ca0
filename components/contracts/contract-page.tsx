"use client";
/** The page of a contract: its details, what follows from them, and what happened to it. */
import { useState } from "react";
import { ContractApproval } from "#components/approvals/contract-approval.tsx";
import { FirstPage } from "#components/documents/first-page.tsx";
import { ContractObligations } from "#components/obligations/contract-obligations.tsx";
import { ContractProposals } from "#components/proposals/contract-proposals.tsx";
import { useOperation } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { Card, Section } from "#components/ui/card.tsx";
import { DropOverlay } from "#components/ui/drop-overlay.tsx";
import { type FilesHandler, usePageDrop } from "#components/ui/file-drop.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { PagePending, Skeleton } from "#components/ui/states.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { recordEntry } from "#components/ui/unsaved.ts";
import { ContractHeader } from "./contract-header.tsx";
import { ContractDetails } from "./details.tsx";
import { SectionLinks } from "./section-links.tsx";
import { TermSection } from "./term.tsx";

/** The lower sections load after the visible ones. Their placeholders have the ids that links point to. */
const ContractDocuments = lazily(
  () => import("#components/documents/contract-documents.tsx").then((module) => module.ContractDocuments),
  { loading: () => <SectionPlaceholder id="documents" title="Documents" /> },
);
const ContractSignatures = lazily(
  () => import("#components/signatures/contract-signatures.tsx").then((module) => module.ContractSignatures),
  { loading: () => <SectionPlaceholder id="signatures" title="Signature requests" /> },
);
const ContractComments = lazily(
  () => import("#components/comments/contract-comments.tsx").then((module) => module.ContractComments),
  { loading: () => <SectionPlaceholder id="comments" title="Comments" /> },
);
const ContractActivity = lazily(() => import("./activity.tsx").then((module) => module.ContractActivity), {
  loading: () => <SectionPlaceholder id="activity" title="Activity" />,
});

/** Holds files that are dropped before the documents section has loaded, and passes them to it. */
function Documents({ contractId }: { contractId: string }) {
  const mayWrite = useMay()("contracts:write");
  const toast = useToast();
  const [early] = useState<File[]>([]);
  return (
    <>
      {mayWrite && (
        <EarlyDrop
          onFiles={(files) => {
            early.push(...files);
            recordEntry();
            toast({
              title: `${files.length === 1 ? files[0]!.name : `${files.length} files`} will be added`,
              detail: "As soon as the page has finished loading.",
            });
          }}
        />
      )}
      <ContractDocuments contractId={contractId} early={early} />
    </>
  );
}

/** Mounted before the section, so that the section takes over drops once it is mounted. */
function EarlyDrop({ onFiles }: { onFiles: FilesHandler }) {
  return usePageDrop(onFiles) ? <DropOverlay>Drop it to add a version</DropOverlay> : null;
}

function SectionPlaceholder({ id, title }: { id: string; title: string }) {
  return (
    <Section id={id} title={title}>
      <Skeleton className="h-24 w-full" />
    </Section>
  );
}

export function ContractPage({ id }: { id: string }) {
  const reading = useOperation("contracts.read", { id });
  const { data } = reading;
  if (!data) return <PagePending reading={reading} label="Loading the contract" />;
  const { contract } = data;
  return (
    <div className="mx-auto max-w-[90rem] px-4 pt-5 pb-12 md:px-6">
      <ContractHeader contract={contract} />
      <SectionLinks />
      <div className="mt-5 grid gap-x-8 gap-y-6 lg:grid-cols-[18rem_minmax(0,1fr)] xl:grid-cols-[24rem_minmax(0,1fr)] 2xl:grid-cols-[30rem_minmax(0,1fr)]">
        <FirstPage contractId={id} className="min-w-0 self-start lg:sticky lg:top-14" />
        <div className="grid min-w-0 content-start gap-8">
          <Section id="summary" title="Summary">
            <Card className="p-4">
              <ContractDetails contract={contract} />
            </Card>
          </Section>
          <ContractApproval contract={contract} />
          <ContractProposals contractId={id} />
          <TermSection contract={contract} />
          <ContractObligations contractId={id} />
          <Documents contractId={id} />
          <ContractSignatures contract={contract} />
          <ContractComments contractId={id} />
          <ContractActivity contractId={id} />
        </div>
      </div>
    </div>
  );
}
