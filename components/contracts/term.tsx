"use client";
/** A contract's dates, how much of its term has passed, and a button to change them. */
import { CalendarRange } from "lucide-react";
import { useState } from "react";
import { useMay } from "#components/session.tsx";
import { useToday } from "#components/today.ts";
import { DefinitionList } from "#components/ui/bits.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, Section } from "#components/ui/card.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { DayText } from "#components/ui/time.tsx";
import { counted } from "#components/words.ts";
import type { Contract } from "#lib/contracts/schema.ts";
import { type Day, dayOf, daysBetween } from "#lib/core/dates.ts";

/** Loaded on demand, because it includes the form library. */
const TermDialog = lazily(() => import("./term-dialog.tsx").then((module) => module.TermDialog));

export function TermSection({ contract }: { contract: Contract }) {
  const may = useMay();
  const [editing, setEditing] = useState(false);
  const { effectiveDate, executedAt, expiresAt, termMonths, autoRenews, renewalMonths } = contract;
  const renews = !autoRenews
    ? "No"
    : renewalMonths
      ? `Yes, for ${counted(renewalMonths, "month")}`
      : "Yes, for the same term";
  return (
    <Section
      id="dates"
      title="Dates and term"
      actions={
        may("contracts:write") && (
          <Button size="sm" onClick={() => setEditing(true)}>
            <CalendarRange aria-hidden />
            Change dates
          </Button>
        )
      }
    >
      <Card className="px-4 py-4">
        <DefinitionList
          className="grid-cols-2 sm:grid-cols-5"
          items={[
            { term: "Effective", value: <DayText value={effectiveDate} empty="Not set" /> },
            {
              term: "Term",
              value: termMonths ? counted(termMonths, "month") : <span className="text-faint">No end</span>,
            },
            { term: "Last day", value: <DayText value={expiresAt} /> },
            { term: "Renews", value: renews },
            { term: "Executed", value: <DayText value={executedAt} empty="Not yet" /> },
          ]}
        />
        {effectiveDate && expiresAt && (
          <TermBar
            from={dayOf(new Date(effectiveDate))}
            to={dayOf(new Date(expiresAt))}
            renews={autoRenews}
          />
        )}
      </Card>
      {editing && <TermDialog contract={contract} onClose={() => setEditing(false)} />}
    </Section>
  );
}

/** A bar that shows how much of the term has passed. */
function TermBar({ from, to, renews }: { from: Day; to: Day; renews: boolean }) {
  const today = useToday();
  const share = Math.min(1, Math.max(0, daysBetween(from, today) / Math.max(1, daysBetween(from, to))));
  const left = daysBetween(today, to);
  const words =
    today < from
      ? `Starts in ${counted(daysBetween(today, from), "day")}`
      : left < 0
        ? `Ended ${counted(-left, "day")} ago`
        : `${counted(left, "day")} until it ${renews ? "renews" : "ends"}`;
  return (
    <div className="mt-4">
      <div aria-hidden className="h-1.5 overflow-hidden rounded-full bg-hover">
        <div className="h-full rounded-full bg-accent" style={{ width: `${share * 100}%` }} />
      </div>
      <p className="mt-1.5 text-quiet text-xs">{words}</p>
    </div>
  );
}
