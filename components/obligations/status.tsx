import { Badge, type Tone } from "#components/ui/badge.tsx";
import { inWords } from "#components/words.ts";
import type { ObligationStatus } from "#lib/obligations/lifecycle.ts";

const tones: Record<ObligationStatus, Tone> = {
  SUGGESTED: "review",
  PENDING_ANCHOR: "neutral",
  UPCOMING: "info",
  DUE: "warn",
  OVERDUE: "bad",
  COMPLETED: "good",
  WAIVED: "neutral",
  CANCELLED: "neutral",
};

const words: Partial<Record<ObligationStatus, string>> = { PENDING_ANCHOR: "Waiting for a date" };

export const obligationWord = (status: ObligationStatus) => words[status] ?? inWords(status);

export function ObligationBadge({ status }: { status: ObligationStatus }) {
  return (
    <Badge tone={tones[status]} dot>
      {obligationWord(status)}
    </Badge>
  );
}

/** `EXPIRATION_DATE 2026-12-31 … - 60 DAY = 2026-11-01` as people say it. */
export function basisInWords(basis: string): string {
  const words = basis.replace(/(?<![A-Z_])[A-Z]+(?:_[A-Z]+)*(?![A-Z_])/g, (word) =>
    inWords(word).toLowerCase(),
  );
  const plural = words.replace(/(\d+) (day|week|month|year|business day)\b/g, (all, count) =>
    count === "1" ? all : `${all}s`,
  );
  return plural.charAt(0).toUpperCase() + plural.slice(1).replaceAll(" - ", " − ");
}
