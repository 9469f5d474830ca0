"use client";
/** The workspace's webhook endpoints. */
import { Plus, Webhook } from "lucide-react";
import { useRouter } from "next/navigation";
import { parseAsBoolean, useQueryState } from "nuqs";
import { useOperation } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { Button } from "#components/ui/button.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { NameLink } from "#components/ui/link.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { Table, Td, Th, Tr } from "#components/ui/table.tsx";
import type { WebhookEndpoint } from "#lib/webhooks/schema.ts";
import { Read, SettingsBody } from "../parts.tsx";
import { useShownOnce } from "../shown-once.ts";
import { EndpointBadge, eventsText } from "./status.tsx";

/**
 * Loaded on demand, because the event types include the schemas of all payloads. The dialog that shows the
 * secret loads with it, so that it is ready before an endpoint can be created: the secret is shown only once.
 */
const EndpointDialog = lazily(async () => {
  const [{ EndpointDialog }] = await Promise.all([
    import("./endpoint-dialog.tsx"),
    import("./endpoint-secret.tsx"),
  ]);
  return EndpointDialog;
});
const EndpointSecretDialog = lazily(() =>
  import("./endpoint-secret.tsx").then((module) => module.EndpointSecretDialog),
);

interface CreatedEndpoint {
  id: string;
  secret: string;
}

export function WebhooksPage() {
  const may = useMay();
  const router = useRouter();
  const reading = useOperation("webhookEndpoints.list", {}, { enabled: may("webhooks:read") });
  const [isAdding, setAdding] = useQueryState("add", parseAsBoolean.withDefault(false));
  const made = useShownOnce<CreatedEndpoint>({
    title: "The endpoint was added after you left its page",
    detail: "Its secret cannot be shown any more. Rotate it to get a new one.",
  });
  const add = may("webhooks:write") && (
    <Button variant="primary" onClick={() => void setAdding(true)}>
      <Plus aria-hidden />
      Add an endpoint
    </Button>
  );
  return (
    <SettingsBody
      wide
      scope="webhooks:read"
      title="Webhooks"
      description="Events are sent to your endpoints, signed, and retried until they are received."
      actions={add}
    >
      <div className="overflow-hidden rounded-lg border border-line">
        <Read reading={reading} label="Loading webhook endpoints">
          {({ endpoints }) =>
            endpoints.length === 0 ? (
              <EmptyState icon={Webhook} title="No webhook endpoints yet" action={add}>
                An endpoint is an address of yours that gets a signed POST for each event you choose: a
                contract signed, an obligation due.
              </EmptyState>
            ) : (
              <EndpointsTable endpoints={endpoints} />
            )
          }
        </Read>
      </div>
      {may("webhooks:write") && isAdding && (
        <EndpointDialog
          onClose={() => void setAdding(null)}
          onCreated={(id, secret) => made.show({ id, secret })}
        />
      )}
      {made.shown && (
        <EndpointSecretDialog
          title="Endpoint added"
          secret={made.shown.secret}
          onClose={() => router.push(`/settings/webhooks/${made.shown?.id}`)}
        />
      )}
    </SettingsBody>
  );
}

function EndpointsTable({ endpoints }: { endpoints: WebhookEndpoint[] }) {
  return (
    <Table label="Webhook endpoints">
      <thead>
        <tr>
          <Th>Endpoint</Th>
          <Th className="max-md:hidden">Events</Th>
          <Th>Status</Th>
        </tr>
      </thead>
      <tbody>
        {endpoints.map(({ id, url, description, events, status }) => (
          <Tr key={id} className="relative">
            <Td className="w-full max-w-0">
              <div className="py-1.5">
                <NameLink
                  href={`/settings/webhooks/${id}`}
                  className="block truncate after:absolute after:inset-0"
                >
                  {url}
                </NameLink>
                {description && <span className="block truncate text-quiet text-xs">{description}</span>}
              </div>
            </Td>
            <Td className="whitespace-nowrap text-quiet max-md:hidden">{eventsText(events)}</Td>
            <Td className="whitespace-nowrap">
              <EndpointBadge status={status} />
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}
