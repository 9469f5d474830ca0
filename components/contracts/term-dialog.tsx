"use client";
import { useMemo, useState } from "react";
import { z } from "zod";
import { changedIn } from "#components/changed-in.ts";
import { useCloseIfMounted } from "#components/mounted.ts";
import { problemOf } from "#components/problem.ts";
import { useAct } from "#components/query.tsx";
import { Checkbox } from "#components/ui/choice.tsx";
import { Field } from "#components/ui/field.tsx";
import { showRefusal, useZodForm } from "#components/ui/form.tsx";
import { FormDialog } from "#components/ui/form-dialog.tsx";
import { DateInput, Input } from "#components/ui/input.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { parseWholeNumber } from "#components/ui/typed.ts";
import { type Contract, ContractAnchors } from "#lib/contracts/schema.ts";
import { RenewalMonthsField } from "./renewal-months-field.tsx";
import { TermPreview } from "./term-preview.tsx";

const day = z.preprocess((value) => (value === "" ? null : value), z.iso.date("must be a date").nullable());

/** The form's values, validated by the API's own schema. */
const TermForm = z.object({
  effectiveDate: day,
  executedAt: day,
  termMonths: z.preprocess(parseWholeNumber, ContractAnchors.shape.termMonths),
  autoRenews: z.boolean(),
  renewalMonths: z.preprocess(parseWholeNumber, ContractAnchors.shape.renewalMonths),
});

const fields = ["effectiveDate", "executedAt", "termMonths", "autoRenews", "renewalMonths"] as const;

const termsOf = (contract: Contract) => ({
  effectiveDate: contract.effectiveDate?.slice(0, 10) ?? "",
  executedAt: contract.executedAt?.slice(0, 10) ?? "",
  termMonths: contract.termMonths ?? "",
  autoRenews: contract.autoRenews,
  renewalMonths: contract.renewalMonths ?? "",
});

export function TermDialog({ contract, onClose }: { contract: Contract; onClose(): void }) {
  const close = useCloseIfMounted(onClose);
  const [first] = useState(() => termsOf(contract));
  const before = useMemo(() => TermForm.parse(first), [first]);
  const form = useZodForm(TermForm, first);
  const { errors, isSubmitting } = form.formState;
  const toast = useToast();
  const save = useAct("contracts.setAnchors", {
    invalidates: ["contracts", "obligations", "home", "auditEvents"],
    showsErrors: false,
  });
  const submit = form.handleSubmit(async (values) => {
    // The form has only the day of an execution that may have had a time, so it is sent only if changed.
    const changed = changedIn(values, before);
    if (Object.keys(changed).length === 0) return close();
    try {
      await save.run({ id: contract.id, ...changed });
      toast({ title: "Dates changed", detail: "Its obligations were updated." });
      close();
    } catch (error) {
      showRefusal(form, problemOf(error), fields);
    }
  });
  const draft = form.watch();
  const parsed = useMemo(() => TermForm.safeParse(draft), [draft]);
  return (
    <FormDialog
      title="Dates and term"
      size="md"
      error={errors.root?.message}
      action="Save the dates"
      busy={isSubmitting}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="grid gap-5">
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Effective date" optional error={errors.effectiveDate?.message}>
            <DateInput {...form.register("effectiveDate")} />
          </Field>
          <Field label="Executed on" optional error={errors.executedAt?.message}>
            <DateInput {...form.register("executedAt")} />
          </Field>
          <Field
            label="Term in months"
            optional
            hint="Leave empty for no end date."
            error={errors.termMonths?.message}
          >
            <Input {...form.register("termMonths")} inputMode="numeric" />
          </Field>
          {draft.autoRenews && (
            <RenewalMonthsField {...form.register("renewalMonths")} error={errors.renewalMonths?.message} />
          )}
          <Checkbox
            {...form.register("autoRenews")}
            label="Renews automatically at the end of each term"
            className="sm:col-span-2"
          />
        </div>
        <TermPreview
          contractId={contract.id}
          wanted={parsed.success ? changedIn(parsed.data, before) : null}
        />
      </div>
    </FormDialog>
  );
}
