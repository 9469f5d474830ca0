"use client";
/** Texts that are taken elsewhere by the clipboard. */
import { clsx } from "clsx";
import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { Button } from "./button.tsx";

/** `copied` is true once it was copied: for `saidMs`, or from then on. */
export function useCopy(text: string, { saidMs }: { saidMs?: number } = {}) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    if (saidMs !== undefined) setTimeout(() => setCopied(false), saidMs);
  };
  return { copied, copy };
}

export function CopyIcon({ copied, className }: { copied: boolean; className?: string }) {
  const Icon = copied ? Check : Copy;
  return <Icon aria-hidden className={className} />;
}

/** The button beside what is shown once only. */
export function CopyButton({ copied, copy }: ReturnType<typeof useCopy>) {
  return (
    <>
      <Button onClick={copy} variant={copied ? "secondary" : "primary"}>
        <CopyIcon copied={copied} />
        {copied ? "Copied" : "Copy"}
      </Button>
      <span aria-live="polite" className="sr-only">
        {copied ? "Copied" : ""}
      </span>
    </>
  );
}

/** A text to pass on, with a button that copies it. */
export function CopyText({ label, text, className }: { label?: string; text: string; className?: string }) {
  const { copied, copy } = useCopy(text, { saidMs: 2000 });
  return (
    <span className={clsx("inline-flex max-w-full items-center gap-1.5 text-quiet text-xs", className)}>
      {label}
      <code className="min-w-0 truncate rounded-sm bg-well px-1.5 py-0.5 font-mono">{text}</code>
      <button
        type="button"
        onClick={copy}
        aria-label={`Copy ${label?.toLowerCase() ?? "it"}`}
        className="grid size-6 shrink-0 place-items-center rounded-sm hover:bg-hover hover:text-ink"
      >
        <CopyIcon copied={copied} className="size-3.5" />
      </button>
      <span aria-live="polite" className="sr-only">
        {copied ? "Copied" : ""}
      </span>
    </span>
  );
}
