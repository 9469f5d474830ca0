"use client";
/** Creates a key: its name, permissions and expiry. */
import { useState } from "react";
import { isUnconfirmed } from "#components/identity-check.ts";
import { useCloseIfMounted } from "#components/mounted.ts";
import { problemOf } from "#components/problem.ts";
import { useAct } from "#components/query.tsx";
import { useToday } from "#components/today.ts";
import { Radio } from "#components/ui/choice.tsx";
import { Field, FieldGroup } from "#components/ui/field.tsx";
import { showRefusal, useZodForm } from "#components/ui/form.tsx";
import { FormDialog } from "#components/ui/form-dialog.tsx";
import { DateInput, Input } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";
import type { Preset } from "#lib/core/scopes.ts";
import { NewApiKey } from "#lib/keys/schema.ts";

const presetWords: Record<Preset, { label: string; hint: string }> = {
  full_access: {
    label: "Full access",
    hint: "Reads and changes contracts, counterparties, obligations, members and webhooks; reads templates, signatures and the audit log.",
  },
  read_only: {
    label: "Read only",
    hint: "Reads contracts and what belongs to them; no webhooks, no audit log.",
  },
};

/** A number of days from now, `day` for a chosen date, or never. */
const expiries = [
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
  { value: "day", label: "On a date …" },
  { value: "never", label: "Never" },
];

const KeyForm = NewApiKey.pick({ name: true, preset: true });

export function NewKeyDialog({ onClose, onCreated }: { onClose(): void; onCreated(secret: string): void }) {
  const close = useCloseIfMounted(onClose);
  const today = useToday();
  const [expiry, setExpiry] = useState("90");
  const [day, setDay] = useState("");
  const [dayProblem, setDayProblem] = useState<string>();
  const form = useZodForm(KeyForm, { name: "", preset: "read_only" });
  const { errors, isSubmitting } = form.formState;
  const create = useAct("apiKeys.create", { invalidates: ["apiKeys", "auditEvents"], showsErrors: false });
  const submit = form.handleSubmit(async (input) => {
    if (expiry === "day" && day === "") return setDayProblem("is required");
    const expiresAt = expiry === "day" ? day : expiry === "never" ? null : inDays(Number(expiry));
    try {
      const { secret } = await create.run({ ...input, expiresAt });
      // If the first response was lost, the retry's response no longer contains the secret.
      onCreated(secret ?? "");
      close();
    } catch (error) {
      if (isUnconfirmed(error)) return;
      const refused = problemOf(error);
      setDayProblem(refused.issues.find(({ path }) => path === "expiresAt")?.message);
      showRefusal(form, refused, ["name", "preset"]);
    }
  });
  return (
    <FormDialog
      title="Create an API key"
      description="Create one for each program, so that you can tell them apart and revoke them separately."
      error={errors.root?.message}
      action="Create the key"
      busy={isSubmitting}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Name" hint="What uses it: “CRM sync”." error={errors.name?.message} required>
        <Input {...form.register("name")} autoFocus autoComplete="off" />
      </Field>
      <FieldGroup legend="What it may do">
        {(["read_only", "full_access"] as const).map((preset) => (
          <Radio key={preset} {...form.register("preset")} value={preset} {...presetWords[preset]} />
        ))}
      </FieldGroup>
      <div className="grid grid-cols-2 gap-3">
        <Field label="Expires">
          <Select
            options={expiries}
            value={expiry}
            onChange={(event) => {
              setExpiry(event.target.value);
              setDayProblem(undefined);
            }}
          />
        </Field>
        {expiry === "day" && (
          <Field label="Date (midnight UTC)" error={dayProblem} required>
            <DateInput value={day} min={today} onChange={(event) => setDay(event.target.value)} />
          </Field>
        )}
      </div>
    </FormDialog>
  );
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
