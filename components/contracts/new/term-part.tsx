/** The term of a new contract, next to what the document says about it. */
import type { ReactNode } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { z } from "zod";
import { Checkbox } from "#components/ui/choice.tsx";
import { Field } from "#components/ui/field.tsx";
import { DateInput, Input } from "#components/ui/input.tsx";
import { DayText } from "#components/ui/time.tsx";
import { parseWholeNumber } from "#components/ui/typed.ts";
import type { Day } from "#lib/core/dates.ts";
import { expiresOn } from "#lib/core/dates.ts";
import { RenewalMonthsField } from "../renewal-months-field.tsx";
import type { ContractForm } from "./contract-form.ts";
import { type DocumentTerms, SourceQuote } from "./document-terms.tsx";

export type Form = UseFormReturn<z.input<ContractForm>, unknown, z.output<ContractForm>>;

/** A titled part of the form. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset>
      <legend className="mb-3 font-semibold text-base">{title}</legend>
      <div className="grid gap-4 sm:grid-cols-2">{children}</div>
    </fieldset>
  );
}

export function TermPart({ form, found }: { form: Form; found: DocumentTerms | null }) {
  const { errors } = form.formState;
  const [effectiveDate, termMonths, autoRenews] = form.watch(["effectiveDate", "termMonths", "autoRenews"]);
  const months = parseWholeNumber(termMonths) ?? Number.NaN;
  const day = /^\d{4}-\d\d-\d\d$/.test(String(effectiveDate)) ? (effectiveDate as Day) : null;
  const ends = months >= 1 && months <= 1200 ? expiresOn({ effectiveDate: day, termMonths: months }) : null;
  return (
    <Part title="For how long">
      <div>
        <Field label="Effective date" optional error={errors.effectiveDate?.message}>
          <DateInput {...form.register("effectiveDate")} />
        </Field>
        <SourceQuote found={found?.effectiveDate} />
      </div>
      <div>
        <Field
          label="Term in months"
          optional
          hint={
            ends ? (
              <>
                The last day is <DayText value={ends} />.
              </>
            ) : (
              "Leave empty for no end date."
            )
          }
          error={errors.termMonths?.message}
        >
          <Input {...form.register("termMonths")} inputMode="numeric" placeholder="12" />
        </Field>
        <SourceQuote found={found?.termMonths} />
      </div>
      <div>
        <Checkbox
          {...form.register("autoRenews")}
          label="Renews automatically"
          hint="It continues at the end of each term, unless notice is given."
        />
        <SourceQuote found={found?.renewal} />
      </div>
      {autoRenews && (
        <RenewalMonthsField {...form.register("renewalMonths")} error={errors.renewalMonths?.message} />
      )}
    </Part>
  );
}
