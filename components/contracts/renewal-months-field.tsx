"use client";
import type { ComponentProps } from "react";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";

/** The length of each renewal, for a contract that renews automatically. */
export function RenewalMonthsField({
  error,
  ...control
}: ComponentProps<"input"> & { error: string | undefined }) {
  return (
    <Field
      label="Renewal term in months"
      optional
      hint="Leave empty to renew for the same term."
      error={error}
    >
      <Input {...control} inputMode="numeric" />
    </Field>
  );
}
