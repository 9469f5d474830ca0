"use client";
import { useState } from "react";
import { useAct } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { linkClass } from "#components/ui/link.tsx";
import { Popover } from "#components/ui/popover.tsx";
import { ActionsTh, Table, Td, Th, Tr } from "#components/ui/table.tsx";
import { Ago, DateTime } from "#components/ui/time.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { counted, inWords } from "#components/words.ts";
import type { ApiKey } from "#lib/keys/schema.ts";

const UsageSheet = lazily(() => import("./usage-sheet.tsx").then((module) => module.UsageSheet));

export function KeysTable({ keys }: { keys: ApiKey[] }) {
  return (
    <Table label="API keys">
      <thead>
        <tr>
          <Th>Name</Th>
          <Th className="max-md:hidden">May</Th>
          <Th className="max-sm:hidden">Last used</Th>
          <Th className="max-lg:hidden">Expires</Th>
          <ActionsTh />
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <KeyRow key={key.id} apiKey={key} />
        ))}
      </tbody>
    </Table>
  );
}

function KeyRow({ apiKey }: { apiKey: ApiKey }) {
  const may = useMay();
  const [isRevoking, setRevoking] = useState(false);
  const { name, publicId, status, createdBy, createdAt, expiresAt, revokedAt } = apiKey;
  return (
    <Tr>
      <Td className="w-full sm:min-w-48">
        <div className="py-1.5">
          <p className="flex flex-wrap items-center gap-x-2">
            <span className="break-words font-medium">{name}</span>
            {status !== "active" && (
              <Badge tone={status === "expired" ? "warn" : "neutral"}>{inWords(status.toUpperCase())}</Badge>
            )}
          </p>
          <p className="text-quiet text-xs">
            <code className="font-mono">csk_{publicId}_…</code> · created <Ago value={createdAt} />
            {createdBy && ` by ${createdBy.name}`}
          </p>
          <div className="mt-1 text-xs sm:hidden">
            <ScopesOf apiKey={apiKey} /> · <LastUse apiKey={apiKey} />
          </div>
        </div>
      </Td>
      <Td className="whitespace-nowrap max-md:hidden">
        <ScopesOf apiKey={apiKey} />
      </Td>
      <Td className="whitespace-nowrap max-sm:hidden">
        <LastUse apiKey={apiKey} />
      </Td>
      <Td className="whitespace-nowrap text-quiet max-lg:hidden">
        {revokedAt ? (
          <>
            revoked <Ago value={revokedAt} />
          </>
        ) : expiresAt ? (
          <DateTime value={expiresAt} />
        ) : (
          "Never"
        )}
      </Td>
      <Td className="text-right">
        {status === "active" && may("keys:write") && (
          <Button size="sm" aria-label={`Revoke ${name}`} onClick={() => setRevoking(true)}>
            Revoke
          </Button>
        )}
        {isRevoking && <RevokeDialog apiKey={apiKey} onClose={() => setRevoking(false)} />}
      </Td>
    </Tr>
  );
}

function LastUse({ apiKey }: { apiKey: ApiKey }) {
  const may = useMay();
  const [isShown, setShown] = useState(false);
  const { name, lastUsedAt } = apiKey;
  return (
    <>
      {lastUsedAt ? (
        <span>
          <span className="sm:hidden">used </span>
          <Ago value={lastUsedAt} />
        </span>
      ) : (
        <span className="text-faint">Never used</span>
      )}
      <span className="text-xs sm:block">
        <span className="sm:hidden"> · </span>
        <button
          type="button"
          className={linkClass}
          aria-label={`Usage of ${name}`}
          onClick={() => setShown(true)}
        >
          Usage
        </button>
      </span>
      {isShown && <UsageSheet apiKey={apiKey} mayAudit={may("audit:read")} onClose={() => setShown(false)} />}
    </>
  );
}

function ScopesOf({ apiKey: { name, preset, scopes } }: { apiKey: ApiKey }) {
  return (
    <Popover
      label={`Scopes of ${name}`}
      trigger={
        <button
          type="button"
          aria-label={`${presetLabel(preset)}: the scopes of ${name}`}
          className="rounded-sm underline decoration-edge decoration-dotted underline-offset-4 hover:decoration-ink"
        >
          {presetLabel(preset)}
        </button>
      }
    >
      <p className="px-3 pt-2.5 pb-1 font-medium">{counted(scopes.length, "scope")}</p>
      <ul className="max-h-72 overflow-y-auto px-3 pb-2.5 font-mono text-quiet text-xs leading-5">
        {scopes.map((scope) => (
          <li key={scope}>{scope}</li>
        ))}
      </ul>
    </Popover>
  );
}

const presetLabel = (preset: ApiKey["preset"]) => (preset ? inWords(preset.toUpperCase()) : "Some scopes");

function RevokeDialog({ apiKey: { id, name }, onClose }: { apiKey: ApiKey; onClose(): void }) {
  const toast = useToast();
  const revoke = useAct("apiKeys.revoke", { invalidates: ["apiKeys", "auditEvents"] });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Revoke “${name}”?`}
      description="Anything using it loses access immediately. This cannot be undone; you can create another key."
      action="Revoke the key"
      onConfirm={async () => {
        await revoke.run({ id });
        toast({ title: "Revoked", detail: `${name} no longer works.` });
      }}
    />
  );
}
