"use client";
/** Copies texts to the clipboard. */
import { clsx } from "clsx";
import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { Button } from "./button.tsx";

/**
 * Copies a text to the clipboard; returns whether that succeeded. Pages served without TLS have no clipboard
 * API, and the browser may deny access to it.
 */
export async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** The message of a copy button whose copying failed. */
const notCopied = "Copying failed. Select it and copy it yourself.";

/**
 * Returns a function that copies the text, and its outcome. `copied` stays true for `resetAfterMs`, or indefinitely
 * without it.
 */
export function useCopy(text: string, { resetAfterMs }: { resetAfterMs?: number } = {}) {
  const [outcome, setOutcome] = useState<"copied" | "failed" | null>(null);
  const copy = async () => {
    const isCopied = await copied(text);
    setOutcome(isCopied ? "copied" : "failed");
    if (isCopied && resetAfterMs !== undefined) setTimeout(() => setOutcome(null), resetAfterMs);
  };
  return { copied: outcome === "copied", failed: outcome === "failed", copy };
}

export function CopyIcon({ copied, className }: { copied: boolean; className?: string }) {
  const Icon = copied ? Check : Copy;
  return <Icon aria-hidden className={className} />;
}

type Outcome = Pick<ReturnType<typeof useCopy>, "copied" | "failed">;

/**
 * Announces the outcome of copying. Success is only announced to screen readers, since the button shows it; a
 * failure is visible to everyone.
 */
export function CopyOutcome({ copied, failed }: Outcome) {
  return (
    <span aria-live="polite" className={failed ? "text-danger text-xs" : "sr-only"}>
      {failed ? notCopied : copied ? "Copied" : ""}
    </span>
  );
}

/** The button beside a secret that is shown only once. */
export function CopyButton({ copied, failed, copy }: ReturnType<typeof useCopy>) {
  return (
    <>
      <Button onClick={copy} variant={copied ? "secondary" : "primary"}>
        <CopyIcon copied={copied} />
        {copied ? "Copied" : "Copy"}
      </Button>
      <CopyOutcome copied={copied} failed={failed} />
    </>
  );
}

/** A text with a copy button. */
export function CopyText({ label, text, className }: { label?: string; text: string; className?: string }) {
  const { copied, failed, copy } = useCopy(text, { resetAfterMs: 2000 });
  return (
    <span
      className={clsx(
        "inline-flex max-w-full items-center gap-1.5 text-quiet text-xs",
        failed && "flex-wrap",
        className,
      )}
    >
      {label}
      <code
        className={clsx(
          "min-w-0 rounded-sm bg-well px-1.5 py-0.5 font-mono",
          failed ? "select-all break-all" : "truncate",
        )}
      >
        {text}
      </code>
      <button
        type="button"
        onClick={copy}
        aria-label={`Copy ${label?.toLowerCase() ?? "it"}`}
        className="grid size-6 shrink-0 place-items-center rounded-sm hover:bg-hover hover:text-ink"
      >
        <CopyIcon copied={copied} className="size-3.5" />
      </button>
      <CopyOutcome copied={copied} failed={failed} />
    </span>
  );
}
