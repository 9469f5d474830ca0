"use client";
/** API keys, which give other software access. */
import { KeyRound, Plus } from "lucide-react";
import { parseAsBoolean, useQueryStates } from "nuqs";
import { useOperation } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { Button } from "#components/ui/button.tsx";
import { Switch } from "#components/ui/choice.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { linkClass } from "#components/ui/link.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { counted } from "#components/words.ts";
import { Read, SettingsBody } from "../parts.tsx";
import { useShownOnce } from "../shown-once.ts";
import { KeysTable } from "./keys-table.tsx";

/**
 * Loaded on demand, because it includes the form library. The dialog that shows the key loads with it, so
 * that it is ready before a key can be created: the key is shown only once.
 */
const NewKeyDialog = lazily(async () => {
  const [{ NewKeyDialog }] = await Promise.all([
    import("./new-key-dialog.tsx"),
    import("../secret-dialog.tsx"),
  ]);
  return NewKeyDialog;
});
const SecretDialog = lazily(() => import("../secret-dialog.tsx").then((module) => module.SecretDialog));

export function KeysPage() {
  const may = useMay();
  const reading = useOperation("apiKeys.list", {}, { enabled: may("keys:read") });
  const [search, setSearch] = useQueryStates({
    ended: parseAsBoolean.withDefault(false),
    new: parseAsBoolean.withDefault(false),
  });
  const created = useShownOnce<string>({
    title: "The API key was created after you left its page",
    detail: "It cannot be shown any more. Revoke it, and create another.",
  });
  const create = may("keys:write") && (
    <Button variant="primary" onClick={() => void setSearch({ new: true })}>
      <Plus aria-hidden />
      Create a key
    </Button>
  );
  return (
    <SettingsBody
      wide
      scope="keys:read"
      title="API keys"
      description={
        <>
          Other software sends one with each call, as <code className="font-mono text-xs">x-api-key</code>.
          What it may do is described in{" "}
          <a href="/api/v1/openapi.json" className={linkClass}>
            the API description
          </a>
          .
        </>
      }
      actions={create}
    >
      <Read reading={reading} label="Loading API keys">
        {({ data }) => {
          const active = data.filter(({ status }) => status === "active");
          const shown = search.ended ? data : active;
          const endedCount = data.length - active.length;
          return (
            <div className="grid gap-3">
              {endedCount > 0 && (
                <Switch
                  label={`Show ${counted(endedCount, "revoked or expired key")}`}
                  checked={search.ended}
                  onChange={(event) => void setSearch({ ended: event.target.checked || null })}
                />
              )}
              <div className="overflow-hidden rounded-lg border border-line">
                {shown.length === 0 ? (
                  <EmptyState icon={KeyRound} title="No active keys" action={create}>
                    A key belongs to this workspace and not to a person: it keeps working when someone leaves,
                    until it expires or is revoked.
                  </EmptyState>
                ) : (
                  <KeysTable keys={shown} />
                )}
              </div>
            </div>
          );
        }}
      </Read>
      {may("keys:write") && search.new && (
        <NewKeyDialog onClose={() => void setSearch({ new: null })} onCreated={created.show} />
      )}
      {created.shown !== null && (
        <SecretDialog title="Your new key" what="API key" secret={created.shown} onClose={created.close}>
          <p>
            Store it with your other secrets, never in code or in a browser. Anyone who has it can use its
            permissions until it is revoked here.
          </p>
        </SecretDialog>
      )}
    </SettingsBody>
  );
}
