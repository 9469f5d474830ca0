"use client";
/** The outcomes of the requests before the latest one. */
import NextLink from "next/link";
import { linkClass } from "#components/ui/link.tsx";
import { Ago } from "#components/ui/time.tsx";
import type { PastApproval } from "#lib/approvals/schema.ts";

interface EarlierApprovalsProps {
  contractId: string;
  earlier: readonly PastApproval[];
}

export function EarlierApprovals({ contractId, earlier }: EarlierApprovalsProps) {
  return (
    <details className="border-line border-t pt-3">
      <summary className="cursor-pointer rounded-sm text-quiet text-sm hover:text-ink">
        Earlier requests
      </summary>
      <ul className="mt-2 grid gap-2">
        {earlier.map((past) => (
          <li key={past.id} className="min-w-0 text-sm [overflow-wrap:anywhere]">
            {past.version ? (
              <>
                <NextLink
                  prefetch={false}
                  className={linkClass}
                  href={`/contracts/${contractId}/versions/${past.version.id}`}
                >
                  Version {past.version.versionNumber}
                </NextLink>{" "}
              </>
            ) : (
              "The contract, still without a document, "
            )}
            {became(past)}
            <span className="text-faint text-xs">
              {" · "}
              <Ago value={past.endedAt ?? past.requestedAt} />
            </span>
            {past.reason && <span className="line-clamp-3 text-quiet">{past.reason}</span>}
          </li>
        ))}
      </ul>
    </details>
  );
}

function became({ outcome, endedBy }: PastApproval): string {
  const who = endedBy?.name ?? "someone";
  switch (outcome) {
    case "APPROVED":
      return `was approved, last by ${who}`;
    case "SENT_BACK":
      return `was sent back by ${who}`;
    case "WITHDRAWN":
      return `was not decided on: ${who} withdrew the request`;
    default:
      return "was followed by a new request";
  }
}
