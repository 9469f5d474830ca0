import { clsx } from "clsx";
import type { ReactNode } from "react";

export type Tone = "neutral" | "info" | "review" | "good" | "warn" | "bad";

const tones: Record<Tone, string> = {
  neutral: "bg-tone-neutral text-on-neutral",
  info: "bg-tone-info text-on-info",
  review: "bg-tone-review text-on-review",
  good: "bg-tone-good text-on-good",
  warn: "bg-tone-warn text-on-warn",
  bad: "bg-tone-bad text-on-bad",
};

export function Badge({
  tone = "neutral",
  dot,
  className,
  children,
}: {
  tone?: Tone;
  dot?: boolean;
  className?: string;
  children: ReactNode;
}) {
  return (
    <span
      className={clsx(
        "inline-flex h-5 items-center gap-1.5 whitespace-nowrap rounded-full px-2 font-medium text-xs",
        tones[tone],
        className,
      )}
    >
      {dot && <span aria-hidden className="size-1.5 rounded-full bg-current" />}
      {children}
    </span>
  );
}
