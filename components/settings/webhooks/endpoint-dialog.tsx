"use client";
/** Adds or edits an endpoint: its URL, and the events that it receives. */
import { useState } from "react";
import { Controller } from "react-hook-form";
import { changedIn } from "#components/changed-in.ts";
import { isUnconfirmed } from "#components/identity-check.ts";
import { useCloseIfMounted } from "#components/mounted.ts";
import { problemOf } from "#components/problem.ts";
import { useAct } from "#components/query.tsx";
import { Checkbox, Radio } from "#components/ui/choice.tsx";
import { Field, FieldGroup } from "#components/ui/field.tsx";
import { showRefusal, useZodForm } from "#components/ui/form.tsx";
import { FormDialog } from "#components/ui/form-dialog.tsx";
import { Input } from "#components/ui/input.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { inWords } from "#components/words.ts";
import { type EventType, eventTypes, NewEndpoint, type WebhookEndpoint } from "#lib/webhooks/schema.ts";

const EndpointForm = NewEndpoint.pick({ url: true, events: true, description: true }).required({
  events: true,
});

type Chosen = ("*" | EventType)[];

// Test events are sent by hand, whatever the endpoint subscribes to.
const groups = [
  ...Map.groupBy(
    eventTypes.filter((type) => type !== "webhook.test"),
    (type) => type.split(".")[0] ?? "",
  ),
];

export interface EndpointDialogProps {
  /** The endpoint to edit; without it, a new one is added. */
  endpoint?: WebhookEndpoint;
  onClose(): void;
  onCreated?(id: string, secret: string): void;
}

export function EndpointDialog({ endpoint, onClose, onCreated }: EndpointDialogProps) {
  const close = useCloseIfMounted(onClose);
  const [first] = useState(() => ({
    url: endpoint?.url ?? "",
    description: endpoint?.description ?? null,
    events: (endpoint?.events ?? ["*"]) as Chosen,
  }));
  const form = useZodForm(EndpointForm, { ...first, description: first.description ?? "" });
  const { errors, isSubmitting } = form.formState;
  const toast = useToast();
  const options = { invalidates: ["webhookEndpoints", "auditEvents"], showsErrors: false } as const;
  const create = useAct("webhookEndpoints.create", options);
  const patch = useAct("webhookEndpoints.patch", options);
  const submit = form.handleSubmit(async (values) => {
    try {
      if (endpoint) {
        // A new URL must be confirmed with the password, so send only what changed.
        const changed = changedIn<typeof values>(values, first);
        if (Object.keys(changed).length === 0) return close();
        await patch.run({ id: endpoint.id, ...changed });
        toast({ title: "Endpoint updated" });
      } else {
        const made = await create.run(values);
        onCreated?.(made.endpoint.id, made.secret ?? "");
      }
      close();
    } catch (error) {
      if (!isUnconfirmed(error)) showRefusal(form, problemOf(error), ["url", "description", "events"]);
    }
  });
  return (
    <FormDialog
      title={endpoint ? "Edit the endpoint" : "Add an endpoint"}
      size="md"
      error={errors.root?.message}
      action={endpoint ? "Save" : "Add the endpoint"}
      busy={isSubmitting}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        label="Address"
        hint="It gets a POST for each event, and must respond with 2xx within 15 seconds."
        error={errors.url?.message}
        required
      >
        <Input
          {...form.register("url")}
          type="url"
          inputMode="url"
          autoComplete="off"
          autoFocus
          placeholder="https://"
        />
      </Field>
      <Field label="Description" optional error={errors.description?.message}>
        <Input {...form.register("description")} autoComplete="off" />
      </Field>
      <Controller
        control={form.control}
        name="events"
        render={({ field }) => (
          <EventsField
            value={field.value as Chosen}
            error={errors.events?.message}
            onValue={field.onChange}
          />
        )}
      />
    </FormDialog>
  );
}

interface EventsFieldProps {
  value: Chosen;
  error?: string;
  onValue(value: Chosen): void;
}

function EventsField({ value, error, onValue }: EventsFieldProps) {
  const all = value.includes("*");
  return (
    <FieldGroup legend="Events">
      <Radio
        name="which"
        label="All events"
        hint="Including future ones."
        checked={all}
        onChange={() => onValue(["*"])}
      />
      <Radio name="which" label="Only these" checked={!all} onChange={() => onValue([])} />
      {!all && (
        <div className="grid gap-x-4 gap-y-3 rounded-md border border-line p-3 sm:grid-cols-2">
          {groups.map(([noun, types]) => (
            <EventGroup key={noun} noun={noun} types={types} value={value} onValue={onValue} />
          ))}
        </div>
      )}
      {error && (
        <p role="alert" className="text-danger text-xs">
          {error}
        </p>
      )}
    </FieldGroup>
  );
}

function EventGroup({
  noun,
  types,
  value,
  onValue,
}: { noun: string; types: EventType[] } & Omit<EventsFieldProps, "error">) {
  const chosen = types.filter((type) => value.includes(type));
  const others = value.filter((type) => !types.includes(type as EventType));
  const isWhole = chosen.length === types.length;
  return (
    <div className="grid content-start gap-1">
      <Checkbox
        label={<span className="font-medium">{inWords(noun.toUpperCase())}</span>}
        checked={isWhole}
        indeterminate={chosen.length > 0 && !isWhole}
        onChange={() => onValue(isWhole ? others : [...others, ...types])}
      />
      {types.length > 1 &&
        types.map((type) => (
          <Checkbox
            key={type}
            className="ml-5"
            label={<code className="font-mono text-xs">{type}</code>}
            checked={value.includes(type)}
            onChange={() =>
              onValue(value.includes(type) ? value.filter((other) => other !== type) : [...value, type])
            }
          />
        ))}
    </div>
  );
}
