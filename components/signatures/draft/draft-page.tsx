"use client";
/** Prepares a draft for sending, step by step. The address names the step; the server stores the draft. */
import { ArrowLeft, ArrowRight, Check, CloudAlert, CloudOff, LoaderCircle } from "lucide-react";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useOperation } from "#components/query.tsx";
import { Button } from "#components/ui/button.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { useIsCutOff } from "#components/ui/connection.ts";
import { lazily } from "#components/ui/lazily.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { EmptyState, PagePending, SkeletonRows } from "#components/ui/states.tsx";
import { crumbsOf } from "../crumbs.ts";
import type { Place } from "../place.ts";
import type { Envelope } from "../request-actions.ts";
import { type PartName, type Saving, type SavingState, useSaving } from "../saving.ts";
import { type Step, Steps, stepNames, steps } from "../steps.tsx";
import { DocumentChoice } from "./document-choice.tsx";
import { SignersStep } from "./signers-step.tsx";

const FieldsStep = lazily(() => import("../fields/fields-step.tsx").then((module) => module.FieldsStep), {
  loading: () => <SkeletonRows label="Loading the document" />,
});
const ReviewStep = lazily(() => import("./review-step.tsx").then((module) => module.ReviewStep), {
  loading: () => <SkeletonRows label="Loading the review" />,
});

export function DraftPage({ envelopeId }: { envelopeId: string }) {
  const reading = useOperation("signatures.progress", { envelopeId });
  const { data } = reading;
  if (!data) return <PagePending reading={reading} label="Loading the draft" />;
  const { envelope } = data;
  if (envelope.status !== "DRAFT") {
    return (
      <EmptyState
        icon={Check}
        title="It has been sent"
        action={<ButtonLink href={`/signatures/${envelope.id}`}>Open the request</ButtonLink>}
      >
        What was sent can no longer be changed here.
      </EmptyState>
    );
  }
  return <Wizard envelope={envelope} />;
}

const stepInAddress = parseAsStringLiteral(steps).withDefault("document").withOptions({ history: "push" });

/** The step in which each part of the draft is entered. */
const stepOf: Record<PartName, Step> = {
  document: "document",
  signers: "signers",
  mail: "signers",
  fields: "fields",
};

/** Returns the first step that contains one of these parts, which cannot be saved yet. */
const firstOf = (parts: readonly PartName[]): Step | undefined =>
  steps.find((step) => parts.some((part) => stepOf[part] === step));

function Wizard({ envelope }: { envelope: Envelope }) {
  const [step, setStep] = useQueryState("step", stepInAddress);
  const saving = useSaving(envelope);
  const isCutOff = useIsCutOff();
  /** The step that blocked continuing; a new object each time, so that its first error is focused again. */
  const [blocked, setBlocked] = useState<{ at: Step } | null>(null);
  const [bar, setBar] = useState<HTMLElement | null>(null);
  /** The place that a check linked to. */
  const [place, setPlace] = useState<Place | null>(null);
  const sentTo = place?.step === step ? place : null;
  const top = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only for a new step: starts at its top, or at `sentTo`.
  useEffect(() => {
    const isThere = isFirst.current || sentTo?.part !== undefined;
    if (!isThere) top.current?.focus({ preventScroll: true });
    if (!isThere) window.scrollTo({ top: 0 });
    isFirst.current = false;
  }, [step]);
  useEffect(() => {
    if (blocked?.at !== step) return;
    top.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [blocked, step]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a step starts with the draft as known when it opens.
  useLayoutEffect(() => saving.follow(envelope), [step, saving.isRestoring]);
  const go = async (next: Step, sent: Place | null = null) => {
    // Errors are shown where they can be fixed; going back is always possible.
    const isBack = steps.indexOf(next) < steps.indexOf(step);
    const saved = saving.flush();
    // Without a connection, saving waits, and continuing would wait silently.
    if (!isBack && isCutOff) return setBlocked({ at: step });
    const lacking = (await saved) || isBack ? undefined : firstOf(saving.unsaved());
    const isHeldUp = lacking !== undefined && steps.indexOf(lacking) < steps.indexOf(next);
    setBlocked(isHeldUp ? { at: lacking } : null);
    setPlace(isHeldUp ? null : sent);
    await setStep(isHeldUp ? lacking : next);
  };
  const lacking = firstOf(saving.missing);
  const show = async (where: Step) => {
    setBlocked({ at: where });
    await setStep(where);
  };
  const at = steps.indexOf(step);
  return (
    <div className="flex min-h-[calc(100dvh-3rem)] flex-col md:min-h-[calc(100dvh-1rem)]">
      <div className="grid gap-4 px-4 pt-5 md:px-6">
        <PageHeader
          title={envelope.subject}
          crumbs={crumbsOf(envelope)}
          actions={
            <SavedState
              state={saving.state}
              isCutOff={isCutOff}
              onRetry={() => void saving.flush()}
              onReload={() => {
                saving.discard();
                window.location.reload();
              }}
              onShow={lacking && lacking !== step ? () => void show(lacking) : undefined}
            />
          }
        />
        <Steps at={step} onStep={(next) => void go(next)} />
      </div>
      <section ref={top} tabIndex={-1} aria-label={stepNames[step]} className="flex-1 outline-none">
        {saving.isRestoring ? (
          <SkeletonRows label="Saving what you entered last" />
        ) : (
          <>
            {step === "document" && <DocumentStep envelope={envelope} saving={saving} />}
            {step === "signers" && <SignersStep envelope={envelope} saving={saving} place={sentTo} />}
            {step === "fields" && (
              <FieldsStep
                key={envelope.documentVersionId}
                envelope={envelope}
                saving={saving}
                place={sentTo}
              />
            )}
            {step === "review" && (
              <ReviewStep
                envelope={envelope}
                saving={saving}
                bar={bar}
                onFix={(next) => void go(next.step, next)}
              />
            )}
          </>
        )}
      </section>
      <footer
        data-bottom-bar
        className="print:hidden sticky bottom-16 z-10 flex items-center gap-2 border-line border-t bg-paper px-4 py-2.5 md:bottom-0 md:rounded-b-xl md:px-6"
      >
        {at > 0 && (
          <Button onClick={() => void go(steps[at - 1]!)}>
            <ArrowLeft aria-hidden />
            Back
          </Button>
        )}
        <ButtonLink variant="quiet" href={`/signatures/${envelope.id}`}>
          Close
        </ButtonLink>
        {blocked && isCutOff && (
          <p role="alert" className="ml-auto min-w-0 text-on-warn">
            There is no connection: the next step opens once your entries can be saved.
          </p>
        )}
        {step === "review" && <span ref={setBar} className="ml-auto flex" />}
        {at < steps.length - 1 && (
          <Button
            className={blocked && isCutOff ? undefined : "ml-auto"}
            variant="primary"
            onClick={() => void go(steps[at + 1]!)}
          >
            Next: {stepNames[steps[at + 1]!].toLowerCase()}
            <ArrowRight aria-hidden />
          </Button>
        )}
      </footer>
    </div>
  );
}

interface SavedStateProps {
  state: SavingState;
  isCutOff: boolean;
  onRetry(): void;
  /** Reloads the draft as changed by someone else, and discards unsaved changes. */
  onReload(): void;
  /** Shows what is missing; undefined unless that is in another step. */
  onShow: (() => void) | undefined;
}

function SavedState({ state, isCutOff, onRetry, onReload, onShow }: SavedStateProps) {
  if (isCutOff && state.kind !== "saved") {
    return (
      <div role="status" className="flex min-h-8 items-center gap-1.5 text-on-warn text-xs">
        <CloudOff aria-hidden className="size-3.5 shrink-0" />
        No connection: what you enter is kept, and saved once it is back
      </div>
    );
  }
  return (
    <div role="status" className="flex min-h-8 items-center gap-1.5 text-quiet text-xs">
      {state.kind === "saved" && (
        <>
          <Check aria-hidden className="size-3.5" /> Draft saved
        </>
      )}
      {state.kind === "waiting" && "Not saved yet"}
      {state.kind === "incomplete" && (
        <>
          <span className="text-danger">Not saved: something is missing</span>
          {onShow && (
            <Button size="sm" onClick={onShow}>
              Show
            </Button>
          )}
        </>
      )}
      {state.kind === "saving" && (
        <>
          <LoaderCircle aria-hidden className="size-3.5 animate-turn" /> Saving …
        </>
      )}
      {state.kind === "failed" && (
        <>
          <CloudAlert aria-hidden className="size-3.5 shrink-0 text-danger" />
          {state.problem.code === "conflict" ? (
            <>
              <span className="text-danger">Not saved: this draft was changed elsewhere</span>
              <Button size="sm" onClick={onReload}>
                Reload the draft
              </Button>
            </>
          ) : (
            <>
              <span className="text-danger">Not saved</span>
              <Button size="sm" onClick={onRetry}>
                Try again
              </Button>
            </>
          )}
        </>
      )}
    </div>
  );
}

function DocumentStep({ envelope, saving }: { envelope: Envelope; saving: Saving }) {
  const choose = (documentVersionId: string) => {
    saving.changed("document", { patch: () => ({ documentVersionId }) });
    void saving.flush();
  };
  return (
    <div className="mx-auto grid max-w-3xl gap-3 px-4 py-6 md:px-6">
      <h2 className="font-semibold text-base">Which version should be signed?</h2>
      <DocumentChoice contractId={envelope.contractId} value={envelope.documentVersionId} onValue={choose} />
      <p className="text-quiet text-xs">
        If you choose another version, fields keep their positions: check them again.
      </p>
    </div>
  );
}
