"use client";
import { useState } from "react";
import { Controller } from "react-hook-form";
import { z } from "zod";
import { changedIn } from "#components/changed-in.ts";
import { useCloseIfMounted, useGuardedNavigation, useMounted } from "#components/mounted.ts";
import { problemOf } from "#components/problem.ts";
import { useAct } from "#components/query.tsx";
import { Checkbox } from "#components/ui/choice.tsx";
import { Field, FieldGroup } from "#components/ui/field.tsx";
import { showRefusal, useZodForm } from "#components/ui/form.tsx";
import { FormDialog } from "#components/ui/form-dialog.tsx";
import { Input } from "#components/ui/input.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { inWords } from "#components/words.ts";
import { type Counterparty, NewCounterparty, relationshipTypes } from "#lib/counterparties/schema.ts";
import { ExistingCounterparties, useDuplicateWarning } from "./duplicate-warning.tsx";

const CounterpartyForm = z.object({
  name: NewCounterparty.shape.name,
  domain: z.string(),
  relationshipTypes: z.array(z.enum(relationshipTypes)),
});

export interface CounterpartyDialogProps {
  /** The counterparty to edit; without it, a new one is added. */
  counterparty?: Counterparty;
  onClose(): void;
}

export function CounterpartyDialog({ counterparty, onClose }: CounterpartyDialogProps) {
  const close = useCloseIfMounted(onClose);
  const [first] = useState(() => ({
    name: counterparty?.name ?? "",
    domain: counterparty?.domain ?? "",
    relationshipTypes: counterparty?.relationshipTypes ?? [],
  }));
  const form = useZodForm(CounterpartyForm, first);
  const { errors, isSubmitting } = form.formState;
  const isOpen = useMounted();
  const leadTo = useGuardedNavigation();
  const toast = useToast();
  const options = { invalidates: ["counterparties", "contracts"], showsErrors: false } as const;
  const create = useAct("counterparties.create", options);
  const patch = useAct("counterparties.patch", options);
  const { pointedOut, mayBeAdded } = useDuplicateWarning();
  const submit = form.handleSubmit(async (values) => {
    try {
      if (!counterparty && !(await mayBeAdded(values))) return;
      if (counterparty) {
        const changed = changedIn(values, first);
        if (Object.keys(changed).length === 0) return close();
        await patch.run({ id: counterparty.id, ...changed });
        toast({ title: "Saved" });
      } else {
        const made = await create.run(values);
        toast({ title: "Counterparty added", detail: values.name });
        // If the dialog has been closed in the meantime, the user is doing something else.
        if (isOpen.current) leadTo(`/counterparties/${made.counterparty.id}`);
      }
      close();
    } catch (error) {
      showRefusal(form, problemOf(error), ["name", "domain"]);
    }
  });
  return (
    <FormDialog
      title={counterparty ? "Edit the counterparty" : "New counterparty"}
      error={errors.root?.message}
      action={counterparty ? "Save" : pointedOut.length > 0 ? "Add it anyway" : "Add the counterparty"}
      busy={isSubmitting}
      onSubmit={submit}
      onClose={onClose}
    >
      {pointedOut.length > 0 && (
        <div role="alert" className="rounded-md bg-tone-warn px-3 py-2 text-on-warn">
          <ExistingCounterparties same={pointedOut} />
        </div>
      )}
      <Field label="Name" error={errors.name?.message} required>
        <Input {...form.register("name")} autoFocus />
      </Field>
      <Field label="Domain" optional error={errors.domain?.message}>
        <Input {...form.register("domain")} placeholder="northwind.example" />
      </Field>
      <Controller
        control={form.control}
        name="relationshipTypes"
        render={({ field }) => (
          <FieldGroup legend="They are our">
            <div className="grid grid-cols-2 gap-2 sm:grid-cols-3">
              {relationshipTypes.map((type) => (
                <Checkbox
                  key={type}
                  label={inWords(type)}
                  checked={field.value.includes(type)}
                  onChange={({ target }) =>
                    field.onChange(
                      target.checked ? [...field.value, type] : field.value.filter((other) => other !== type),
                    )
                  }
                />
              ))}
            </div>
          </FieldGroup>
        )}
      />
    </FormDialog>
  );
}
