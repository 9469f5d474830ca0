"use client";
/** What happened to a contract, from the audit log. */
import { Bot, Cog } from "lucide-react";
import type { ReactNode } from "react";
import { useOperation } from "#components/query.tsx";
import { useMay, useSession } from "#components/session.tsx";
import { Avatar } from "#components/ui/bits.tsx";
import { Section } from "#components/ui/card.tsx";
import { ErrorState, Skeleton } from "#components/ui/states.tsx";
import { Ago } from "#components/ui/time.tsx";
import { inWords } from "#components/words.ts";
import type { OutputOf } from "#lib/api/client.ts";

type AuditEvent = OutputOf<"auditEvents.list">["data"][number];

export function ContractActivity({ contractId }: { contractId: string }) {
  const may = useMay();
  const { data, error, again } = useOperation(
    "auditEvents.list",
    { contractId, limit: 20 },
    { enabled: may("audit:read") },
  );
  if (!may("audit:read")) return null;
  return (
    <Section title="Activity">
      {error && !data ? (
        <ErrorState message={error.message} requestId={error.requestId} onRetry={again} />
      ) : !data ? (
        <Skeleton className="h-24 w-full" />
      ) : (
        <ol className="relative grid gap-4 before:absolute before:inset-y-2 before:left-3.5 before:w-px before:bg-line">
          {data.data.map((event) => (
            <Entry key={event.id} event={event} />
          ))}
        </ol>
      )}
    </Section>
  );
}

function Entry({ event }: { event: AuditEvent }) {
  const { now } = useSession();
  const { actor, apiKey, action, createdAt, payload } = event;
  return (
    <li className="relative flex gap-3">
      <Mark>
        {actor ? (
          <Avatar name={actor.name} />
        ) : apiKey ? (
          <Bot aria-hidden className="size-4" />
        ) : (
          <Cog aria-hidden className="size-4" />
        )}
      </Mark>
      <div className="min-w-0 flex-1">
        <p>
          <span className="font-medium">{actor?.name ?? apiKey?.name ?? "Countersign"}</span>{" "}
          <span className="text-quiet">{said(action)}</span>
          <span className="text-faint text-xs">
            {" · "}
            <Ago value={createdAt} now={now} />
          </span>
        </p>
        <Changes changes={payload.changes} />
        {payload.reason && (
          <p className="mt-0.5 border-line border-l-2 pl-2 text-quiet text-xs">{payload.reason}</p>
        )}
      </div>
    </li>
  );
}

function Mark({ children }: { children: ReactNode }) {
  return (
    <span className="z-10 grid size-7 shrink-0 place-items-center rounded-full bg-well text-quiet ring-4 ring-paper">
      {children}
    </span>
  );
}

const verbs: Record<string, string> = {
  CREATED: "made",
  UPDATED: "changed",
  CHANGED: "changed",
  COMPLETED: "completed",
  WAIVED: "waived",
  RENEWED: "renewed",
  UPLOADED: "uploaded",
  GENERATED: "generated",
  DOWNLOADED: "downloaded",
  SENT: "sent",
  VIEWED: "viewed",
  SIGNED: "signed",
  DECLINED: "declined",
  DELEGATED: "delegated",
  VOIDED: "voided",
  EXPIRED: "let expire",
  REMINDED: "sent a reminder for",
};

/** `CONTRACT_STATUS_CHANGED` → `changed the contract status`. */
function said(action: string): string {
  const words = action.split("_");
  const verb = verbs[words.at(-1) ?? ""] ?? inWords(words.at(-1) ?? "").toLowerCase();
  return `${verb} the ${words.slice(0, -1).join(" ").toLowerCase()}`;
}

/** Ids and sums say nothing to people. */
const hidden = /Id$|[sS]ha256$|^resolutionBasis$|^updatedAt$/;

function Changes({ changes }: { changes: AuditEvent["payload"]["changes"] }) {
  const shown = Object.entries(changes ?? {}).filter(
    ([field, { from, to }]) => !hidden.test(field) && (from !== null || to !== null),
  );
  if (shown.length === 0) return null;
  return (
    <ul className="mt-0.5 text-quiet text-xs">
      {shown.slice(0, 6).map(([field, { from, to }]) => (
        <li key={field} className="[overflow-wrap:anywhere]">
          {inPlainWords(field)}: {from !== null && `${valueText(from)} → `}
          <span className="text-ink">{valueText(to)}</span>
        </li>
      ))}
    </ul>
  );
}

const inPlainWords = (field: string) => inWords(field.replace(/([A-Z])/g, "_$1").toUpperCase());

function valueText(value: unknown): string {
  if (value === null || value === undefined || value === "") return "nothing";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "object") return JSON.stringify(value);
  const text = String(value);
  if (/^\d{4}-\d\d-\d\dT00:00:00/.test(text)) return text.slice(0, 10);
  return /^[A-Z][A-Z_]+$/.test(text) ? inWords(text).toLowerCase() : text;
}
