"use client";
/** Everything that happened in the workspace, newest first. */
import { clsx } from "clsx";
import { Bot, Cog, PenLine, ScrollText, SearchX } from "lucide-react";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { ExportButton } from "#components/export-button.tsx";
import { useFading } from "#components/fading.ts";
import { useFeed } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { Avatar } from "#components/ui/bits.tsx";
import { Button } from "#components/ui/button.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { NameLink } from "#components/ui/link.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { DateTime, DayText } from "#components/ui/time.tsx";
import { LoadOlder } from "../load-older.tsx";
import { Read, SettingsBody } from "../parts.tsx";
import { AuditFilters } from "./filters.tsx";
import { auditParsers, auditQuery, auditSearchQuery, hasAuditFilters, noAuditFilters } from "./search.ts";
import { type AuditEvent, actorOf, sentenceOf, sentenceText } from "./sentences.ts";

const EventSheet = lazily(() => import("./event-sheet.tsx").then((module) => module.EventSheet));

export function AuditPage() {
  const may = useMay();
  const [search, setSearch] = useQueryStates(auditParsers, { clearOnDefault: true });
  const feed = useFeed("auditEvents.list", auditQuery(search), { enabled: may("audit:read") });
  const events = feed.pages?.flatMap((page) => page.data);
  const [open, setOpen] = useState<AuditEvent | null>(null);
  return (
    <SettingsBody
      wide
      scope="audit:read"
      title="Audit log"
      description="Everything that happened, by whom and when. It can be read and exported, never changed."
      actions={
        may("data:export") && (
          <ExportButton file="audit-events.csv" query={auditSearchQuery(search).slice(1)} what="event" />
        )
      }
    >
      <AuditFilters
        search={search}
        onSearch={(change) => void setSearch(change as Parameters<typeof setSearch>[0])}
      />
      <div>
        <Read reading={{ ...feed, data: events }} label="Loading the audit log" rows={10}>
          {(rows) =>
            rows.length === 0 ? (
              <Nothing isFiltered={hasAuditFilters(search)} onClear={() => void setSearch(noAuditFilters)} />
            ) : (
              <Days events={rows} isPrevious={feed.isPrevious} onOpen={setOpen} />
            )
          }
        </Read>
        <LoadOlder feed={feed} />
      </div>
      {open && <EventSheet event={open} onClose={() => setOpen(null)} />}
    </SettingsBody>
  );
}

function Nothing({ isFiltered, onClear }: { isFiltered: boolean; onClear(): void }) {
  if (!isFiltered) {
    return (
      <EmptyState icon={ScrollText} title="Nothing has happened yet">
        Everything done here, in the browser or with an API key, is recorded here for good.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={SearchX}
      title="No results"
      action={<Button onClick={onClear}>Clear the filters</Button>}
    >
      No event matches these filters. Only changes are recorded, not reading.
    </EmptyState>
  );
}

interface DaysProps {
  events: AuditEvent[];
  isPrevious: boolean;
  onOpen(event: AuditEvent): void;
}

/** The events grouped by day, in UTC like the days of the filter. */
function Days({ events, isPrevious, onOpen }: DaysProps) {
  const fading = useFading(isPrevious);
  const days = [...Map.groupBy(events, ({ createdAt }) => createdAt.slice(0, 10))];
  return (
    <div className={clsx("grid gap-5", fading)}>
      {days.map(([day, rows]) => (
        <section key={day} aria-label={day}>
          <h2 className="pb-1.5 font-medium text-quiet text-xs">
            <DayText value={day} />
          </h2>
          <ul className="overflow-hidden rounded-lg border border-line">
            {rows.map((event) => (
              <Line key={event.id} event={event} onOpen={() => onOpen(event)} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function Line({ event, onOpen }: { event: AuditEvent; onOpen(): void }) {
  return (
    <li className="relative flex items-start gap-3 border-line border-b px-3 py-2 last:border-b-0 hover:bg-well">
      <ActorMark event={event} />
      <p className="min-w-0 flex-1 break-words pt-1">
        <button
          type="button"
          aria-label={`Details: ${sentenceText(event)}`}
          onClick={onOpen}
          className="absolute inset-0 rounded-sm outline-offset-[-2px]"
        />
        <Sentence event={event} />
        {event.payload.reason && <span className="block text-quiet text-xs">{event.payload.reason}</span>}
        <DateTime value={event.createdAt} className="block text-faint text-xs sm:hidden" />
      </p>
      <DateTime value={event.createdAt} className="whitespace-nowrap pt-1 text-faint text-xs max-sm:hidden" />
    </li>
  );
}

export function Sentence({ event }: { event: AuditEvent }) {
  const [before, after] = sentenceOf(event);
  const { contract } = event;
  return (
    <>
      <bdi className="font-medium">{actorOf(event)}</bdi> {before}
      {after !== null &&
        (contract ? (
          <NameLink href={`/contracts/${contract.id}`} prefetch={false} className="relative z-10">
            {contract.title}
          </NameLink>
        ) : (
          "a contract"
        ))}
      {after}
    </>
  );
}

function ActorMark({ event: { actor, apiKey, payload } }: { event: AuditEvent }) {
  if (actor) return <Avatar name={actor.name} />;
  const Icon = apiKey ? Bot : payload.actor?.kind === "SIGNER" ? PenLine : Cog;
  return (
    <span className="grid size-7 shrink-0 place-items-center rounded-full bg-tone-neutral text-on-neutral">
      <Icon aria-hidden className="size-4" />
    </span>
  );
}
