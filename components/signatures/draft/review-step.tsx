"use client";
/** The last step: errors, warnings, and what is sent to whom. */
import { CircleAlert, CircleCheck, LoaderCircle, Send, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { createPortal } from "react-dom";
import { useGuardedNavigation } from "#components/mounted.ts";
import { useOperation } from "#components/query.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { DefinitionList } from "#components/ui/bits.tsx";
import { Button } from "#components/ui/button.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card, Section } from "#components/ui/card.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { ErrorState, SkeletonRows } from "#components/ui/states.tsx";
import { DateTime } from "#components/ui/time.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { counted } from "#components/words.ts";
import { signersOnTurn } from "#lib/signatures/lifecycle.ts";
import { colorOf } from "../colors.ts";
import type { Place } from "../place.ts";
import { type Envelope, useRequestAction } from "../request-actions.ts";
import type { Saving } from "../saving.ts";
import { describeFinding, type Finding } from "./findings.ts";

export interface ReviewStepProps {
  envelope: Envelope;
  saving: Saving;
  /** The bar at the bottom of the page, for the step's button; null until it is mounted. */
  bar: HTMLElement | null;
  onFix(place: Place): void;
}

/** The polling interval while the document's text is being read. */
const lookMs = 1500;

export function ReviewStep({ envelope, saving, bar, onFix }: ReviewStepProps) {
  const leadTo = useGuardedNavigation();
  const toast = useToast();
  const [asking, setAsking] = useState(false);
  const { data, error, isFetching, refetch } = useOperation(
    "signatures.check",
    { envelopeId: envelope.id },
    { everyMs: ({ isBeingRead }) => (isBeingRead ? lookMs : null) },
  );
  const send = useRequestAction("signatures.send");
  const now = signersOnTurn(envelope);
  // While polling, the last result still counts.
  const isKnown = data !== undefined && (data.isBeingRead || !isFetching);
  const isReady = isKnown && data.errors.length === 0 && saving.state.kind === "saved";
  if (error && !data)
    return <ErrorState message={error.message} requestId={error.requestId} onRetry={refetch} />;
  const go = async () => {
    await send.run({ envelopeId: envelope.id }).catch((refused) => {
      // The list then also shows what caused the refusal.
      refetch();
      throw refused;
    });
    toast({
      title: "Sent for signature",
      detail: `${now.map(({ name }) => name).join(", ")} ${now.length === 1 ? "is" : "are"} asked first.`,
    });
    leadTo(`/signatures/${envelope.id}`);
  };
  return (
    <div className="mx-auto grid max-w-3xl gap-8 px-4 py-6 md:px-6">
      <Section title="Checks">
        {data ? (
          <Findings {...data} envelope={envelope} onFix={onFix} />
        ) : (
          <SkeletonRows label="Checking" rows={2} />
        )}
      </Section>
      <Section title="What will be sent">
        <Card className="grid gap-4 p-4">
          <DefinitionList
            className="sm:grid-cols-2"
            items={[
              {
                term: "Document",
                value: `${envelope.documentVersion.fileName}, version ${envelope.documentVersion.versionNumber}`,
              },
              {
                term: "Deadline",
                value: envelope.deadline ? <DateTime value={envelope.deadline} /> : "None",
              },
              { term: "Subject", value: envelope.subject },
              {
                term: "Message",
                value: <span className="whitespace-pre-wrap">{envelope.message ?? "–"}</span>,
              },
            ]}
          />
          <ol className="grid gap-2 border-line border-t pt-3">
            {envelope.signers.map((signer, index) => (
              <li key={signer.id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <span
                  aria-hidden
                  style={{ background: colorOf(index).line }}
                  className="size-2.5 rounded-full"
                />
                <span className="font-medium">{signer.name}</span>
                <span className="min-w-0 break-words text-quiet">{signer.email}</span>
                {signer.codeRequired && <Badge>Code by e-mail</Badge>}
                <span className="ml-auto text-quiet text-xs tabular-nums">
                  {counted(envelope.fields.filter(({ signerId }) => signerId === signer.id).length, "field")}
                  {`, turn ${signer.orderIndex + 1}`}
                </span>
              </li>
            ))}
          </ol>
        </Card>
      </Section>
      {data && data.errors.length > 0 && (
        <p className="text-quiet">Fix what is marked in red before you send.</p>
      )}
      {bar &&
        createPortal(
          <Button variant="primary" disabled={!isReady} onClick={() => setAsking(true)}>
            <Send aria-hidden />
            Send for signature
          </Button>,
          bar,
        )}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Send it for signature?"
        description={`${now.map(({ name }) => name).join(", ")} ${now.length === 1 ? "gets" : "get"} an e-mail at once. What is sent can be voided, but not changed.`}
        action="Send now"
        danger={false}
        onConfirm={go}
      />
    </div>
  );
}

interface FindingsProps {
  envelope: Envelope;
  errors: Finding[];
  warnings: Finding[];
  isBeingRead: boolean;
  onFix(place: Place): void;
}

function Findings({ isBeingRead, ...found }: FindingsProps) {
  const isEmpty = found.errors.length + found.warnings.length === 0;
  return (
    <div className="grid gap-3">
      {!(isEmpty && isBeingRead) && <FoundSoFar {...found} />}
      {isBeingRead && (
        <p
          role="status"
          className="flex items-center gap-2 rounded-lg border border-line px-4 py-3 text-quiet"
        >
          <LoaderCircle aria-hidden className="size-4 shrink-0 animate-turn" />
          The document is still being read for blanks.
        </p>
      )}
    </div>
  );
}

function FoundSoFar({ envelope, errors, warnings, onFix }: Omit<FindingsProps, "isBeingRead">) {
  if (errors.length + warnings.length === 0) {
    return (
      <p className="flex items-center gap-2 rounded-lg bg-tone-good px-4 py-3 text-on-good">
        <CircleCheck aria-hidden className="size-4 shrink-0" />
        Nothing is missing: it can be sent.
      </p>
    );
  }
  const all = [
    ...errors.map((finding) => ({ finding, isError: true })),
    ...warnings.map((finding) => ({ finding, isError: false })),
  ];
  return (
    <ul className="divide-y divide-line rounded-lg border border-line">
      {all.map(({ finding, isError }) => {
        const { text, place, action } = describeFinding(finding, envelope);
        const Icon = isError ? CircleAlert : TriangleAlert;
        return (
          <li
            key={`${finding.path} ${finding.message}`}
            className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5"
          >
            <Icon aria-hidden className={isError ? "size-4 text-danger" : "size-4 text-on-warn"} />
            <span className="min-w-0 flex-1 basis-56">
              <span className="sr-only">{isError ? "Must be fixed: " : "Please check: "}</span>
              {text}
            </span>
            {place ? (
              <Button size="sm" onClick={() => onFix(place)}>
                {action}
              </Button>
            ) : (
              <ButtonLink size="sm" href={`/contracts/${envelope.contractId}`}>
                {action}
              </ButtonLink>
            )}
          </li>
        );
      })}
    </ul>
  );
}
