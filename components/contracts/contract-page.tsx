"use client";
/** One contract: what it is, what follows from it, what happened to it. */
import { ContractApproval } from "#components/approvals/contract-approval.tsx";
import { ContractComments } from "#components/comments/contract-comments.tsx";
import { ContractDocuments } from "#components/documents/contract-documents.tsx";
import { ContractObligations } from "#components/obligations/contract-obligations.tsx";
import { ContractProposals } from "#components/proposals/contract-proposals.tsx";
import { useOperation } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { ContractSignatures } from "#components/signatures/contract-signatures.tsx";
import { Card } from "#components/ui/card.tsx";
import { InlineText } from "#components/ui/inline.tsx";
import { Breadcrumbs } from "#components/ui/page-header.tsx";
import { PagePending } from "#components/ui/states.tsx";
import type { Contract } from "#lib/contracts/schema.ts";
import { ContractActivity } from "./activity.tsx";
import { ContractDetails, usePatch } from "./details.tsx";
import { StatusMenu } from "./status-menu.tsx";
import { TermSection } from "./term.tsx";

export function ContractPage({ id }: { id: string }) {
  const reading = useOperation("contracts.read", { id });
  const { data } = reading;
  if (!data) return <PagePending reading={reading} label="Loading the contract" />;
  const { contract } = data;
  return (
    <div className="mx-auto max-w-6xl px-4 pt-5 pb-12 md:px-6">
      <Header contract={contract} />
      <div className="mt-6 grid gap-8 lg:grid-cols-[minmax(0,1fr)_20rem] lg:grid-rows-[auto_1fr]">
        <Card className="p-4 lg:col-start-2">
          <ContractDetails contract={contract} />
        </Card>
        <div className="grid min-w-0 content-start gap-8 lg:col-start-1 lg:row-span-2 lg:row-start-1">
          <ContractDocuments contractId={id} />
          <ContractApproval contract={contract} />
          <ContractProposals contractId={id} />
          <TermSection contract={contract} />
          <ContractObligations contractId={id} />
          <ContractSignatures contract={contract} />
          <ContractComments contractId={id} />
        </div>
        <div className="min-w-0 lg:col-start-2">
          <ContractActivity contractId={id} />
        </div>
      </div>
    </div>
  );
}

function Header({ contract }: { contract: Contract }) {
  const may = useMay();
  const patch = usePatch(contract);
  return (
    <header>
      <Breadcrumbs crumbs={[{ label: "Contracts", href: "/contracts" }]} />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h1 className="min-w-0 font-semibold text-xl tracking-[-0.015em]">
          <InlineText
            label="Title"
            value={contract.title}
            disabled={!may("contracts:write")}
            onSave={(title) => patch({ title })}
          />
        </h1>
        <StatusMenu contract={contract} />
      </div>
    </header>
  );
}
