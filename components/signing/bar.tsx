"use client";
import { Check, CloudOff, LoaderCircle, TriangleAlert } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import type { Entries } from "./entries.ts";

export interface BarProps {
  entries: Entries;
  hasStarted: boolean;
  isCutOff: boolean;
  onNext(): void;
  onFinish(): void;
}

/**
 * The next step, always within reach: Start, Next with the number of fields left, or Finish. Also shows
 * whether everything is saved.
 */
export function Bar({ entries, hasStarted, isCutOff, onNext, onFinish }: BarProps) {
  const { missing, trouble, isFinishing } = entries;
  const isReady = missing.length === 0;
  return (
    <div className="print:hidden sticky bottom-0 z-30 border-line border-t bg-paper">
      {trouble && (
        <p role="alert" className="bg-tone-bad px-4 py-2 text-on-bad sm:px-6">
          {trouble}
        </p>
      )}
      <div className="mx-auto flex max-w-4xl items-center gap-3 px-4 py-2.5 pb-[max(0.625rem,env(safe-area-inset-bottom))] sm:px-6">
        <div className="min-w-0 flex-1">
          <p className="font-medium">{isReady ? "Everything is filled in" : todo(missing.length)}</p>
          <SavingStatus entries={entries} isCutOff={isCutOff} />
        </div>
        {isReady ? (
          <Button variant="primary" size="lg" busy={isFinishing} onClick={onFinish}>
            Finish
          </Button>
        ) : (
          <Button variant="primary" size="lg" onClick={onNext}>
            {hasStarted ? `Next (${missing.length} left)` : "Start"}
          </Button>
        )}
      </div>
    </div>
  );
}

const todo = (count: number) => (count === 1 ? "1 field to fill in" : `${count} fields to fill in`);

function SavingStatus({ entries, isCutOff }: { entries: Entries; isCutOff: boolean }) {
  const { saving, missing, isFinishing } = entries;
  const icon = "size-3.5 shrink-0";
  return (
    <p aria-live="polite" className="flex min-h-4.5 items-center gap-1.5 text-quiet text-xs">
      {isCutOff ? (
        <>
          <CloudOff aria-hidden className={icon} />
          {isFinishing
            ? "No connection: your signature is sent as soon as it is back"
            : "No connection: what you enter is kept, and saved once it is back"}
        </>
      ) : saving === "saving" ? (
        <>
          <LoaderCircle aria-hidden className={`${icon} animate-turn`} /> Saving …
        </>
      ) : saving === "failed" ? (
        <>
          <TriangleAlert aria-hidden className={`${icon} text-danger`} /> Not all is saved
        </>
      ) : saving === "saved" ? (
        <>
          <Check aria-hidden className={`${icon} text-on-good`} /> Saved
        </>
      ) : missing.length === 0 ? (
        "Finish signs the document"
      ) : (
        "What you enter is saved"
      )}
    </p>
  );
}
