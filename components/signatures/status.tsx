import { Badge, type Tone } from "#components/ui/badge.tsx";
import { inWords } from "#components/words.ts";
import type { EnvelopeStatus } from "#lib/signatures/lifecycle.ts";

const tones: Record<EnvelopeStatus, Tone> = {
  DRAFT: "neutral",
  SENT: "info",
  PARTIALLY_SIGNED: "info",
  SEALING: "review",
  COMPLETED: "good",
  DECLINED: "bad",
  VOIDED: "neutral",
  EXPIRED: "warn",
};

export function EnvelopeBadge({ status }: { status: EnvelopeStatus }) {
  return (
    <Badge tone={tones[status]} dot>
      {inWords(status)}
    </Badge>
  );
}
