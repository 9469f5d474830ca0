"use client";
/** The page of an endpoint: its events, the available actions, and its deliveries. */
import { MoreHorizontal, Pencil, Power, RotateCcwKey, Send, Trash2 } from "lucide-react";
import { useState } from "react";
import { useGuardedNavigation } from "#components/mounted.ts";
import { useAct, useOperation } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { DefinitionList } from "#components/ui/bits.tsx";
import { Button, IconButton } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { Menu, MenuItem, MenuSeparator } from "#components/ui/menu.tsx";
import { DateTime } from "#components/ui/time.tsx";
import { useToast } from "#components/ui/toast.tsx";
import type { WebhookEndpoint } from "#lib/webhooks/schema.ts";
import { Read, SettingsBody } from "../parts.tsx";
import { useShownOnce } from "../shown-once.ts";
import { Deliveries } from "./deliveries.tsx";
import { EndpointBadge, eventsText } from "./status.tsx";

const EndpointDialog = lazily(() => import("./endpoint-dialog.tsx").then((module) => module.EndpointDialog));
const EndpointSecretDialog = lazily(() =>
  import("./endpoint-secret.tsx").then((module) => module.EndpointSecretDialog),
);

export function EndpointPage({ id }: { id: string }) {
  const may = useMay();
  const reading = useOperation("webhookEndpoints.read", { id }, { enabled: may("webhooks:read") });
  const endpoint = reading.data?.endpoint;
  return (
    <SettingsBody
      wide
      scope="webhooks:read"
      crumbs={[{ label: "Webhooks", href: "/settings/webhooks" }]}
      title={endpoint ? new URL(endpoint.url).host : "Webhook endpoint"}
      badge={endpoint && <EndpointBadge status={endpoint.status} />}
      description={endpoint?.description}
      actions={endpoint && may("webhooks:write") && <EndpointActions endpoint={endpoint} />}
    >
      <Read reading={reading} label="Loading the endpoint" rows={2}>
        {({ endpoint: { url, events, createdAt, disabledReason, consecutiveFailures } }) => (
          <Card className="p-4">
            <DefinitionList
              className="sm:grid-cols-2"
              items={[
                { term: "Address", value: <span className="break-all">{url}</span> },
                { term: "Events", value: <span title={events.join(", ")}>{eventsText(events)}</span> },
                { term: "Added", value: <DateTime value={createdAt} /> },
                ...(disabledReason ? [{ term: "Why it is disabled", value: disabledReason }] : []),
                ...(consecutiveFailures > 0
                  ? [{ term: "Failures in a row", value: String(consecutiveFailures) }]
                  : []),
              ]}
            />
          </Card>
        )}
      </Read>
      {endpoint && <Deliveries endpoint={endpoint} />}
    </SettingsBody>
  );
}

type Open = "edit" | "disable" | "remove" | "rotate" | null;

const touched = ["webhookEndpoints", "auditEvents"] as const;

function EndpointActions({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { id, status } = endpoint;
  const isEnabled = status === "ENABLED";
  const toast = useToast();
  const [open, setOpen] = useState<Open>(null);
  const test = useAct("webhookEndpoints.test", { invalidates: touched });
  const patch = useAct("webhookEndpoints.patch", { invalidates: touched });
  const sendTest = async () => {
    await test.run({ id });
    toast({ title: "Test sent", detail: "It is at the top of the deliveries." });
  };
  const enable = async () => {
    await patch.run({ id, enabled: true });
    toast({ title: "Enabled", detail: "Failed deliveries can be recovered." });
  };
  return (
    <>
      {isEnabled ? (
        <Button busy={test.isRunning} onClick={() => void sendTest().catch(() => undefined)}>
          <Send aria-hidden />
          Send a test
        </Button>
      ) : (
        <Button variant="primary" busy={patch.isRunning} onClick={() => void enable().catch(() => undefined)}>
          <Power aria-hidden />
          Enable
        </Button>
      )}
      <Menu
        align="end"
        label="The endpoint"
        trigger={
          <IconButton label="More for this endpoint" variant="secondary">
            <MoreHorizontal aria-hidden />
          </IconButton>
        }
      >
        <MenuItem icon={<Pencil aria-hidden />} onSelect={() => setOpen("edit")}>
          Edit
        </MenuItem>
        <MenuItem
          icon={<RotateCcwKey aria-hidden />}
          hint="The previous one signs for another 24 hours."
          onSelect={() => setOpen("rotate")}
        >
          Rotate the secret
        </MenuItem>
        {isEnabled && (
          <MenuItem icon={<Power aria-hidden />} onSelect={() => setOpen("disable")}>
            Disable
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem danger icon={<Trash2 aria-hidden />} onSelect={() => setOpen("remove")}>
          Delete
        </MenuItem>
      </Menu>
      <EndpointDialogs endpoint={endpoint} open={open} onClose={() => setOpen(null)} />
    </>
  );
}

function EndpointDialogs({
  endpoint,
  open,
  onClose,
}: {
  endpoint: WebhookEndpoint;
  open: Open;
  onClose(): void;
}) {
  const { id, url } = endpoint;
  const toast = useToast();
  const leadTo = useGuardedNavigation();
  const rotated = useShownOnce<string>({
    title: "The secret was rotated after you left its page",
    detail: "The new one cannot be shown any more. Rotate it once more.",
  });
  const patch = useAct("webhookEndpoints.patch", { invalidates: touched });
  const remove = useAct("webhookEndpoints.remove", { invalidates: ["webhookEndpoints.list", "auditEvents"] });
  const rotate = useAct("webhookEndpoints.rotateSecret", { invalidates: touched });
  const onOpenChange = (next: boolean) => !next && onClose();
  return (
    <>
      {open === "edit" && <EndpointDialog endpoint={endpoint} onClose={onClose} />}
      <ConfirmDialog
        open={open === "disable"}
        onOpenChange={onOpenChange}
        title="Disable the endpoint?"
        description="Pending deliveries end as failed. They can be recovered once the endpoint is enabled again."
        action="Disable"
        onConfirm={() => patch.run({ id, enabled: false })}
      />
      <ConfirmDialog
        open={open === "rotate"}
        onOpenChange={onOpenChange}
        danger={false}
        title="Rotate the secret?"
        description="You get a new secret, shown once. For 24 hours both sign, then only the new one does."
        action="Rotate"
        onConfirm={async () => {
          const made = await rotate.run({ id });
          rotated.show(made.secret ?? "");
        }}
      />
      <ConfirmDialog
        open={open === "remove"}
        onOpenChange={onOpenChange}
        title="Delete the endpoint?"
        description={`Nothing more is sent to ${url}, and its deliveries can no longer be seen. This cannot be undone.`}
        action="Delete"
        onConfirm={async () => {
          await remove.run({ id });
          toast({ title: "Endpoint deleted" });
          leadTo("/settings/webhooks");
        }}
      />
      {rotated.shown !== null && (
        <EndpointSecretDialog
          title="The new secret"
          secret={rotated.shown}
          isRotated
          onClose={rotated.close}
        />
      )}
    </>
  );
}
