"use client";
/** Assigns the file's columns to fields, then shows what would be created, or the errors by line. */
import { useState } from "react";
import { useCustomFields } from "#components/custom-fields/custom-fields.ts";
import { useAct } from "#components/query.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, Section } from "#components/ui/card.tsx";
import { Field } from "#components/ui/field.tsx";
import { FormError } from "#components/ui/form-error.tsx";
import { Select } from "#components/ui/select.tsx";
import { optionsOf } from "#components/words.ts";
import { contractTypes, ourRoles } from "#lib/contracts/lifecycle.ts";
import { columnOfKey } from "#lib/custom-fields/catalogue.ts";
import { dateOrders, type ImportTarget, importFields } from "#lib/imports/catalogue.ts";
import type { ColumnHead, ContractImport, Mapping } from "#lib/imports/schema.ts";
import { ImportReport } from "./import-report.tsx";
import { dateOrderWords, fieldLabel } from "./words.ts";

export function MappingForm({ found }: { found: ContractImport }) {
  const [mapping, setMapping] = useState(found.mapping);
  const check = useAct("imports.check", { invalidates: ["imports"] });
  const change = (changed: Partial<Mapping>) => setMapping((before) => ({ ...before, ...changed }));
  const isChecked = found.state === "CHECKED" && JSON.stringify(mapping) === JSON.stringify(found.mapping);
  const hasTitle = mapping.fields.includes("title");
  return (
    <>
      <Section title="Columns">
        <Card>
          <ul>
            {found.columns.map((column, index) => (
              <ColumnRow
                // biome-ignore lint/suspicious/noArrayIndexKey: columns have no unique names, and never move.
                key={index}
                column={column}
                number={index + 1}
                mapping={mapping}
                onField={(field) => change({ fields: mapping.fields.with(index, field) })}
              />
            ))}
          </ul>
        </Card>
      </Section>
      <Section title="Defaults for missing values">
        <div className="grid gap-4 sm:grid-cols-3">
          <Field label="Type">
            <Select
              value={mapping.type}
              options={optionsOf(contractTypes)}
              onChange={({ target }) => change({ type: target.value as Mapping["type"] })}
            />
          </Field>
          <Field label="Our role">
            <Select
              value={mapping.ourRole}
              options={optionsOf(ourRoles)}
              onChange={({ target }) => change({ ourRole: target.value as Mapping["ourRole"] })}
            />
          </Field>
          <Field label="Date format">
            <Select
              value={mapping.dateOrder}
              options={dateOrders.map((value) => ({ value, label: dateOrderWords[value] }))}
              onChange={({ target }) => change({ dateOrder: target.value as Mapping["dateOrder"] })}
            />
          </Field>
        </div>
        <p className="mt-3 text-quiet text-xs">
          Contracts without an owner are assigned to you. Counterparties that are not there yet are created.
        </p>
      </Section>
      {found.state === "FAILED" && (
        <FormError>
          The import could not be finished, and nothing was created. Check the file again.
        </FormError>
      )}
      {isChecked && found.report ? (
        <ImportReport report={found.report} />
      ) : (
        <div className="flex flex-wrap items-center justify-end gap-3 border-line border-t pt-4">
          {!hasTitle && <p className="text-quiet">Choose which column has the title of each contract.</p>}
          <Button
            variant="primary"
            busy={check.isRunning}
            disabled={!hasTitle}
            onClick={() => void check.run(mapping).catch(() => null)}
          >
            Check the file
          </Button>
        </div>
      )}
    </>
  );
}

interface ColumnRowProps {
  column: ColumnHead;
  number: number;
  mapping: Mapping;
  onField(field: ImportTarget | null): void;
}

function ColumnRow({ column: { name, samples }, number, mapping, onField }: ColumnRowProps) {
  const field = mapping.fields[number - 1] ?? null;
  const title = name || `Column ${number}`;
  const customFields = useCustomFields();
  const targets: ImportTarget[] = [...importFields, ...customFields.map(({ key }) => columnOfKey(key))];
  const options = targets.map((one) => ({
    value: one,
    label: fieldLabel(one, customFields),
    // Each field can be assigned to one column only.
    disabled: one !== field && mapping.fields.includes(one),
  }));
  return (
    <li className="grid gap-2 border-line border-b px-4 py-3 last:border-b-0 sm:grid-cols-[minmax(0,1fr)_15rem] sm:items-center sm:gap-4">
      <div className="min-w-0">
        <p className="wrap-anywhere font-medium">{title}</p>
        <p className="truncate text-quiet text-xs" title={samples.join(", ")}>
          {samples.length > 0 ? samples.join(", ") : "Empty in the first rows"}
        </p>
      </div>
      <Select
        aria-label={`What “${title}” is`}
        value={field ?? ""}
        placeholder="Not imported"
        options={options}
        onChange={({ target }) => onField((target.value || null) as ImportTarget | null)}
      />
    </li>
  );
}
