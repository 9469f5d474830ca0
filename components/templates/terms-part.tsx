"use client";
import { CounterpartyField } from "#components/contracts/counterparty-field.tsx";
import { useCurrencies } from "#components/contracts/currencies.ts";
import { useCustomFields } from "#components/custom-fields/custom-fields.ts";
import { OwnerField } from "#components/owner-field.tsx";
import { Checkbox } from "#components/ui/choice.tsx";
import { Field } from "#components/ui/field.tsx";
import { DateInput, Input } from "#components/ui/input.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { Select } from "#components/ui/select.tsx";
import { optionsOf } from "#components/words.ts";
import { ourRoles } from "#lib/contracts/lifecycle.ts";
import type { Entries } from "./filling.ts";
import { type FormPart, Part } from "./part.tsx";

const NewContractFields = lazily(() =>
  import("#components/custom-fields/new-contract-fields.tsx").then((module) => module.NewContractFields),
);

/** The terms of every contract: counterparty, owner, start, duration, value. */
export function TermsPart({ all, setEntry, check, errorOf }: FormPart) {
  const currencies = useCurrencies();
  const fields = useCustomFields();
  const set = (fields: Partial<Omit<Entries, "variables" | "sections">>) =>
    setEntry({ kind: "field", fields });
  return (
    <Part title="The contract">
      <div data-path="counterpartyId">
        <Field label="Counterparty" error={errorOf("counterpartyId") ?? errorOf("counterpartyName")}>
          <CounterpartyField
            value={all.counterpartyId}
            onValue={(counterpartyId) => set({ counterpartyId })}
          />
        </Field>
      </div>
      <Field label="Owner" error={errorOf("ownerId")}>
        <OwnerField value={all.ownerId} onValue={(ownerId) => ownerId && set({ ownerId })} />
      </Field>
      <Field
        label="Title"
        optional
        className="sm:col-span-2"
        hint="By default as in the template."
        error={errorOf("title")}
      >
        <Input
          value={all.title}
          maxLength={200}
          placeholder={check?.title}
          onChange={({ target }) => set({ title: target.value })}
        />
      </Field>
      <Field label="Effective date" optional error={errorOf("effectiveDate")}>
        <DateInput
          value={all.effectiveDate}
          onChange={({ target }) => set({ effectiveDate: target.value })}
        />
      </Field>
      <div data-path="termMonths">
        <Field
          label="Term in months"
          optional
          hint="Leave empty for no end date."
          error={errorOf("termMonths")}
        >
          <Input
            inputMode="numeric"
            value={all.termMonths}
            onChange={({ target }) => set({ termMonths: target.value })}
          />
        </Field>
      </div>
      <div data-path="amount">
        <Field label="Value" optional error={errorOf("amount") ?? errorOf("valueCents")}>
          <Input
            inputMode="decimal"
            placeholder="12,500.00"
            className="tabular-nums"
            value={all.amount}
            onChange={({ target }) => set({ amount: target.value })}
          />
        </Field>
      </div>
      <Field label="Currency" error={errorOf("valueCurrency")}>
        <Select
          options={currencies}
          value={all.valueCurrency}
          onChange={({ target }) => set({ valueCurrency: target.value })}
        />
      </Field>
      <Field label="Our role" error={errorOf("ourRole")}>
        <Select
          options={optionsOf(ourRoles)}
          value={all.ourRole}
          onChange={({ target }) => set({ ourRole: target.value })}
        />
      </Field>
      <Checkbox
        label="Renews automatically"
        hint="At the end of each term, unless notice is given."
        className="sm:self-center"
        checked={all.autoRenews}
        onChange={({ target }) => set({ autoRenews: target.checked })}
      />
      {fields.length > 0 && (
        <NewContractFields
          fields={fields}
          values={all.customFields}
          errorOf={(key) => errorOf(`customFields.${key}`)}
          onValue={(key, value) => set({ customFields: { ...all.customFields, [key]: value } })}
        />
      )}
    </Part>
  );
}
