"use client";
/** What waits for this member: approvals, signatures, stuck requests, obligations. */
import { CheckCircle2 } from "lucide-react";
import { ObligationMoves } from "#components/obligations/moves.tsx";
import { ObligationBadge } from "#components/obligations/status.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Card, Section } from "#components/ui/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { counted } from "#components/words.ts";
import { type Day, dayOf, daysBetween } from "#lib/core/dates.ts";
import type { Home } from "#lib/overview/home/schema.ts";
import { approvalDetails } from "./approval-details.ts";
import { addressOf } from "./list-address.ts";
import { glance, Row } from "./row.tsx";

const stuckWords = {
  expired: "Past its deadline",
  sealing: "Signed, not sealed yet",
  idle: "A week without activity",
} as const;

export function NeedsYou({ mine, today }: { mine: Home["mine"]; today: Day }) {
  const total = mine.due.count + mine.overdue.count;
  const isIdle = mine.signatures.length + mine.approvals.count + mine.stuck.length + mine.next.length === 0;
  return (
    <Section
      title="Needs you now"
      actions={
        total > glance && (
          <Link href={addressOf(mine.overdue.count > 0 ? mine.overdue : mine.due)}>See all</Link>
        )
      }
    >
      <Card>
        {isIdle && (
          <EmptyState compact icon={CheckCircle2} title="Nothing needs you now">
            Your obligations appear here 30 days before they are due.
          </EmptyState>
        )}
        <ul>
          {mine.signatures.map(({ envelopeId, contractTitle }) => (
            <Row
              key={envelopeId}
              href={`/signatures/${envelopeId}`}
              title={contractTitle}
              detail="Waiting for your signature"
            >
              <Badge tone="warn" dot>
                Sign
              </Badge>
            </Row>
          ))}
          {mine.approvals.next.map((approval) => (
            <Row
              key={approval.id}
              href={`/contracts/${approval.contract.id}`}
              title={approval.contract.title}
              detail={approvalDetails(approval)}
            >
              <Badge tone="review" dot>
                Approve
              </Badge>
            </Row>
          ))}
          {mine.approvals.count > mine.approvals.next.length && (
            <Row href="/approvals" title={`All ${mine.approvals.count} waiting for your approval`} />
          )}
          {mine.stuck.map(({ envelopeId, contractTitle, reason }) => (
            <Row
              key={envelopeId}
              href={`/signatures/${envelopeId}`}
              title={contractTitle}
              detail={stuckWords[reason]}
            >
              <Badge tone="bad" dot>
                Stuck
              </Badge>
            </Row>
          ))}
          {mine.next.slice(0, glance).map((obligation) => (
            <Row
              key={obligation.id}
              href={`/contracts/${obligation.contractId}`}
              title={obligation.title}
              detail={
                <>
                  {whenDue(obligation.resolvedDate, today)} · {obligation.contractTitle}
                </>
              }
            >
              <span className="max-sm:hidden">
                <ObligationBadge status={obligation.status} />
              </span>
              <ObligationMoves obligation={obligation} />
            </Row>
          ))}
        </ul>
      </Card>
    </Section>
  );
}

function whenDue(date: string | null, today: Day): string {
  if (!date) return "No date yet";
  const days = daysBetween(today, dayOf(new Date(date)));
  if (days === 0) return "Today";
  return days < 0 ? `${counted(-days, "day")} late` : `In ${counted(days, "day")}`;
}
