"use client";
/** Starts a signature request: selects which document of the contract to send. */
import { ArrowRight } from "lucide-react";
import { useState } from "react";
import { useGuardedNavigation } from "#components/mounted.ts";
import { useAct, useOperation } from "#components/query.tsx";
import { Button } from "#components/ui/button.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { ErrorState, SkeletonRows } from "#components/ui/states.tsx";
import { DateTime } from "#components/ui/time.tsx";
import { counted } from "#components/words.ts";
import { unsendable } from "../sendable.ts";
import { Steps } from "../steps.tsx";
import { DocumentChoice } from "./document-choice.tsx";

export function BeginPage({ contractId }: { contractId: string }) {
  const leadTo = useGuardedNavigation();
  const [chosen, setChosen] = useState<string | null>(null);
  const [isLeaving, setLeaving] = useState(false);
  const { data, error, refetch } = useOperation("contracts.read", { id: contractId });
  const versions = useOperation("versions.list", { id: contractId }).data?.data;
  const requests = useOperation("signatures.listOfContract", { id: contractId }).data?.data;
  const create = useAct("signatures.createDraft", {
    invalidates: ["signatures.list", "signatures.listOfContract", "home", "auditEvents"],
  });
  if (error && !data)
    return <ErrorState message={error.message} requestId={error.requestId} onRetry={refetch} />;
  if (!data) return <SkeletonRows label="Loading the contract" rows={4} />;
  const { contract } = data;
  const why = unsendable(contract.status, versions?.length);
  const drafts = requests?.filter(({ status }) => status === "DRAFT") ?? [];
  const versionId = chosen ?? versions?.[0]?.id ?? null;
  const begin = async () => {
    if (versionId === null) return;
    const { envelope } = await create.run({ contractId, documentVersionId: versionId });
    setLeaving(true);
    leadTo(`/signatures/${envelope.id}/edit?step=signers`);
  };
  return (
    <div className="mx-auto grid max-w-3xl gap-6 px-4 pt-5 pb-12 md:px-6">
      <PageHeader
        title="Send for signature"
        crumbs={[
          { label: "Contracts", href: "/contracts" },
          { label: contract.title, href: `/contracts/${contractId}` },
        ]}
      />
      <Steps at="document" />
      {why && (
        <p role="status" className="rounded-md bg-tone-warn px-3 py-2 text-on-warn">
          {why}
        </p>
      )}
      {drafts.length > 0 && (
        <Card className="p-4">
          <h2 className="font-semibold">
            {counted(drafts.length, "draft")} of this contract {drafts.length === 1 ? "is" : "are"} there
            already
          </h2>
          <ul className="mt-2 grid gap-2">
            {drafts.map(({ id, documentVersion, updatedAt }) => (
              <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <span className="min-w-0 flex-1 basis-48 truncate">{documentVersion.fileName}</span>
                <DateTime value={updatedAt} className="text-quiet text-xs" />
                <ButtonLink size="sm" href={`/signatures/${id}/edit`}>
                  Continue
                </ButtonLink>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <section aria-label="Document" className="grid gap-3">
        <h2 className="font-semibold text-base">Which version should be signed?</h2>
        <DocumentChoice contractId={contractId} value={versionId} onValue={setChosen} />
      </section>
      <div className="flex flex-wrap justify-end gap-2">
        <ButtonLink href={`/contracts/${contractId}`}>Cancel</ButtonLink>
        <Button
          variant="primary"
          disabled={versionId === null || why !== null}
          busy={create.isRunning || isLeaving}
          onClick={() => void begin().catch(() => undefined)}
        >
          Next: signers
          <ArrowRight aria-hidden />
        </Button>
      </div>
    </div>
  );
}
