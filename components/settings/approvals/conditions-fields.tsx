"use client";
/** The form fields that select which contracts a rule applies to. */
import { deviationWords } from "#components/approvals/words.ts";
import { useCurrencies } from "#components/contracts/currencies.ts";
import { Field, FieldGroup } from "#components/ui/field.tsx";
import { ChoiceFilter } from "#components/ui/filter.tsx";
import { Input } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";
import { optionsOf } from "#components/words.ts";
import { deviations } from "#lib/approvals/catalogue.ts";
import { contractTypes, ourRoles } from "#lib/contracts/lifecycle.ts";
import { relationshipTypes } from "#lib/counterparties/schema.ts";
import type { DraftErrors, RuleDraft } from "./draft.ts";

const typeOptions = optionsOf(contractTypes);
const roleOptions = optionsOf(ourRoles);
const relationshipOptions = optionsOf(relationshipTypes);
const deviationOptions = deviations.map((value) => ({ value, label: deviationWords[value] }));

interface ConditionsFieldsProps {
  draft: RuleDraft;
  wrong: DraftErrors;
  onChange(fields: Partial<RuleDraft>): void;
}

export function ConditionsFields({ draft, wrong, onChange }: ConditionsFieldsProps) {
  const currencies = useCurrencies();
  return (
    <FieldGroup legend="Applies to contracts" hint="Choose nothing to apply it to all.">
      <div className="flex flex-wrap gap-2">
        <ChoiceFilter
          label="Type"
          options={typeOptions}
          selected={draft.types}
          onSelect={(types) => onChange({ types })}
        />
        <ChoiceFilter
          label="Our role"
          options={roleOptions}
          selected={draft.ourRoles}
          onSelect={(chosen) => onChange({ ourRoles: chosen })}
        />
        <ChoiceFilter
          label="Counterparty"
          options={relationshipOptions}
          selected={draft.relationshipTypes}
          onSelect={(chosen) => onChange({ relationshipTypes: chosen })}
        />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)_6.5rem] gap-2">
        <Field
          label="Value from"
          subject="Value"
          optional
          hint="Contracts without a value, or in another currency, count as above this value."
          {...(wrong.amount ? { error: wrong.amount } : {})}
        >
          <Input
            value={draft.amount}
            inputMode="decimal"
            autoComplete="off"
            maxLength={30}
            onChange={({ target }) => onChange({ amount: target.value })}
          />
        </Field>
        <Field label="Currency">
          <Select
            options={currencies}
            value={draft.currency}
            onChange={({ target }) => onChange({ currency: target.value })}
          />
        </Field>
      </div>
      <Field label="Document">
        <Select
          placeholder="Any document"
          options={deviationOptions}
          value={draft.deviation ?? ""}
          onChange={({ target }) =>
            onChange({ deviation: deviations.find((each) => each === target.value) ?? null })
          }
        />
      </Field>
    </FieldGroup>
  );
}
