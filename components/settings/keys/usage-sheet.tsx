"use client";
/** A key's calls, day by day, including reads, which the audit log does not contain. */
import { BarChart3 } from "lucide-react";
import { useOperation } from "#components/query.tsx";
import { Sheet } from "#components/ui/dialog.tsx";
import { Link } from "#components/ui/link.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { DayText } from "#components/ui/time.tsx";
import { counted } from "#components/words.ts";
import type { OutputOf } from "#lib/doors/client.ts";
import type { ApiKey } from "#lib/keys/schema.ts";
import { Read } from "../parts.tsx";

interface UsageSheetProps {
  apiKey: ApiKey;
  /** Whether the member may open the audit log. */
  mayAudit: boolean;
  onClose(): void;
}

export function UsageSheet({ apiKey: { id, name }, mayAudit, onClose }: UsageSheetProps) {
  const reading = useOperation("apiKeys.usage", { id }, { everyMs: 5_000 });
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Usage of “${name}”`}
      description="Calls of the last 30 days. Days are UTC; the newest calls show within seconds."
    >
      <div className="grid min-h-0 flex-1 content-start gap-5 overflow-y-auto px-5 pb-6">
        {mayAudit && (
          <p>
            <Link href={`/settings/audit?apiKeyId=${id}`}>See what it changed in the audit log</Link>
          </p>
        )}
        <Read reading={reading} label="Loading calls" rows={6}>
          {({ data }) => (data.length === 0 ? <NoCalls /> : <Days rows={data} />)}
        </Read>
      </div>
    </Sheet>
  );
}

function NoCalls() {
  return (
    <EmptyState compact icon={BarChart3} title="No calls in the last 30 days">
      Calls with this key are counted here, by day and by endpoint.
    </EmptyState>
  );
}

function Days({ rows }: { rows: OutputOf<"apiKeys.usage">["data"] }) {
  const days = [...Map.groupBy(rows, ({ day }) => day)];
  return days.map(([day, calls]) => (
    <section key={day} aria-label={day}>
      <h3 className="flex items-baseline gap-2 pb-1.5 font-medium text-quiet text-xs">
        <DayText value={day} />
        <span className="ml-auto">{counted(sum(calls), "call")}</span>
      </h3>
      <ul className="overflow-hidden rounded-lg border border-line">
        {calls.map(({ operation, calls: count, refused }) => (
          <li
            key={operation}
            className="flex items-baseline gap-3 border-line border-b px-3 py-1.5 last:border-b-0"
          >
            <code className="min-w-0 flex-1 font-mono text-xs">{operation}</code>
            {refused > 0 && (
              <span className="text-danger text-xs">{counted(refused, "refused", "refused")}</span>
            )}
            <span className="tabular-nums">{count}</span>
          </li>
        ))}
      </ul>
    </section>
  ));
}

const sum = (rows: { calls: number }[]) => rows.reduce((total, { calls }) => total + calls, 0);
