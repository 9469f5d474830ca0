"use client";
import { Field } from "#components/ui/field.tsx";
import { Input, Textarea } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";
import { optionsOf } from "#components/words.ts";
import { contractTypes, ourRoles } from "#lib/contracts/lifecycle.ts";
import type { Draft, Editing } from "./draft.ts";

export function GeneralTab({ draft, change, errorOf, anchors }: Editing) {
  const set =
    (name: keyof Draft) =>
    ({ target }: { target: { value: string } }) =>
      change({ [name]: target.value } as Partial<Draft>);
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Name" required error={errorOf("name")} className="sm:col-span-2">
        <Input value={draft.name} onChange={set("name")} />
      </Field>
      <Field label="Description" optional error={errorOf("description")} className="sm:col-span-2">
        <Textarea rows={3} value={draft.description} onChange={set("description")} />
      </Field>
      <Field label="Contract type" error={errorOf("contractType")}>
        <Select
          value={draft.contractType}
          onChange={set("contractType")}
          options={optionsOf(contractTypes)}
        />
      </Field>
      <Field label="Our role" hint="Counterparty means mutual, or neither side." error={errorOf("ourRole")}>
        <Select value={draft.ourRole} onChange={set("ourRole")} options={optionsOf(ourRoles)} />
      </Field>
      <Field
        label="Contract title"
        optional
        hint="With values in braces, such as NDA with {counterparty.name}. By default it is the template's name."
        error={errorOf("titlePattern")}
        className="sm:col-span-2"
      >
        <Input value={draft.titlePattern} onChange={set("titlePattern")} />
      </Field>
      <p className="text-quiet text-xs sm:col-span-2">
        {anchors.length === 0
          ? "The document has no places for signatures: write {{signature:1}} where the first signer signs."
          : `Places for signatures in the document: ${anchors.join(", ")}.`}
      </p>
    </div>
  );
}
