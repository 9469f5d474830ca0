import { Badge, type Tone } from "#components/ui/badge.tsx";
import { inWords } from "#components/words.ts";
import type { ContractStatus } from "#lib/contracts/lifecycle.ts";

export const contractTones: Record<ContractStatus, Tone> = {
  DRAFT: "neutral",
  IN_REVIEW: "review",
  NEGOTIATING: "review",
  APPROVED: "info",
  OUT_FOR_SIGNATURE: "warn",
  EXECUTED: "good",
  ACTIVE: "good",
  EXPIRED: "warn",
  TERMINATED: "bad",
  CANCELLED: "neutral",
};

export function ContractStatusBadge({ status }: { status: ContractStatus }) {
  return (
    <Badge tone={contractTones[status]} dot>
      {inWords(status)}
    </Badge>
  );
}
