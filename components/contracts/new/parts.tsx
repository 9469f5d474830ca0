"use client";
/** The parts of the form for a new contract: title and type, parties, value. */
import { Controller } from "react-hook-form";
import { OwnerField } from "#components/owner-field.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";
import { optionsOf } from "#components/words.ts";
import { contractTypes, ourRoles } from "#lib/contracts/lifecycle.ts";
import { CounterpartyField } from "../counterparty-field.tsx";
import { useCurrencies } from "../currencies.ts";
import { type DocumentTerms, FoundParties, SourceQuote } from "./document-terms.tsx";
import { type Form, Part } from "./term-part.tsx";

interface PartProps {
  form: Form;
  /** The terms found in the document; null if there are none yet. */
  found: DocumentTerms | null;
}

export function NamePart({ form, found }: PartProps) {
  const { errors } = form.formState;
  return (
    <Part title="The contract">
      <div className="sm:col-span-2">
        <Field label="Title" error={errors.title?.message} required>
          <Input
            {...form.register("title")}
            autoFocus
            placeholder="Master services agreement with Northwind"
          />
        </Field>
        <SourceQuote found={found?.title} />
      </div>
      <div>
        <Field label="Type" required error={errors.type?.message}>
          <Select {...form.register("type")} placeholder="Choose a type" options={optionsOf(contractTypes)} />
        </Field>
        <SourceQuote found={found?.type} />
      </div>
      <Field
        label="Our role"
        hint="Counterparty means mutual, or neither side."
        error={errors.ourRole?.message}
      >
        <Select {...form.register("ourRole")} options={optionsOf(ourRoles)} />
      </Field>
    </Part>
  );
}

export function PartiesPart({ form, found }: PartProps) {
  const { errors } = form.formState;
  return (
    <Part title="Parties">
      <div>
        <Field label="Counterparty" optional error={errors.counterpartyId?.message}>
          <Controller
            control={form.control}
            name="counterpartyId"
            render={({ field }) => <CounterpartyField value={field.value} onValue={field.onChange} />}
          />
        </Field>
        {found && (
          <FoundParties
            parties={found.parties}
            chosen={form.watch("counterpartyId")}
            onChoose={(id) => form.setValue("counterpartyId", id, { shouldDirty: true })}
          />
        )}
      </div>
      <Field label="Owner" hint="The person responsible for it here." error={errors.ownerId?.message}>
        <Controller
          control={form.control}
          name="ownerId"
          render={({ field }) => (
            <OwnerField value={field.value} onValue={(id) => field.onChange(id ?? "")} />
          )}
        />
      </Field>
    </Part>
  );
}

export function ValuePart({ form }: { form: Form }) {
  const { errors } = form.formState;
  const currencies = useCurrencies();
  return (
    <Part title="Value">
      <Field label="Value" optional hint="Over the whole term." error={errors.amount?.message}>
        <Input
          {...form.register("amount")}
          inputMode="decimal"
          placeholder="12,500.00"
          className="tabular-nums"
        />
      </Field>
      <Field label="Currency" error={errors.valueCurrency?.message}>
        <Select {...form.register("valueCurrency")} options={currencies} />
      </Field>
    </Part>
  );
}
