"use client";
/** The obligations of one contract. */
import { CalendarClock, Plus } from "lucide-react";
import { useState } from "react";
import { DocumentQuote, quoteAddress } from "#components/documents/quote.tsx";
import { useOperation } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, Section } from "#components/ui/card.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { Link } from "#components/ui/link.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "#components/ui/states.tsx";
import { DayText } from "#components/ui/time.tsx";
import { inWords } from "#components/words.ts";
import type { OutputOf } from "#lib/doors/client.ts";
import type { Obligation } from "#lib/obligations/schema.ts";
import { AssigneeName } from "./assignee.tsx";
import { Basis } from "./basis.tsx";
import { ObligationMoves } from "./moves.tsx";
import { ObligationBadge } from "./status.tsx";

/** Loaded on demand, because it includes the form library. */
const ObligationDialog = lazily(() =>
  import("./obligation-dialog.tsx").then((module) => module.ObligationDialog),
);

export function ContractObligations({ contractId }: { contractId: string }) {
  const may = useMay();
  const { data, error, refetch } = useOperation("obligations.listOfContract", { id: contractId });
  const [editing, setEditing] = useState<Obligation | "new" | null>(null);
  const mayWrite = may("obligations:write");
  const shown = data?.data.filter((one) => !isRejected(one));
  const isQuoted = shown?.some(({ sourcePage }) => sourcePage !== null) ?? false;
  const places = useOperation("proposals.places", { id: contractId }, { enabled: isQuoted });
  const placeOf = new Map(places.data?.data.map((place) => [place.obligationId, place]));
  return (
    <Section
      id="obligations"
      title="Obligations"
      actions={
        mayWrite && (
          <Button size="sm" onClick={() => setEditing("new")}>
            <Plus aria-hidden />
            Add
          </Button>
        )
      }
    >
      <Card>
        {error && !data ? (
          <ErrorState message={error.message} requestId={error.requestId} onRetry={refetch} />
        ) : !shown ? (
          <SkeletonRows rows={3} label="Loading obligations" />
        ) : shown.length === 0 ? (
          <EmptyState compact icon={CalendarClock} title="Nothing to do yet">
            Notices, payments, reports: what has to be done by when. Its date follows the contract's dates.
          </EmptyState>
        ) : (
          <ul>
            {shown.map((obligation) => (
              <Row
                key={obligation.id}
                obligation={obligation}
                place={placeOf.get(obligation.id)}
                onEdit={() => setEditing(obligation)}
              />
            ))}
          </ul>
        )}
      </Card>
      {editing && (
        <ObligationDialog
          contractId={contractId}
          obligation={editing === "new" ? undefined : editing}
          onClose={() => setEditing(null)}
        />
      )}
    </Section>
  );
}

/** Whether it was proposed from a document, and rejected by a member. */
const isRejected = ({ source, status }: Obligation) => source === "AI" && status === "CANCELLED";

type Place = OutputOf<"proposals.places">["data"][number];

interface RowProps {
  obligation: Obligation;
  /** Where it was found, if it was proposed from a document. */
  place: Place | undefined;
  onEdit(): void;
}

function Row({ obligation, place, onEdit }: RowProps) {
  const { title, kind, status, resolvedDate } = obligation;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-b px-4 py-2.5 last:border-b-0">
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium [overflow-wrap:anywhere]">{title}</p>
        <p className="text-quiet text-xs">
          {inWords(kind)} · <Basis obligation={obligation} />
        </p>
        <AssigneeName obligation={obligation} />
        <Source obligation={obligation} place={place} />
      </div>
      <span className="w-24 text-right max-sm:text-left">
        <DayText value={resolvedDate} empty="No date" />
      </span>
      <span className="sm:w-36">
        <ObligationBadge status={status} />
      </span>
      <span className="ml-auto">
        <ObligationMoves obligation={obligation} onEdit={onEdit} />
      </span>
    </li>
  );
}

/** The quote from the document that the obligation is based on. */
function Source({
  obligation: { contractId, sourceText, sourcePage },
  place,
}: Pick<RowProps, "obligation" | "place">) {
  if (!sourceText) return null;
  return (
    <div className="mt-1.5 text-xs">
      <DocumentQuote quote={sourceText} className="line-clamp-3 text-quiet" />
      {sourcePage !== null && place && (
        <Link href={quoteAddress(contractId, place.versionId, sourcePage, sourceText)}>
          Page {sourcePage} of version {place.versionNumber}
        </Link>
      )}
    </div>
  );
}
