"use client";
import { useState } from "react";
import { isReading, scopeWords } from "#components/assistants/words.ts";
import { useAct } from "#components/query.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { Popover } from "#components/ui/popover.tsx";
import { ActionsTh, Table, Td, Th, Tr } from "#components/ui/table.tsx";
import { Ago, DateTime } from "#components/ui/time.tsx";
import { useToast } from "#components/ui/toast.tsx";
import type { ConnectedAssistant } from "#lib/assistants/schema.ts";

export function AssistantsTable({ assistants }: { assistants: ConnectedAssistant[] }) {
  return (
    <Table label="Connected assistants">
      <thead>
        <tr>
          <Th>Assistant</Th>
          <Th className="max-md:hidden">May</Th>
          <Th className="max-sm:hidden">Last used</Th>
          <ActionsTh />
        </tr>
      </thead>
      <tbody>
        {assistants.map((assistant) => (
          <AssistantRow key={assistant.id} assistant={assistant} />
        ))}
      </tbody>
    </Table>
  );
}

function AssistantRow({ assistant }: { assistant: ConnectedAssistant }) {
  const [isRevoking, setRevoking] = useState(false);
  const { name, host, isVerified, member, isOwn, connectedAt } = assistant;
  const whose = isOwn ? "you" : member.name;
  return (
    <Tr>
      <Td className="w-full sm:min-w-48">
        <div className="wrap-anywhere py-1.5">
          <p className="flex flex-wrap items-center gap-x-2">
            <span className="font-medium">{name}</span>
            {isVerified && <Badge tone="good">Verified</Badge>}
          </p>
          <p className="text-quiet text-xs">
            {host} · connected by {whose} <DateTime value={connectedAt} />
          </p>
          <div className="mt-1 text-xs md:hidden">
            <Scopes assistant={assistant} />
            <span className="sm:hidden">
              {" · "}
              <LastUse assistant={assistant} />
            </span>
          </div>
        </div>
      </Td>
      <Td className="whitespace-nowrap max-md:hidden">
        <Scopes assistant={assistant} />
      </Td>
      <Td className="whitespace-nowrap max-sm:hidden">
        <LastUse assistant={assistant} />
      </Td>
      <Td className="text-right">
        <Button size="sm" aria-label={`Disconnect ${name} of ${whose}`} onClick={() => setRevoking(true)}>
          Disconnect
        </Button>
        {isRevoking && <RevokeDialog assistant={assistant} onClose={() => setRevoking(false)} />}
      </Td>
    </Tr>
  );
}

function LastUse({ assistant: { lastUsedAt } }: { assistant: ConnectedAssistant }) {
  return lastUsedAt ? <Ago value={lastUsedAt} /> : <span className="text-faint">Never used</span>;
}

function Scopes({ assistant: { name, scopes } }: { assistant: ConnectedAssistant }) {
  const access = scopes.every(isReading) ? "Read only" : "Read and change";
  return (
    <Popover
      label={`What ${name} may do`}
      trigger={
        <button
          type="button"
          aria-label={`${access}: what ${name} may do`}
          className="rounded-sm underline decoration-edge decoration-dotted underline-offset-4 hover:decoration-ink"
        >
          {access}
        </button>
      }
    >
      <ul className="max-h-72 max-w-72 overflow-y-auto px-3 py-2.5 text-quiet text-xs leading-5">
        {scopes.map((scope) => (
          <li key={scope}>{scopeWords[scope]}</li>
        ))}
      </ul>
    </Popover>
  );
}

interface RevokeDialogProps {
  assistant: ConnectedAssistant;
  onClose(): void;
}

function RevokeDialog({ assistant: { id, name }, onClose }: RevokeDialogProps) {
  const toast = useToast();
  const revoke = useAct("assistants.revoke", { invalidates: ["assistants", "auditEvents"] });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Disconnect ${name}?`}
      description="It loses access immediately. What it has done is kept. It can be connected again."
      action="Disconnect"
      onConfirm={async () => {
        await revoke.run({ id });
        toast({ title: "Disconnected", detail: `${name} no longer has access.` });
      }}
    />
  );
}
