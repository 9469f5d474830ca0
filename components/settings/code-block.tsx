"use client";
import { IconButton } from "#components/ui/button.tsx";
import { CopyIcon, CopyOutcome, useCopy } from "#components/ui/copy.tsx";

/** Renders JSON indented, and other text unchanged. The button copies the original text, byte for byte. */
export function CodeBlock({ label, text }: { label: string; text: string }) {
  const { copied, failed, copy } = useCopy(text, { resetAfterMs: 2000 });
  return (
    <div className="relative">
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
        tabIndex={0}
        className="max-h-96 overflow-auto rounded-md bg-well"
      >
        <pre className="whitespace-pre-wrap break-words py-2.5 pr-11 pl-3 font-mono text-xs">
          {formatJson(text)}
        </pre>
      </section>
      <IconButton
        label={copied ? "Copied" : `Copy: ${label}`}
        size="sm"
        variant="secondary"
        onClick={copy}
        className="absolute top-1.5 right-1.5"
      >
        <CopyIcon copied={copied} />
      </IconButton>
      <CopyOutcome copied={copied} failed={failed} />
    </div>
  );
}

function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
