"use client";
/** The custom fields in the form for a new contract. */
import { Field } from "#components/ui/field.tsx";
import type { CustomField } from "#lib/custom-fields/schema.ts";
import { ValueInput } from "./field-control.tsx";

export interface NewContractFieldsProps {
  fields: CustomField[];
  /** By field key. */
  values: Record<string, string>;
  errorOf(key: string): string | undefined;
  onValue(key: string, value: string): void;
}

export function NewContractFields({ fields, values, errorOf, onValue }: NewContractFieldsProps) {
  return fields.map((field) => (
    <Field key={field.id} label={field.name} optional error={errorOf(field.key)}>
      <ValueInput
        field={field}
        value={values[field.key] ?? ""}
        onValue={(value) => onValue(field.key, value)}
      />
    </Field>
  ));
}
