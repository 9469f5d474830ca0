"use client";
/** One delivery: what was sent, and the response to each attempt. */
import { RotateCw } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useAct, useOperation } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { DefinitionList } from "#components/ui/bits.tsx";
import { Button } from "#components/ui/button.tsx";
import { CopyText } from "#components/ui/copy.tsx";
import { Sheet } from "#components/ui/dialog.tsx";
import { Tabs } from "#components/ui/tabs.tsx";
import { DateTime } from "#components/ui/time.tsx";
import { useToast } from "#components/ui/toast.tsx";
import type { OutputOf } from "#lib/doors/client.ts";
import type { Delivery, WebhookEndpoint } from "#lib/webhooks/schema.ts";
import { CodeBlock } from "../code-block.tsx";
import { Read, Reason } from "../parts.tsx";
import { pollIntervalMs } from "./live.ts";
import { DeliveryBadge } from "./status.tsx";

export interface DeliverySheetProps {
  endpoint: WebhookEndpoint;
  deliveryId: string;
  /** Opens another delivery, or closes the sheet. */
  onOpen(id: string | null): void;
}

export function DeliverySheet({ endpoint, deliveryId, onOpen }: DeliverySheetProps) {
  const reading = useOperation(
    "webhookEndpoints.inspectDelivery",
    { id: endpoint.id, deliveryId },
    { everyMs: (latest) => pollIntervalMs([latest.delivery]) },
  );
  const delivery = reading.data?.delivery;
  return (
    <Sheet
      wide
      open
      onOpenChange={(open) => !open && onOpen(null)}
      title={delivery?.eventType ?? "Delivery"}
      description={delivery && <DateTime value={delivery.createdAt} />}
    >
      <div className="min-h-0 flex-1 overflow-y-auto px-5 pb-6">
        <Read reading={reading} label="Loading the delivery">
          {(inspection) => <Inspection inspection={inspection} endpoint={endpoint} onOpen={onOpen} />}
        </Read>
      </div>
    </Sheet>
  );
}

type Inspected = OutputOf<"webhookEndpoints.inspectDelivery">;

interface InspectionProps {
  inspection: Inspected;
  endpoint: WebhookEndpoint;
  onOpen(id: string): void;
}

function Inspection({ inspection: { delivery, request }, endpoint, onOpen }: InspectionProps) {
  const [tab, setTab] = useState("attempts");
  const { id, status, nextAttemptAt, eventId, redeliveryOf } = delivery;
  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap items-center gap-3">
        <DeliveryBadge status={status} />
        {nextAttemptAt && status === "RETRYING" && (
          <span className="text-quiet">
            next attempt <DateTime value={nextAttemptAt} />
          </span>
        )}
        <span className="ml-auto">
          <Redeliver endpoint={endpoint} delivery={delivery} onOpen={onOpen} />
        </span>
      </div>
      <DefinitionList
        className="sm:grid-cols-2"
        items={[
          { term: "Delivery", value: <CopyText text={id} /> },
          { term: "Event", value: <CopyText text={eventId} /> },
          ...(redeliveryOf
            ? [
                {
                  term: "Redelivery of",
                  value: (
                    <Button size="sm" onClick={() => onOpen(redeliveryOf)}>
                      Open the previous delivery
                    </Button>
                  ),
                },
              ]
            : []),
        ]}
      />
      <Tabs
        label="The delivery"
        value={tab}
        onValue={setTab}
        tabs={[
          {
            value: "attempts",
            label: "Attempts",
            count: delivery.attempts.length,
            content: <Attempts delivery={delivery} />,
          },
          {
            value: "request",
            label: "Request",
            content: <Request request={request} delivery={delivery} />,
          },
        ]}
      />
    </div>
  );
}

function Redeliver({
  endpoint,
  delivery,
  onOpen,
}: Pick<InspectionProps, "endpoint" | "onOpen"> & { delivery: Delivery }) {
  const may = useMay()("webhooks:write");
  const toast = useToast();
  const redeliver = useAct("webhookEndpoints.redeliver", {
    invalidates: ["webhookEndpoints", "auditEvents"],
  });
  if (!may) return null;
  if (endpoint.status !== "ENABLED") return <Reason>Enable the endpoint to send it again.</Reason>;
  const run = async () => {
    const again = await redeliver.run({ id: endpoint.id, deliveryId: delivery.id });
    toast({ title: "Sent again", detail: "The same event, as a new delivery." });
    onOpen(again.delivery.id);
  };
  return (
    <Button size="sm" busy={redeliver.isRunning} onClick={() => void run().catch(() => undefined)}>
      <RotateCw aria-hidden />
      Send again
    </Button>
  );
}

function Attempts({ delivery: { attempts, status, lastError } }: { delivery: Delivery }) {
  if (attempts.length === 0) {
    return (
      <p className="text-quiet">{status === "FAILED" ? lastError : "The first attempt is in progress."}</p>
    );
  }
  return (
    <ol className="grid gap-3">
      {attempts.toReversed().map((attempt) => (
        <li key={attempt.number} className="rounded-lg border border-line">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3.5 py-2.5">
            <Badge tone={attempt.error === null ? "good" : "bad"}>
              {attempt.statusCode ?? "No response"}
            </Badge>
            <span className="font-medium">Attempt {attempt.number}</span>
            <span className="text-quiet tabular-nums">{attempt.durationMs} ms</span>
            <span className="ml-auto text-quiet text-xs">
              <DateTime value={attempt.at} />
            </span>
          </div>
          {attempt.error && <p className="break-words px-3.5 pb-2.5 text-danger">{attempt.error}</p>}
          {attempt.responseBody ? (
            <div className="border-line border-t p-3">
              <CodeBlock label={`Response to attempt ${attempt.number}`} text={attempt.responseBody} />
            </div>
          ) : (
            attempt.statusCode !== null && (
              <p className="border-line border-t px-3.5 py-2 text-faint text-xs">The response had no body.</p>
            )
          )}
        </li>
      ))}
    </ol>
  );
}

function Request({ request, delivery }: { request: Inspected["request"]; delivery: Delivery }) {
  const last = delivery.attempts.at(-1);
  const headers = {
    ...request.headers,
    ...(last ? { "webhook-timestamp": String(Math.floor(Date.parse(last.at) / 1000)) } : {}),
  };
  return (
    <div className="grid gap-4">
      <p className="break-all font-mono text-xs">
        <span className="font-semibold">{request.method}</span> {request.url}
      </p>
      <Part title="Headers">
        <dl className="grid gap-1 rounded-md bg-well px-3 py-2.5 font-mono text-xs">
          {Object.entries(headers).map(([name, value]) => (
            <div key={name} className="flex flex-wrap gap-x-2">
              <dt className="text-quiet">{name}:</dt>
              <dd className="break-all">{value}</dd>
            </div>
          ))}
        </dl>
        <p className="mt-1.5 text-faint text-xs">
          Also webhook-signature, computed for each attempt and not stored.
        </p>
      </Part>
      <Part title="Body, as it is sent">
        <CodeBlock label="Body of the request" text={request.payload} />
      </Part>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h3 className="mb-1.5 font-medium">{title}</h3>
      {children}
    </div>
  );
}
