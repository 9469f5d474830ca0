"use client";
/** Changes a proposed date of a contract before accepting it. */
import { z } from "zod";
import { DocumentQuote } from "#components/documents/quote.tsx";
import { useCloseIfMounted } from "#components/mounted.ts";
import { problemOf, refusalToast } from "#components/problem.ts";
import { useAct } from "#components/query.tsx";
import { Field } from "#components/ui/field.tsx";
import { showRefusal, useZodForm } from "#components/ui/form.tsx";
import { FormDialog } from "#components/ui/form-dialog.tsx";
import { DateInput, Input } from "#components/ui/input.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { parseWholeNumber } from "#components/ui/typed.ts";
import { DateAcceptance, type ProposedDate } from "#lib/proposals/schema.ts";

const months = (value: unknown) => parseWholeNumber(value) ?? undefined;
const DateForm = z.object({ date: z.iso.date("must be a date") });
const MonthsForm = z.object({ months: z.preprocess(months, DateAcceptance.shape.months.unwrap()) });

export interface DateDialogProps {
  contractId: string;
  proposed: ProposedDate;
  name: string;
  onAccepted(): void;
  onClose(): void;
}

export function DateDialog({ proposed, ...props }: DateDialogProps) {
  return proposed.anchor === "EFFECTIVE_DATE" ? (
    <DayForm proposed={proposed} {...props} />
  ) : (
    <LengthForm proposed={proposed} {...props} />
  );
}

function useAccepting({ contractId, proposed, name, onAccepted, onClose }: DateDialogProps) {
  const close = useCloseIfMounted(onClose);
  const toast = useToast();
  const { anchor, value } = proposed;
  const act = useAct("proposals.acceptDate", {
    invalidates: ["proposals", "contracts", "obligations", "home", "auditEvents"],
    showsErrors: false,
  });
  const accept = async (changed: { date?: string; months?: number }) => {
    try {
      await act.run({ id: contractId, anchor, value, ...changed });
    } catch (error) {
      const problem = problemOf(error);
      // The date is no longer proposed, so its row disappears and the dialog closes.
      if (problem.code !== "conflict" && problem.code !== "not_found") throw error;
      toast(refusalToast(problem));
      return close();
    }
    onAccepted();
    toast({ title: "Accepted", detail: name });
    close();
  };
  const shared = { title: name, action: "Accept", onClose };
  return { accept, shared };
}

function DayForm(props: DateDialogProps) {
  const form = useZodForm(DateForm, { date: props.proposed.date ?? "" });
  const { errors, isSubmitting } = form.formState;
  const { accept, shared } = useAccepting(props);
  const submit = form.handleSubmit((values) =>
    accept(values).catch((error) => showRefusal(form, problemOf(error), ["date"])),
  );
  return (
    <FormDialog {...shared} error={errors.root?.message} busy={isSubmitting} onSubmit={submit}>
      <DocumentQuote quote={props.proposed.quote} />
      <Field label="Date" error={errors.date?.message} required>
        <DateInput {...form.register("date")} autoFocus />
      </Field>
    </FormDialog>
  );
}

function LengthForm(props: DateDialogProps) {
  const form = useZodForm(MonthsForm, { months: props.proposed.months ?? "" });
  const { errors, isSubmitting } = form.formState;
  const { accept, shared } = useAccepting(props);
  const submit = form.handleSubmit((values) =>
    accept(values).catch((error) => showRefusal(form, problemOf(error), ["months"])),
  );
  return (
    <FormDialog {...shared} error={errors.root?.message} busy={isSubmitting} onSubmit={submit}>
      <DocumentQuote quote={props.proposed.quote} />
      <Field label="Months" error={errors.months?.message} required>
        <Input {...form.register("months")} inputMode="numeric" autoFocus />
      </Field>
    </FormDialog>
  );
}
