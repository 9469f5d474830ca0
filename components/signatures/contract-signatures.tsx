"use client";
/** The signature requests of one contract, and a button for the next one. */
import { Send } from "lucide-react";
import { useRecentVersions } from "#components/documents/recent.ts";
import { useOperation } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card, Section } from "#components/ui/card.tsx";
import { linkClass, NameLink } from "#components/ui/link.tsx";
import { ErrorState, SkeletonRows } from "#components/ui/states.tsx";
import { DateTime } from "#components/ui/time.tsx";
import type { Contract } from "#lib/contracts/schema.ts";
import { isOutForSignature } from "#lib/signatures/lifecycle.ts";
import { unsendable } from "./sendable.ts";
import { EnvelopeBadge } from "./status.tsx";

export function ContractSignatures({ contract }: { contract: Contract }) {
  const may = useMay();
  const { id: contractId, status } = contract;
  const { data, error, refetch } = useOperation("signatures.listOfContract", { id: contractId });
  const requests = data?.data ?? [];
  const { data: versions } = useRecentVersions(contractId);
  const { data: approvals } = useOperation("approvals.ofContract", { id: contractId });
  const mayWrite = may("signatures:write");
  const why = unsendable(status, versions?.total);
  return (
    <Section
      id="signatures"
      title="Signature requests"
      actions={
        mayWrite &&
        why === null && (
          <ButtonLink size="sm" href={`/contracts/${contractId}/send`}>
            <Send aria-hidden />
            Send for signature
          </ButtonLink>
        )
      }
    >
      {!data && (
        <Card>
          {error ? (
            <ErrorState message={error.message} requestId={error.requestId} onRetry={refetch} />
          ) : (
            <SkeletonRows label="Loading the signature requests" rows={1} />
          )}
        </Card>
      )}
      {requests.length > 0 && (
        <Card>
          <ul>
            {requests.map(({ id, status: state, documentVersion, progress, createdAt }) => (
              <li
                key={id}
                className="relative flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-b px-4 py-2.5 last:border-b-0 hover:bg-well"
              >
                <div className="min-w-0 flex-1 basis-56">
                  <p className="truncate">
                    <NameLink href={`/signatures/${id}`} className="after:absolute after:inset-0">
                      {documentVersion.fileName}
                    </NameLink>
                  </p>
                  <p className="text-quiet text-xs">
                    {state === "DRAFT"
                      ? "Not sent yet"
                      : `${progress.signedCount} of ${progress.totalSigners} signed`}
                    {isOutForSignature(state) &&
                      progress.awaitingSigner &&
                      `, waiting for ${progress.awaitingSigner.name}`}
                  </p>
                </div>
                <DateTime value={createdAt} className="text-quiet text-xs" />
                <EnvelopeBadge status={state} />
              </li>
            ))}
          </ul>
        </Card>
      )}
      {mayWrite && why !== null && (
        <p
          className={
            requests.length > 0 || !data ? "mt-2 text-quiet text-xs" : "rounded-lg bg-well p-4 text-quiet"
          }
        >
          {why}
        </p>
      )}
      {mayWrite && why === null && approvals?.isNeeded && (
        <p className="mb-2 text-quiet text-xs">
          The contract needs{" "}
          <a href="#approval" className={linkClass}>
            approval
          </a>{" "}
          first. A request can be prepared now, and sent once everyone has approved.
        </p>
      )}
      {data?.data.length === 0 && (why === null || !mayWrite) && (
        <p className="rounded-lg bg-well p-4 text-quiet">
          Nothing has been sent for signature yet. Signers get a link by e-mail and need no account.
        </p>
      )}
    </Section>
  );
}
