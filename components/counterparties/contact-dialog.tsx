"use client";
import { useState } from "react";
import { z } from "zod";
import { changedIn } from "#components/changed-in.ts";
import { useCloseIfMounted } from "#components/mounted.ts";
import { problemOf } from "#components/problem.ts";
import { useAct } from "#components/query.tsx";
import { Checkbox } from "#components/ui/choice.tsx";
import { Field } from "#components/ui/field.tsx";
import { showRefusal, useZodForm } from "#components/ui/form.tsx";
import { FormDialog } from "#components/ui/form-dialog.tsx";
import { Input } from "#components/ui/input.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { type Contact, NewContact } from "#lib/counterparties/schema.ts";

const ContactForm = NewContact.pick({ name: true, email: true }).extend({ isPrimary: z.boolean() });

export function ContactDialog({
  counterpartyId,
  contact,
  onClose,
}: {
  counterpartyId: string;
  contact?: Contact;
  onClose(): void;
}) {
  const close = useCloseIfMounted(onClose);
  const [first] = useState(() => ({
    name: contact?.name ?? "",
    email: contact?.email ?? "",
    isPrimary: contact?.isPrimary ?? false,
  }));
  const form = useZodForm(ContactForm, first);
  const { errors, isSubmitting } = form.formState;
  const toast = useToast();
  const options = { invalidates: ["counterparties", "contacts"], showsErrors: false } as const;
  const create = useAct("contacts.create", options);
  const patch = useAct("contacts.patch", options);
  const submit = form.handleSubmit(async (values) => {
    try {
      if (contact) {
        const changed = changedIn(values, first);
        if (Object.keys(changed).length === 0) return close();
        await patch.run({ id: counterpartyId, contactId: contact.id, ...changed });
      } else await create.run({ id: counterpartyId, ...values });
      toast({ title: contact ? "Contact saved" : "Contact added", detail: values.name });
      close();
    } catch (error) {
      showRefusal(form, problemOf(error), ["name", "email"]);
    }
  });
  return (
    <FormDialog
      title={contact ? "Edit the contact" : "Add a contact"}
      error={errors.root?.message}
      action={contact ? "Save" : "Add the contact"}
      busy={isSubmitting}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Name" error={errors.name?.message} required>
        <Input {...form.register("name")} autoFocus autoComplete="off" />
      </Field>
      <Field label="E-mail address" error={errors.email?.message} required>
        <Input {...form.register("email")} type="email" autoComplete="off" />
      </Field>
      <Checkbox
        {...form.register("isPrimary")}
        label="Primary contact"
        hint="Replaces the current primary contact."
      />
    </FormDialog>
  );
}
