"use client";
/** Adds or edits an obligation: what has to be done, and when, counted from which date. */
import { useMemo, useState } from "react";
import { Controller } from "react-hook-form";
import { z } from "zod";
import { changedIn } from "#components/changed-in.ts";
import { useCloseIfMounted } from "#components/mounted.ts";
import { problemOf } from "#components/problem.ts";
import { useAct } from "#components/query.tsx";
import { Field } from "#components/ui/field.tsx";
import { showRefusal, useZodForm } from "#components/ui/form.tsx";
import { FormDialog } from "#components/ui/form-dialog.tsx";
import { DateInput, Input, Textarea } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { parseWholeNumber } from "#components/ui/typed.ts";
import { inWords, optionsOf } from "#components/words.ts";
import {
  type AnchorType,
  anchorTypes,
  obligationKinds,
  offsetDirections,
  offsetUnits,
} from "#lib/obligations/lifecycle.ts";
import { NewObligation, type Obligation } from "#lib/obligations/schema.ts";
import { AssigneeField } from "./assignee.tsx";
import { ObligationPreview } from "./obligation-preview.tsx";

const shape = NewObligation.shape;

const isDatedAt = ({ anchorType, fixedDate }: { anchorType: string; fixedDate?: string | null }) =>
  anchorType !== "FIXED_DATE" || Boolean(fixedDate);
const noDate = { path: ["fixedDate"], error: "is required for a fixed date", when: () => true };

/** The fields that determine the date. */
const schedule = {
  anchorType: shape.anchorType,
  offsetValue: z.preprocess((value) => parseWholeNumber(value) ?? 0, shape.offsetValue),
  offsetUnit: shape.offsetUnit,
  offsetDirection: shape.offsetDirection,
  fixedDate: z.preprocess((value) => (value === "" ? null : value), z.iso.date("must be a date").nullable()),
  recurrenceMonths: z.preprocess(parseWholeNumber, shape.recurrenceMonths),
};

const ScheduleForm = z.object(schedule).refine(isDatedAt, noDate);
type Schedule = z.output<typeof ScheduleForm>;

const ObligationForm = z
  .object({
    title: shape.title,
    kind: shape.kind,
    assigneeId: z.string().nullable(),
    ...schedule,
    description: z.string(),
  })
  .refine(isDatedAt, noDate);

/**
 * Whether it is a fixed date without an offset. An obligation created through the API with both keeps its
 * offset, and the form shows it.
 */
const isPlainDate = (anchorType: AnchorType, before: Obligation | undefined) =>
  anchorType === "FIXED_DATE" && !(before?.anchorType === "FIXED_DATE" && before.offsetValue > 0);

/** Returns the schedule to send, without values that the form does not show. */
function scheduleFrom(values: Schedule, before: Obligation | undefined): Schedule {
  const { anchorType, offsetValue, offsetUnit, offsetDirection, fixedDate, recurrenceMonths } = values;
  const isDated = anchorType === "FIXED_DATE" || anchorType === "EVENT";
  return {
    ...{ anchorType, offsetUnit, offsetDirection, recurrenceMonths },
    offsetValue: isPlainDate(anchorType, before) ? 0 : offsetValue,
    fixedDate: isDated ? fixedDate : null,
  };
}

const formOf = (obligation: Obligation | undefined) => ({
  title: obligation?.title ?? "",
  kind: obligation?.kind ?? ("RENEWAL_NOTICE" as const),
  anchorType: obligation?.anchorType ?? ("EXPIRATION_DATE" as const),
  offsetValue: obligation?.offsetValue ?? 30,
  offsetUnit: obligation?.offsetUnit ?? ("DAY" as const),
  offsetDirection: obligation?.offsetDirection ?? ("BEFORE" as const),
  fixedDate: obligation?.fixedDate?.slice(0, 10) ?? "",
  recurrenceMonths: obligation?.recurrenceMonths ?? "",
  assigneeId: obligation?.assigneeId ?? null,
  description: obligation?.description ?? "",
});

const anchorWords: Record<string, string> = {
  EFFECTIVE_DATE: "Effective date",
  EXECUTION_DATE: "Execution date",
  EXPIRATION_DATE: "Last day of the term",
  RENEWAL_DATE: "Renewal date",
  FIXED_DATE: "A fixed date",
  EVENT: "An event",
};

export interface ObligationDialogProps {
  contractId: string;
  /** The obligation to edit; without it, a new one is added. */
  obligation?: Obligation;
  /** Whether it is a suggestion that saving accepts. */
  accepts?: boolean;
  onSaved?(): void;
  onClose(): void;
}

function dialogTexts(obligation: Obligation | undefined, accepts: boolean) {
  if (!obligation) {
    return { title: "Add an obligation", action: "Add the obligation", done: "Obligation added" };
  }
  return accepts
    ? { title: "Change and accept", action: "Accept", done: "Accepted" }
    : { title: "Edit the obligation", action: "Save", done: "Obligation updated" };
}

export function ObligationDialog({
  contractId,
  obligation,
  accepts = false,
  onSaved,
  onClose,
}: ObligationDialogProps) {
  const close = useCloseIfMounted(onClose);
  const [first] = useState(() => formOf(obligation));
  const [before] = useState(() => {
    const { data } = ObligationForm.safeParse(first);
    return data && { ...data, ...scheduleFrom(data, obligation) };
  });
  const form = useZodForm(ObligationForm, first);
  const { errors, isSubmitting } = form.formState;
  const toast = useToast();
  const options = {
    invalidates: ["obligations", "proposals", "home", "notifications", "auditEvents", "contracts.activity"],
    showsErrors: false,
  } as const;
  const create = useAct("obligations.create", options);
  const patch = useAct("obligations.patch", options);
  const submit = form.handleSubmit(async (values) => {
    try {
      const entered = { ...values, ...scheduleFrom(values, obligation) };
      if (obligation) {
        const status = accepts ? ({ status: "UPCOMING" } as const) : {};
        const changed = { ...changedIn(entered, before), ...status };
        if (Object.keys(changed).length === 0) return close();
        await patch.run({ id: obligation.id, ...changed });
      } else await create.run({ contractId, ...entered });
      onSaved?.();
      toast({ title: dialogTexts(obligation, accepts).done, detail: values.title });
      close();
    } catch (error) {
      showRefusal(
        form,
        problemOf(error),
        Object.keys(form.getValues()) as (keyof z.input<typeof ObligationForm>)[],
      );
    }
  });
  const draft = form.watch();
  const { anchorType } = draft;
  const isDated = anchorType === "FIXED_DATE" || anchorType === "EVENT";
  const hasOffset = !isPlainDate(anchorType, obligation);
  const parsed = useMemo(() => ScheduleForm.safeParse(draft), [draft]);
  return (
    <FormDialog
      title={dialogTexts(obligation, accepts).title}
      size="md"
      error={errors.root?.message}
      action={dialogTexts(obligation, accepts).action}
      busy={isSubmitting}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="What has to be done" error={errors.title?.message} required>
        <Input {...form.register("title")} autoFocus placeholder="Give notice before the renewal" />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Kind" error={errors.kind?.message}>
          <Select {...form.register("kind")} options={optionsOf(obligationKinds)} />
        </Field>
        <Field label="Counted from" error={errors.anchorType?.message}>
          <Select
            {...form.register("anchorType")}
            options={anchorTypes.map((value) => ({ value, label: anchorWords[value] ?? inWords(value) }))}
          />
        </Field>
        {isDated && (
          <Field
            label={anchorType === "EVENT" ? "Date of the event" : "Date"}
            hint={anchorType === "EVENT" ? "Once it is known." : undefined}
            error={errors.fixedDate?.message}
          >
            <DateInput {...form.register("fixedDate")} />
          </Field>
        )}
        <Field label="Repeats every (months)" optional error={errors.recurrenceMonths?.message}>
          <Input {...form.register("recurrenceMonths")} inputMode="numeric" />
        </Field>
      </div>
      {hasOffset && (
        <div className="grid grid-cols-[5rem_1fr_1fr] gap-2">
          <Field label="Offset" error={errors.offsetValue?.message}>
            <Input {...form.register("offsetValue")} inputMode="numeric" />
          </Field>
          <Field label="Unit" error={errors.offsetUnit?.message}>
            <Select
              {...form.register("offsetUnit")}
              options={offsetUnits.map((value) => ({ value, label: `${inWords(value)}s` }))}
            />
          </Field>
          <Field label="Before or after" error={errors.offsetDirection?.message}>
            <Select {...form.register("offsetDirection")} options={optionsOf(offsetDirections)} />
          </Field>
        </div>
      )}
      <ObligationPreview
        contractId={contractId}
        id={obligation?.id}
        schedule={parsed.success ? scheduleFrom(parsed.data, obligation) : null}
      />
      <Field label="Assignee" hint="Reminded by e-mail and in the inbox." error={errors.assigneeId?.message}>
        <Controller
          control={form.control}
          name="assigneeId"
          render={({ field }) => (
            <AssigneeField value={field.value} name={obligation?.assignee.name} onValue={field.onChange} />
          )}
        />
      </Field>
      <Field label="Notes" optional error={errors.description?.message}>
        <Textarea {...form.register("description")} rows={3} />
      </Field>
    </FormDialog>
  );
}
