"use client";
/** The steps of an approval: what each needs, who has answered, and who it is waiting for. */
import { Check, Circle, CircleDot, Undo2 } from "lucide-react";
import { Ago } from "#components/ui/time.tsx";
import type { Approval, ApprovalAnswer, ApprovalStep } from "#lib/approvals/schema.ts";
import { standInsOf, stepInWords } from "./words.ts";

/** Steps for which nobody has been asked yet. */
export function UpcomingSteps({ steps }: { steps: readonly ApprovalStep[] }) {
  return (
    <ol className="grid gap-2">
      {steps.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step is identified by its position.
        <li key={index} className="flex items-start gap-2.5">
          <Circle aria-hidden className="mt-0.5 size-4 shrink-0 text-faint" />
          <Needs step={step} />
        </li>
      ))}
    </ol>
  );
}

function Needs({ step }: { step: ApprovalStep }) {
  const standIns = standInsOf(step);
  return (
    <span className="min-w-0 [overflow-wrap:anywhere]">
      {stepInWords(step)}
      {standIns && <span className="block text-quiet text-xs">{standIns}</span>}
    </span>
  );
}

export function Steps({ approval }: { approval: Approval }) {
  const { steps, step: present, outcome, currentApprovers } = approval;
  return (
    <ol className="grid gap-3">
      {steps.map((step, index) => {
        const isDone = outcome === "APPROVED" || index < present;
        const isNow = outcome === null && index === present;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is identified by its position.
          <li key={index} aria-current={isNow ? "step" : undefined} className="flex items-start gap-2.5">
            <Mark isDone={isDone} isNow={isNow} isSentBack={outcome === "SENT_BACK" && index === present} />
            <div className="grid min-w-0 gap-1 [overflow-wrap:anywhere]">
              <Needs step={step} />
              {step.answers.map((answer) => (
                <Answered key={`${answer.at} ${answer.by.id}`} answer={answer} />
              ))}
              {isNow && currentApprovers.length > 0 && (
                <span className="text-quiet text-xs">Waiting for {waitingFor(step, currentApprovers)}</span>
              )}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

/** The maximum number of people to name: a role may have hundreds. */
const maxNamed = 6;

function waitingFor({ needs }: Pick<ApprovalStep, "needs">, people: Approval["currentApprovers"]): string {
  const names = people.slice(0, maxNamed).map(({ name }) => name);
  const more = people.length - names.length;
  return new Intl.ListFormat("en-GB", { type: needs === "ALL" ? "conjunction" : "disjunction" }).format([
    ...names,
    ...(more > 0 ? [`${more} more`] : []),
  ]);
}

interface MarkProps {
  isDone: boolean;
  isNow: boolean;
  isSentBack: boolean;
}

function Mark({ isDone, isNow, isSentBack }: MarkProps) {
  const place = "mt-0.5 size-4 shrink-0";
  if (isDone) return <Check aria-label="Approved" className={`${place} text-accent`} />;
  if (isSentBack) return <Undo2 aria-label="Sent back" className={`${place} text-danger`} />;
  if (isNow) return <CircleDot aria-label="Waiting for approval" className={`${place} text-accent`} />;
  return <Circle aria-label="Not requested yet" className={`${place} text-faint`} />;
}

function Answered({ answer: { answer, by, to, at } }: { answer: ApprovalAnswer }) {
  const what = {
    GIVEN: "approved",
    SENT_BACK: "sent it back",
    DELEGATED: `delegated to ${to?.name ?? "someone else"}`,
  }[answer];
  return (
    <span className="text-quiet text-xs">
      {by.name} {what} · <Ago value={at} />
    </span>
  );
}
