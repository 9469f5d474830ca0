"use client";
/** The defaults for members without their own, and when others are notified of overdue obligations. */
import { useState } from "react";
import { useAct } from "#components/query.tsx";
import { useMay, useRefusal } from "#components/session.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, Section } from "#components/ui/card.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { channels, lastEscalationDay, type NotificationKind } from "#lib/notifications/catalogue.ts";
import type { NotificationDefaults } from "#lib/notifications/schema.ts";
import { Reason } from "../parts.tsx";
import { channelOptions, KindList } from "./kind-list.tsx";

export function Defaults({ defaults }: { defaults: NotificationDefaults }) {
  const may = useMay()("workspace:write");
  const refusal = useRefusal()("workspace:write");
  const toast = useToast();
  const save = useAct("notifications.saveDefaults", {
    invalidates: ["notifications", "auditEvents"],
    optimistic: ({ channels: chosen = {} }, memory) =>
      memory.updateAll("notifications.defaults", (before) => ({
        ...before,
        channels: { ...before.channels, ...(chosen as Partial<typeof before.channels>) },
      })),
  });
  const run = async (input: Parameters<typeof save.run>[0]) => {
    await save.run(input);
    toast({ title: "Saved for the workspace" });
  };
  const choose = (kind: NotificationKind, value: string) => {
    const channel = channels.find((each) => each === value);
    if (channel) void run({ channels: { [kind]: channel } }).catch(() => undefined);
  };
  return (
    <Section title="For the workspace">
      <Card className="grid gap-4 p-4 sm:p-5">
        <p className="text-quiet">Applies to every member who has not chosen otherwise.</p>
        {refusal && <Reason>{refusal}</Reason>}
        <KindList
          value={(kind) => defaults.channels[kind]}
          options={() => channelOptions}
          onValue={choose}
          disabled={!may}
        />
        <Escalation
          key={`${defaults.ownerAfterDays} ${defaults.adminsAfterDays}`}
          defaults={defaults}
          disabled={!may}
          onSave={(days) => run(days)}
        />
      </Card>
    </Section>
  );
}

type Days = Pick<NotificationDefaults, "ownerAfterDays" | "adminsAfterDays">;

const parseDays = (text: string) => (text.trim() === "" ? null : Number(text));
const isDay = (days: number) => Number.isInteger(days) && days >= 1 && days <= lastEscalationDay;
const errorOf = (days: number | null) =>
  days === null || isDay(days) ? undefined : `must be a whole number of days, from 1 to ${lastEscalationDay}`;
const formatDays = (days: number | null) => (days === null ? "" : String(days));

function Escalation({
  defaults,
  disabled,
  onSave,
}: {
  defaults: Days;
  disabled: boolean;
  onSave(days: Days): Promise<void>;
}) {
  const [owner, setOwner] = useState(formatDays(defaults.ownerAfterDays));
  const [admins, setAdmins] = useState(formatDays(defaults.adminsAfterDays));
  const days = { ownerAfterDays: parseDays(owner), adminsAfterDays: parseDays(admins) };
  const isValid = !errorOf(days.ownerAfterDays) && !errorOf(days.adminsAfterDays);
  const isSame =
    days.ownerAfterDays === defaults.ownerAfterDays && days.adminsAfterDays === defaults.adminsAfterDays;
  return (
    <form
      noValidate
      className="grid gap-3 sm:grid-cols-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (isValid) void onSave(days).catch(() => undefined);
      }}
    >
      <Field
        label="Notify the contract's owner after"
        subject="This"
        hint="Days overdue. Leave empty for never."
        error={errorOf(days.ownerAfterDays)}
      >
        <Input
          inputMode="numeric"
          value={owner}
          disabled={disabled}
          onChange={({ target }) => setOwner(target.value)}
        />
      </Field>
      <Field
        label="Notify owners and admins after"
        subject="This"
        hint="Days overdue. Leave empty for never."
        error={errorOf(days.adminsAfterDays)}
      >
        <Input
          inputMode="numeric"
          value={admins}
          disabled={disabled}
          onChange={({ target }) => setAdmins(target.value)}
        />
      </Field>
      {!disabled && (
        <div>
          <Button type="submit" disabled={isSame || !isValid}>
            Save
          </Button>
        </div>
      )}
    </form>
  );
}
