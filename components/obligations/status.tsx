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
