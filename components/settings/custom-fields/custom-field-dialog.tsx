"use client";
/** Adds a custom field, or changes its name and options. */
import { useState } from "react";
import { changedIn } from "#components/changed-in.ts";
import { keyFrom, typeWords } from "#components/custom-fields/words.ts";
import { useCloseIfMounted } from "#components/mounted.ts";
import { problemOf } from "#components/problem.ts";
import { useAct } from "#components/query.tsx";
import { Field } from "#components/ui/field.tsx";
import { showRefusal, useZodForm } from "#components/ui/form.tsx";
import { FormDialog } from "#components/ui/form-dialog.tsx";
import { Input, Textarea } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { customFieldTypes } from "#lib/custom-fields/catalogue.ts";
import type { CustomField } from "#lib/custom-fields/schema.ts";
import { CustomFieldForm, issuesInForm } from "./custom-field-form.ts";

const types = customFieldTypes.map((value) => ({ value, label: typeWords[value] }));

export interface CustomFieldDialogProps {
  /** The field to edit; without it, a new one is added. */
  field?: CustomField;
  onClose(): void;
}

export function CustomFieldDialog({ field, onClose }: CustomFieldDialogProps) {
  const close = useCloseIfMounted(onClose);
  const [first] = useState(() => ({ name: field?.name ?? "", options: field?.options ?? [] }));
  const form = useZodForm(CustomFieldForm, {
    name: field?.name ?? "",
    key: field?.key ?? "",
    type: field?.type ?? "text",
    options: field?.options.join("\n") ?? "",
  });
  const { errors, dirtyFields, isSubmitting } = form.formState;
  const toast = useToast();
  const options = {
    invalidates: ["customFields", "contracts", "auditEvents"],
    showsErrors: false,
  } as const;
  const create = useAct("customFields.create", options);
  const patch = useAct("customFields.patch", options);
  const submit = form.handleSubmit(async ({ name, key, type, options: offered }) => {
    try {
      if (field) {
        const changed = changedIn({ name, options: offered }, first);
        if (Object.keys(changed).length === 0) return close();
        await patch.run({ id: field.id, ...changed });
      } else await create.run({ name, key, type, options: offered });
      toast({ title: field ? "Field updated" : "Field added", detail: name });
      close();
    } catch (error) {
      const refused = problemOf(error);
      showRefusal(form, { ...refused, issues: issuesInForm(refused.issues, form.getValues("options")) }, [
        "name",
        "key",
        "type",
        "options",
      ]);
    }
  });
  const name = form.register("name");
  return (
    <FormDialog
      title={field ? "Edit the field" : "Add a field"}
      error={errors.root?.message}
      action={field ? "Save" : "Add the field"}
      busy={isSubmitting}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Name" error={errors.name?.message} required>
        <Input
          {...name}
          autoFocus
          autoComplete="off"
          placeholder="Cost center"
          onChange={(event) => {
            void name.onChange(event);
            if (!field && !dirtyFields.key) form.setValue("key", keyFrom(event.target.value));
          }}
        />
      </Field>
      {!field && (
        <>
          <Field
            label="Key"
            hint="What the API, tables and templates call it. It cannot be changed later."
            error={errors.key?.message}
            required
          >
            <Input {...form.register("key")} autoComplete="off" spellCheck={false} className="font-mono" />
          </Field>
          <Field label="Type" hint="It cannot be changed later." error={errors.type?.message}>
            <Select {...form.register("type")} options={types} />
          </Field>
        </>
      )}
      {form.watch("type") === "choice" && (
        <Field
          label="Options"
          hint={
            field
              ? "One per line. Contracts keep an option that you remove until another one is chosen."
              : "One per line."
          }
          error={errors.options?.message}
          required
        >
          <Textarea {...form.register("options")} rows={6} />
        </Field>
      )}
    </FormDialog>
  );
}
