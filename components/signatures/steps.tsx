"use client";
/** The steps to sending a request: marks the current one, and links to the others. */
import { clsx } from "clsx";

export const steps = ["document", "signers", "fields", "review"] as const;
export type Step = (typeof steps)[number];

export const stepNames: Record<Step, string> = {
  document: "Document",
  signers: "Signers",
  fields: "Fields",
  review: "Review",
};

/** Without `onStep`, the steps are not links: there is no draft yet. */
export function Steps({ at, onStep }: { at: Step; onStep?(step: Step): void }) {
  return (
    <nav aria-label="Steps">
      <ol className="flex gap-1 sm:gap-2">
        {steps.map((step, index) => {
          const isHere = step === at;
          const isBefore = index < steps.indexOf(at);
          const look = clsx(
            "flex w-full items-center justify-center gap-2 border-b-2 px-1 py-2 font-medium sm:justify-start",
            isHere
              ? "border-accent text-ink"
              : isBefore
                ? "border-accent/40 text-quiet"
                : "border-line text-quiet",
          );
          const inside = (
            <>
              <span
                aria-hidden
                className={clsx(
                  "grid size-5 shrink-0 place-items-center rounded-full text-2xs tabular-nums max-sm:hidden",
                  isHere ? "bg-accent text-on-accent" : "bg-hover text-quiet",
                )}
              >
                {index + 1}
              </span>
              {stepNames[step]}
            </>
          );
          return (
            <li key={step} aria-current={isHere ? "step" : undefined} className="flex-auto sm:flex-1">
              {onStep ? (
                <button type="button" onClick={() => onStep(step)} className={clsx(look, "hover:text-ink")}>
                  {inside}
                </button>
              ) : (
                <span className={look}>{inside}</span>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
