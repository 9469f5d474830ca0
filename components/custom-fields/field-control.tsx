"use client";
/** The form controls of custom fields. */
import { OwnerField } from "#components/owner-field.tsx";
import { DateInput, Input } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";
import type { CustomField } from "#lib/custom-fields/schema.ts";

export interface ValueInputProps {
  field: CustomField;
  /** Empty if there is none. */
  value: string;
  onValue(value: string): void;
}

/** Returns the options of a choice, including the contract's current value if it is no longer offered. */
export function choicesOf({ options }: CustomField, value: string | null) {
  const all = value && !options.includes(value) ? [value, ...options] : options;
  return all.map((option) => ({ value: option, label: option }));
}

/** The control for a field of any type, to use inside a Field. */
export function ValueInput({ field, value, onValue }: ValueInputProps) {
  const shared = { value, onChange: (event: { target: { value: string } }) => onValue(event.target.value) };
  switch (field.type) {
    case "choice":
      return <Select {...shared} placeholder="Choose" options={choicesOf(field, value)} />;
    case "member":
      return (
        <OwnerField
          what="member"
          placeholder="Choose a member"
          clearable
          value={value || null}
          onValue={(id) => onValue(id ?? "")}
        />
      );
    case "date":
      return <DateInput {...shared} />;
    case "number":
      return <Input {...shared} inputMode="decimal" autoComplete="off" className="tabular-nums" />;
    default:
      return <Input {...shared} maxLength={500} autoComplete="off" />;
  }
}
