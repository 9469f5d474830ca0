"use client";
/** Dates and obligations proposed from the document, each with its quote, to accept, change or reject. */
import { type MouseEvent, useEffect, useRef, useState } from "react";
import { BasisText } from "#components/obligations/basis.tsx";
import { useAct, useOperation } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, Section } from "#components/ui/card.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import { DayText } from "#components/ui/time.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { counted } from "#components/words.ts";
import type { ProposedDate, ProposedObligation } from "#lib/proposals/schema.ts";
import { type FoundAt, ProposalSource } from "./proposal-source.tsx";

/** Loaded on demand, because they include the form library. */
const ObligationDialog = lazily(() =>
  import("#components/obligations/obligation-dialog.tsx").then((module) => module.ObligationDialog),
);
const DateDialog = lazily(() => import("./date-dialog.tsx").then((module) => module.DateDialog));

/** How often to poll while the newest version is being read. */
const againMs = 2_000;

const touched = ["proposals", "contracts", "obligations", "home", "auditEvents"] as const;

export function ContractProposals({ contractId }: { contractId: string }) {
  const { data, error, refetch } = useOperation(
    "proposals.list",
    { id: contractId },
    { everyMs: ({ isReading }) => (isReading ? againMs : null) },
  );
  const list = useRef<HTMLUListElement>(null);
  const count = data ? data.dates.length + data.obligations.length : 0;
  const next = useRef<number | null>(null);
  // After a decision, move the focus to the proposal that takes the place of the decided one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a proposal has gone.
  useEffect(() => {
    const at = next.current;
    next.current = null;
    if (at === null || document.activeElement !== document.body) return;
    const rows = list.current?.querySelectorAll<HTMLElement>(":scope > li") ?? [];
    rows[Math.min(at, rows.length - 1)]?.querySelector("button")?.focus();
  }, [count]);
  if (error && !data) {
    return (
      <Section title="Found in the document">
        <ErrorState message={error.message} requestId={error.requestId} onRetry={refetch} />
      </Section>
    );
  }
  if (!data || (count === 0 && !data.isReading)) return null;
  const { dates, obligations, isReading } = data;
  const onDecided = (at: number) => {
    next.current = at;
  };
  return (
    <Section
      title={count === 0 ? "Found in the document" : `${count} found in the document`}
      hint="Nothing takes effect until someone accepts it."
    >
      <Card>
        {isReading && (
          <p role="status" className="px-4 py-3 text-quiet">
            The document is being read. Dates and obligations found in it will appear here.
          </p>
        )}
        <ul ref={list}>
          {dates.map((proposed, at) => (
            <DateRow
              key={`${proposed.anchor} ${proposed.value}`}
              {...{ contractId, proposed }}
              onDecided={() => onDecided(at)}
            />
          ))}
          {obligations.map((proposed, at) => (
            <ObligationRow
              key={proposed.obligation.id}
              {...{ contractId, proposed }}
              onDecided={() => onDecided(dates.length + at)}
            />
          ))}
        </ul>
      </Card>
    </Section>
  );
}

const names = { EFFECTIVE_DATE: "Effective date", TERM: "Term", RENEWAL: "Renews automatically" } as const;

interface RowProps<Proposed> {
  contractId: string;
  proposed: Proposed;
  onDecided(): void;
}

function DateRow({ contractId, proposed, onDecided }: RowProps<ProposedDate>) {
  const may = useMay();
  const toast = useToast();
  const [isChanging, setChanging] = useState(false);
  const accept = useAct("proposals.acceptDate", { invalidates: touched });
  const reject = useAct("proposals.rejectDate", { invalidates: touched });
  const { anchor, value, date, months } = proposed;
  const which = { id: contractId, anchor, value };
  const name = names[anchor];
  const decide = async (act: typeof accept | typeof reject, said: string) => {
    await act.run(which);
    onDecided();
    toast({ title: said, detail: name });
  };
  return (
    <Row
      name={name}
      value={
        anchor === "EFFECTIVE_DATE" ? (
          <DayText value={date} />
        ) : (
          `${anchor === "RENEWAL" ? "for " : ""}${counted(months ?? 0, "month")}`
        )
      }
      found={proposed}
      contractId={contractId}
      isBusy={accept.isRunning || reject.isRunning}
      onAccept={may("contracts:write") ? () => decide(accept, "Accepted") : null}
      onChange={() => setChanging(true)}
      onReject={() => decide(reject, "Rejected")}
    >
      {isChanging && (
        <DateDialog
          {...{ contractId, proposed, name }}
          onAccepted={onDecided}
          onClose={() => setChanging(false)}
        />
      )}
    </Row>
  );
}

function ObligationRow({ contractId, proposed, onDecided }: RowProps<ProposedObligation>) {
  const may = useMay();
  const toast = useToast();
  const [isChanging, setChanging] = useState(false);
  const patch = useAct("obligations.patch", { invalidates: touched });
  const { obligation } = proposed;
  const decide = async (status: "UPCOMING" | "CANCELLED", said: string) => {
    await patch.run({ id: obligation.id, status });
    onDecided();
    toast({ title: said, detail: obligation.title });
  };
  return (
    <Row
      name={obligation.title}
      value={<BasisText obligation={obligation} />}
      found={proposed}
      contractId={contractId}
      isBusy={patch.isRunning}
      onAccept={may("obligations:write") ? () => decide("UPCOMING", "Accepted") : null}
      onChange={() => setChanging(true)}
      onReject={() => decide("CANCELLED", "Rejected")}
    >
      {isChanging && (
        <ObligationDialog
          {...{ contractId, obligation }}
          accepts
          onSaved={onDecided}
          onClose={() => setChanging(false)}
        />
      )}
    </Row>
  );
}

interface ShownRow {
  name: string;
  value: React.ReactNode;
  found: FoundAt;
  contractId: string;
  isBusy: boolean;
  /** Null if the member may not accept. */
  onAccept: (() => Promise<void>) | null;
  onChange(): void;
  onReject(): Promise<void>;
  children: React.ReactNode;
}

function Row({ name, value, found, contractId, isBusy, onAccept, onChange, onReject, children }: ShownRow) {
  const [isRejecting, setRejecting] = useState(false);
  /** Ignores the second click of a double click, which would hit the next row unread. Keyboard clicks have detail 0. */
  const once = (act: () => void) => (event: MouseEvent) => {
    if (event.detail < 2) act();
  };
  return (
    <li className="grid gap-2 border-line border-b px-4 py-3 last:border-b-0">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-56">
          <span className="wrap-anywhere font-medium">{name}</span>
          <span className="wrap-anywhere block text-quiet">{value}</span>
        </p>
        {onAccept && (
          <span className="flex flex-wrap items-center gap-1.5">
            <Button
              size="sm"
              variant="primary"
              aria-label={`Accept: ${name}`}
              busy={isBusy}
              onClick={once(() => void onAccept().catch(() => undefined))}
            >
              Accept
            </Button>
            <Button
              size="sm"
              aria-label={`Change and accept: ${name}`}
              disabled={isBusy}
              onClick={once(onChange)}
            >
              Change
            </Button>
            <Button
              size="sm"
              variant="quiet"
              aria-label={`Reject: ${name}`}
              disabled={isBusy}
              onClick={once(() => setRejecting(true))}
            >
              Reject
            </Button>
          </span>
        )}
      </div>
      <ProposalSource found={found} contractId={contractId} />
      {children}
      <ConfirmDialog
        open={isRejecting}
        onOpenChange={setRejecting}
        title={`Reject “${name}”?`}
        description="It is not proposed again."
        action="Reject"
        onConfirm={onReject}
      />
    </li>
  );
}
