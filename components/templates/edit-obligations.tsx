"use client";
import { Plus } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { Field } from "#components/ui/field.tsx";
import { DateInput, Input, Textarea } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";
import { inWords, optionsOf } from "#components/words.ts";
import { anchorTypes, obligationKinds, offsetDirections, offsetUnits } from "#lib/obligations/lifecycle.ts";
import { type DraftObligation, type Editing, newObligation, withEntry } from "./draft.ts";
import { Entry, hasErrorBelow } from "./entry.tsx";

const fields = Object.keys(newObligation);

/** The obligations of contracts created from the template, and when they are due. */
export function ObligationsTab({ draft, change, errorOf }: Editing) {
  const { obligations } = draft;
  return (
    <div className="grid gap-3">
      <p className="text-quiet">
        Every contract created from the template gets these. They can be changed in the contract.
      </p>
      {obligations.length > 0 && (
        <Card>
          <ul>
            {obligations.map((obligation, index) => {
              const at = (field: string) => `obligations.${index}.${field}`;
              return (
                <Entry
                  // biome-ignore lint/suspicious/noArrayIndexKey: they have no other key; their state is in the draft.
                  key={index}
                  title={obligation.title}
                  summary={`${inWords(obligation.kind)}, ${whenOf(obligation)}`}
                  isWrong={hasErrorBelow(errorOf, fields.map(at))}
                  isOpen={obligation.title === ""}
                  onRemove={() => change({ obligations: obligations.toSpliced(index, 1) })}
                >
                  <ObligationFields
                    obligation={obligation}
                    sections={draft.sections}
                    errorOf={(field) => errorOf(at(field))}
                    set={(part) => change({ obligations: withEntry(obligations, index, part) })}
                  />
                </Entry>
              );
            })}
          </ul>
        </Card>
      )}
      <Button
        className="justify-self-start"
        onClick={() => change({ obligations: [...obligations, { ...newObligation }] })}
      >
        <Plus aria-hidden />
        Add an obligation
      </Button>
    </div>
  );
}

/** Returns when it is due, such as `1 day before the effective date` or `on the fixed date`. */
function whenOf({ offsetValue, offsetUnit, offsetDirection, anchorType }: DraftObligation): string {
  const anchor = `the ${inWords(anchorType).toLowerCase()}`;
  if (Number(offsetValue) === 0) return `on ${anchor}`;
  const unit = `${inWords(offsetUnit).toLowerCase()}${Number(offsetValue) === 1 ? "" : "s"}`;
  return `${offsetValue} ${unit} ${offsetDirection.toLowerCase()} ${anchor}`;
}

interface FieldsProps {
  obligation: DraftObligation;
  sections: Editing["draft"]["sections"];
  errorOf(field: string): string | undefined;
  set(part: Partial<DraftObligation>): void;
}

function ObligationFields({ obligation, sections, errorOf, set }: FieldsProps) {
  const bind = (name: Exclude<keyof DraftObligation, "section">) => ({
    value: obligation[name],
    onChange: ({ target }: { target: { value: string } }) =>
      set({ [name]: target.value } as Partial<DraftObligation>),
  });
  const { anchorType, section } = obligation;
  return (
    <>
      <Field label="What has to be done" required error={errorOf("title")} className="sm:col-span-2">
        <Input {...bind("title")} placeholder="Give notice before the renewal" />
      </Field>
      <Field label="Kind" error={errorOf("kind")}>
        <Select {...bind("kind")} options={optionsOf(obligationKinds)} />
      </Field>
      <Field label="Counted from" error={errorOf("anchorType")}>
        <Select {...bind("anchorType")} options={optionsOf(anchorTypes)} />
      </Field>
      {anchorType === "FIXED_DATE" && (
        <Field label="Date" error={errorOf("fixedDate")}>
          <DateInput {...bind("fixedDate")} />
        </Field>
      )}
      <div className="grid grid-cols-[5rem_1fr_1fr] gap-2 sm:col-span-2">
        <Field label="Offset" error={errorOf("offsetValue")}>
          <Input {...bind("offsetValue")} inputMode="numeric" />
        </Field>
        <Field label="Unit" error={errorOf("offsetUnit")}>
          <Select
            {...bind("offsetUnit")}
            options={offsetUnits.map((value) => ({ value, label: `${inWords(value)}s` }))}
          />
        </Field>
        <Field label="Before or after" error={errorOf("offsetDirection")}>
          <Select {...bind("offsetDirection")} options={optionsOf(offsetDirections)} />
        </Field>
      </div>
      <Field label="Repeats every (months)" optional error={errorOf("recurrenceMonths")}>
        <Input {...bind("recurrenceMonths")} inputMode="numeric" />
      </Field>
      <Field label="Only with the clause" optional error={errorOf("section")}>
        <Select
          value={section ?? ""}
          placeholder="Always"
          onChange={({ target }) => set({ section: target.value || null })}
          options={sections.map(({ tag, label }) => ({ value: tag, label }))}
        />
      </Field>
      <Field label="Notes" optional error={errorOf("description")} className="sm:col-span-2">
        <Textarea {...bind("description")} rows={2} />
      </Field>
    </>
  );
}
