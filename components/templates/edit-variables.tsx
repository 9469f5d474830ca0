"use client";
import { useCustomFields } from "#components/custom-fields/custom-fields.ts";
import { Card } from "#components/ui/card.tsx";
import { Checkbox } from "#components/ui/choice.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input, Textarea } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";
import type { CustomField } from "#lib/custom-fields/schema.ts";
import { variableTypes } from "#lib/templates/schema.ts";
import { type DraftVariable, type Editing, withEntry } from "./draft.ts";
import { Entry, Gates, hasErrorBelow } from "./entry.tsx";
import { bindingLabel, bindingOptions, typeWords } from "./words.ts";

const fields = ["label", "type", "options", "binding", "defaultValue", "helpText", "gates", "key"];

export function VariablesTab({ draft, change, errorOf }: Editing) {
  const { variables } = draft;
  const customFields = useCustomFields();
  if (variables.length === 0) {
    return (
      <p className="text-quiet">The document has no values to fill in: write one as {"{governing_law}"}.</p>
    );
  }
  return (
    <Card>
      <ul>
        {variables.map((variable, index) => {
          const at = (field: string) => `variables.${index}.${field}`;
          return (
            <Entry
              key={variable.key}
              title={variable.label}
              tag={`{${variable.key}}`}
              summary={summaryOf(variable, customFields)}
              isWrong={hasErrorBelow(errorOf, fields.map(at))}
            >
              <VariableFields
                variable={variable}
                customFields={customFields}
                sections={draft.sections}
                errorOf={(field) => errorOf(at(field))}
                set={(part) => change({ variables: withEntry(variables, index, part) })}
              />
            </Entry>
          );
        })}
      </ul>
    </Card>
  );
}

function summaryOf({ type, required, binding }: DraftVariable, customFields: CustomField[]): string {
  const from = bindingLabel(binding, customFields);
  return [typeWords[type], required && "required", from && `from: ${from}`].filter(Boolean).join(", ");
}

interface FieldsProps {
  variable: DraftVariable;
  customFields: CustomField[];
  sections: Editing["draft"]["sections"];
  errorOf(field: string): string | undefined;
  set(part: Partial<DraftVariable>): void;
}

function VariableFields({ variable, customFields, sections, errorOf, set }: FieldsProps) {
  const { label, type, binding, options, defaultValue, helpText, required, gates } = variable;
  return (
    <>
      <Field label="Label" required error={errorOf("label")}>
        <Input value={label} onChange={({ target }) => set({ label: target.value })} />
      </Field>
      <Field label="Type" error={errorOf("type")}>
        <Select
          value={type}
          onChange={({ target }) => set({ type: target.value as DraftVariable["type"] })}
          options={variableTypes.map((value) => ({ value, label: typeWords[value] }))}
        />
      </Field>
      {type === "select" && (
        <Field label="Options" hint="One per line." error={errorOf("options")} className="sm:col-span-2">
          <Textarea
            rows={3}
            value={options.join("\n")}
            onChange={({ target }) => set({ options: target.value === "" ? [] : target.value.split("\n") })}
          />
        </Field>
      )}
      <Field label="Filled from" optional error={errorOf("binding")}>
        <Select
          value={binding ?? ""}
          placeholder="Nothing: the user enters it"
          onChange={({ target }) => set({ binding: target.value || null })}
          options={bindingOptions(customFields)}
        />
      </Field>
      <Field
        label="Default"
        optional
        hint="Used when no other value is given."
        error={errorOf("defaultValue")}
      >
        <Input
          value={defaultValue ?? ""}
          onChange={({ target }) => set({ defaultValue: target.value || null })}
        />
      </Field>
      <Field
        label="Help"
        optional
        hint="Shown under the field."
        error={errorOf("helpText")}
        className="sm:col-span-2"
      >
        <Input value={helpText ?? ""} onChange={({ target }) => set({ helpText: target.value || null })} />
      </Field>
      <Checkbox
        label="Required"
        hint="No contract can be created without it."
        checked={required}
        onChange={({ target }) => set({ required: target.checked })}
      />
      <Gates
        what="this value"
        gates={gates}
        sections={sections}
        error={errorOf("gates")}
        onGates={(next) => set({ gates: next })}
      />
    </>
  );
}
