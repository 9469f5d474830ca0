"use client";
/** One day of the calendar: everything that falls due on it, and the available actions. */
import { CalendarCheck } from "lucide-react";
import { useState } from "react";
import { useOperation } from "#components/query.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Sheet } from "#components/ui/dialog.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { NameLink } from "#components/ui/link.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "#components/ui/states.tsx";
import { useReader } from "#components/ui/time.tsx";
import { counted, inWords } from "#components/words.ts";
import type { Day } from "#lib/core/dates.ts";
import type { Obligation, ObligationInContract } from "#lib/obligations/schema.ts";
import { AssigneeName } from "../assignee.tsx";
import { Basis } from "../basis.tsx";
import { ObligationMoves } from "../moves.tsx";
import { ParentNames } from "../parent-names.tsx";
import { ObligationBadge } from "../status.tsx";
import { dayText } from "./month.ts";
import { type CalendarSearch, calendarFilters, dayListAddress } from "./search.ts";

/** Loaded on demand, because it includes the form library. */
const ObligationDialog = lazily(() =>
  import("../obligation-dialog.tsx").then((module) => module.ObligationDialog),
);

export interface DaySheetProps {
  day: Day;
  search: CalendarSearch;
  onClose(): void;
}

export function DaySheet({ day, search, onClose }: DaySheetProps) {
  const { locale } = useReader();
  const input = { ...calendarFilters(search), dueFrom: day, dueTo: day };
  const { data, error, refetch } = useOperation("obligations.agenda", input);
  const [editing, setEditing] = useState<Obligation | null>(null);
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title={dayText(day, locale)}
      description={data && counted(data.total, "obligation")}
    >
      <div className="min-h-0 flex-1 overflow-y-auto border-line border-t">
        {error && !data ? (
          <ErrorState message={error.message} requestId={error.requestId} onRetry={refetch} />
        ) : !data ? (
          <SkeletonRows label="Loading the day" rows={3} />
        ) : data.total === 0 ? (
          <EmptyState icon={CalendarCheck} title="Nothing falls due on this day">
            Obligations are added on a contract's page.
          </EmptyState>
        ) : (
          <>
            <ul>
              {data.data.map((obligation) => (
                <Entry key={obligation.id} obligation={obligation} onEdit={() => setEditing(obligation)} />
              ))}
            </ul>
            {data.total > data.data.length && (
              <div className="p-4">
                <ButtonLink href={dayListAddress(search, day)}>
                  All {counted(data.total, "obligation")} of the day
                </ButtonLink>
              </div>
            )}
          </>
        )}
      </div>
      {editing && (
        <ObligationDialog
          contractId={editing.contractId}
          obligation={editing}
          onClose={() => setEditing(null)}
        />
      )}
    </Sheet>
  );
}

function Entry({ obligation, onEdit }: { obligation: ObligationInContract; onEdit(): void }) {
  const { title, kind, status, contractId } = obligation;
  return (
    <li className="flex items-start gap-3 border-line border-b px-5 py-3">
      <div className="grid min-w-0 flex-1 justify-items-start gap-1">
        <NameLink href={`/contracts/${contractId}`} prefetch={false} className="break-words">
          {title}
        </NameLink>
        <span className="text-quiet text-xs [overflow-wrap:anywhere]">
          <ParentNames obligation={obligation} />
        </span>
        <AssigneeName obligation={obligation} />
        <span className="text-quiet text-xs">
          {inWords(kind)} · <Basis obligation={obligation} />
        </span>
        <ObligationBadge status={status} />
      </div>
      <ObligationMoves obligation={obligation} onEdit={onEdit} />
    </li>
  );
}
