"use client";
/** An endpoint's deliveries, newest first, and the details of one. */
import { clsx } from "clsx";
import { History, Inbox, SearchX } from "lucide-react";
import { parseAsNativeArrayOf, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useState } from "react";
import { useFading } from "#components/fading.ts";
import { useFeed } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { Button } from "#components/ui/button.tsx";
import { Section } from "#components/ui/card.tsx";
import { ChoiceFilter } from "#components/ui/filter.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { Table, Td, Th, Tr } from "#components/ui/table.tsx";
import { Ago } from "#components/ui/time.tsx";
import type { Delivery, WebhookEndpoint } from "#lib/webhooks/schema.ts";
import { LoadOlder } from "../load-older.tsx";
import { Read } from "../parts.tsx";
import { pollIntervalMs } from "./live.ts";
import { DeliveryBadge, deliveryWords } from "./status.tsx";

const RecoverDialog = lazily(() => import("./recover-dialog.tsx").then((module) => module.RecoverDialog));
const DeliverySheet = lazily(() => import("./delivery-sheet.tsx").then((module) => module.DeliverySheet));

const statuses = ["PENDING", "SUCCEEDED", "RETRYING", "FAILED"] as const;
const statusOptions = statuses.map((value) => ({ value, label: deliveryWords[value][1] }));

export function Deliveries({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { id } = endpoint;
  const may = useMay()("webhooks:write");
  const [search, setSearch] = useQueryStates({
    status: parseAsNativeArrayOf(parseAsStringLiteral(statuses)),
    delivery: parseAsString,
  });
  const [isRecovering, setRecovering] = useState(false);
  const status = search.status.length > 0 ? { status: search.status } : {};
  const feed = useFeed(
    "webhookEndpoints.deliveries",
    { id, ...status },
    { everyMs: (pages) => pollIntervalMs(pages.flatMap((page) => page.deliveries)) },
  );
  const deliveries = feed.pages?.flatMap((page) => page.deliveries);
  return (
    <Section
      title="Deliveries"
      hint="Kept for 90 days"
      actions={
        may &&
        endpoint.status === "ENABLED" && (
          <Button size="sm" onClick={() => setRecovering(true)}>
            <History aria-hidden />
            Recover failed
          </Button>
        )
      }
    >
      <div className="mb-3">
        <ChoiceFilter
          label="Status"
          options={statusOptions}
          selected={search.status}
          onSelect={(chosen) => void setSearch({ status: chosen })}
        />
      </div>
      <div className="overflow-hidden rounded-lg border border-line">
        <Read reading={{ ...feed, data: deliveries }} label="Loading deliveries">
          {(rows) =>
            rows.length === 0 ? (
              <NoDeliveries
                isFiltered={search.status.length > 0}
                onClear={() => void setSearch({ status: null })}
              />
            ) : (
              <DeliveriesTable
                deliveries={rows}
                isPrevious={feed.isPrevious}
                open={search.delivery}
                onOpen={(delivery) => void setSearch({ delivery }, { history: "push" })}
              />
            )
          }
        </Read>
      </div>
      <LoadOlder feed={feed} />
      {search.delivery && (
        <DeliverySheet
          endpoint={endpoint}
          deliveryId={search.delivery}
          onOpen={(delivery) => void setSearch({ delivery })}
        />
      )}
      {isRecovering && <RecoverDialog id={id} onClose={() => setRecovering(false)} />}
    </Section>
  );
}

function NoDeliveries({ isFiltered, onClear }: { isFiltered: boolean; onClear(): void }) {
  if (!isFiltered) {
    return (
      <EmptyState compact icon={Inbox} title="No deliveries yet">
        The first event after it was added appears here within a second. Send a test to see one now.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      compact
      icon={SearchX}
      title="No results"
      action={<Button onClick={onClear}>Clear the filter</Button>}
    >
      No delivery has this status.
    </EmptyState>
  );
}

interface DeliveriesTableProps {
  deliveries: Delivery[];
  isPrevious: boolean;
  open: string | null;
  onOpen(id: string): void;
}

function DeliveriesTable({ deliveries, isPrevious, open, onOpen }: DeliveriesTableProps) {
  const fading = useFading(isPrevious);
  return (
    <Table label="Deliveries" className={fading}>
      <thead>
        <tr>
          <Th>Event</Th>
          <Th>Status</Th>
          <Th className="max-sm:hidden">Answer</Th>
          <Th className="max-sm:hidden">Attempts</Th>
          <Th className="text-right">When</Th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map(
          ({ id, eventType, status, lastStatusCode, lastError, attemptCount, createdAt, redeliveryOf }) => (
            <Tr key={id} className={clsx("relative", open === id && "bg-well")}>
              <Td className="w-full max-w-0">
                <button
                  type="button"
                  onClick={() => onOpen(id)}
                  className="block max-w-full truncate rounded-sm text-left font-medium font-mono text-xs after:absolute after:inset-0 hover:underline"
                >
                  {eventType}
                </button>
                {redeliveryOf && <span className="block text-faint text-xs">again</span>}
              </Td>
              <Td className="whitespace-nowrap">
                <DeliveryBadge status={status} />
              </Td>
              <Td className="max-w-48 truncate text-quiet tabular-nums max-sm:hidden">
                {lastStatusCode ?? lastError ?? "–"}
              </Td>
              <Td className="text-quiet tabular-nums max-sm:hidden">{attemptCount}</Td>
              <Td className="whitespace-nowrap text-right text-quiet">
                <Ago value={createdAt} />
              </Td>
            </Tr>
          ),
        )}
      </tbody>
    </Table>
  );
}
