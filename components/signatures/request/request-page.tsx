"use client";
/** One signature request: its progress, the state of every mail, and the available actions. */
import { useOperation } from "#components/query.tsx";
import { DefinitionList } from "#components/ui/bits.tsx";
import { Card, Section } from "#components/ui/card.tsx";
import { CopyText } from "#components/ui/copy.tsx";
import { Link } from "#components/ui/link.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { PagePending } from "#components/ui/states.tsx";
import { DateTime } from "#components/ui/time.tsx";
import { isOutForSignature } from "#lib/signatures/lifecycle.ts";
import { crumbsOf } from "../crumbs.ts";
import type { Envelope } from "../request-actions.ts";
import { EnvelopeBadge } from "../status.tsx";
import { Downloads } from "./downloads.tsx";
import { RequestEvents } from "./events.tsx";
import { RequestActions } from "./moves.tsx";
import { Notice } from "./notice.tsx";
import { SignerItem } from "./signer-item.tsx";

/** Returns how often to poll a request, in milliseconds, or null if it does not change by itself. */
const pollIntervalOf = ({ status }: Envelope) =>
  isOutForSignature(status) || status === "SEALING" ? 4000 : null;

export function RequestPage({ envelopeId }: { envelopeId: string }) {
  const reading = useOperation(
    "signatures.progress",
    { envelopeId },
    { everyMs: ({ envelope }) => pollIntervalOf(envelope) },
  );
  const { data } = reading;
  if (!data) return <PagePending reading={reading} label="Loading the request" />;
  const { envelope } = data;
  return (
    <div className="mx-auto max-w-6xl px-4 pt-5 pb-12 md:px-6">
      <PageHeader
        title={envelope.subject}
        badge={<EnvelopeBadge status={envelope.status} />}
        crumbs={crumbsOf(envelope)}
        actions={<RequestActions envelope={envelope} />}
      />
      <div className="mt-6 grid gap-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 content-start gap-8">
          <Notice envelope={envelope} />
          <Section title="Signers" hint={progressOf(envelope)}>
            {envelope.signers.length === 0 ? (
              <p className="rounded-lg bg-well p-4 text-quiet">No signers yet.</p>
            ) : (
              <ol className="grid gap-3">
                {envelope.signers.map((signer) => (
                  <SignerItem key={signer.id} signer={signer} envelope={envelope} />
                ))}
              </ol>
            )}
          </Section>
        </div>
        <aside aria-label="Details" className="grid min-w-0 content-start gap-6">
          <Details envelope={envelope} />
        </aside>
        <div className="min-w-0">
          <RequestEvents key={envelopeId} envelope={envelope} everyMs={pollIntervalOf(envelope)} />
        </div>
      </div>
    </div>
  );
}

function progressOf({ status, progress }: Envelope): string | null {
  if (status === "DRAFT" || progress.totalSigners === 0) return null;
  return `${progress.signedCount} of ${progress.totalSigners} signed`;
}

function Details({ envelope }: { envelope: Envelope }) {
  const { documentVersion, deadline, sentAt, completedAt, message, pdfSha256 } = envelope;
  const items = [
    {
      term: "Contract",
      value: <Link href={`/contracts/${envelope.contractId}`}>{envelope.contract.title}</Link>,
    },
    { term: "Document", value: `${documentVersion.fileName}, version ${documentVersion.versionNumber}` },
    { term: "Deadline", value: deadline ? <DateTime value={deadline} /> : "None" },
    ...(sentAt ? [{ term: "Sent", value: <DateTime value={sentAt} /> }] : []),
    ...(completedAt ? [{ term: "Completed", value: <DateTime value={completedAt} /> }] : []),
    ...(message ? [{ term: "Message", value: <span className="whitespace-pre-wrap">{message}</span> }] : []),
    ...(pdfSha256
      ? [{ term: "SHA-256 of what is signed", value: <CopyText text={pdfSha256} className="w-full" /> }]
      : []),
  ];
  return (
    <Card className="grid gap-4 p-4">
      <DefinitionList items={items} />
      <Downloads envelope={envelope} />
    </Card>
  );
}
