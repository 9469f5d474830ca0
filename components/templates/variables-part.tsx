"use client";
import { clsx } from "clsx";
import { ChevronRight } from "lucide-react";
import { useCustomFields } from "#components/custom-fields/custom-fields.ts";
import { Field } from "#components/ui/field.tsx";
import { DateInput, Input, Textarea } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";
import { counted } from "#components/words.ts";
import type { CustomField } from "#lib/custom-fields/schema.ts";
import type { BindingName } from "#lib/templates/schema.ts";
import type { Check } from "./filling.ts";
import { useFold } from "./fold.ts";
import { type FormPart, Part } from "./part.tsx";
import type { TemplateDetail } from "./templates-page.tsx";
import { bindingLabel } from "./words.ts";

type Variable = TemplateDetail["variables"][number];

/** The bindings that the form's first part or the workspace always provides. */
const alwaysKnown: readonly string[] = [
  "contract.title",
  "contract.ourRole",
  "contract.effectiveDate",
  "contract.expiresAt",
  "contract.termMonths",
  "contract.autoRenews",
  "contract.value",
  "contract.valueCurrency",
  "counterparty.name",
  "owner.name",
  "owner.email",
  "organization.name",
  "organization.currency",
  "today",
] satisfies BindingName[];

/** The values that appear in the document with its current clauses. Those known already are collapsed. */
export function VariablesPart(form: FormPart) {
  const { template, check, errorOf } = form;
  const states = new Map(check?.variables.map((state) => [state.key, state]));
  const asked = template.variables.filter(({ key }) => states.get(key)?.asked ?? true);
  const isKnown = ({ binding }: Variable) => binding !== null && alwaysKnown.includes(binding);
  const known = asked.filter(isKnown);
  const open = asked.filter((variable) => !isKnown(variable));
  const fold = useFold(known.some(({ key }) => errorOf(`variables.${key}`)));
  if (asked.length === 0) return null;
  const field = (variable: Variable) => (
    <VariableField key={variable.key} {...form} variable={variable} state={states.get(variable.key)} />
  );
  return (
    <Part title="What the document says">
      {open.map(field)}
      {known.length > 0 && (
        <details {...fold} className="group sm:col-span-2">
          <summary className="flex items-center gap-2 rounded-md py-1 text-quiet hover:text-ink">
            <ChevronRight aria-hidden className="size-4 transition-transform group-open:rotate-90" />
            {counted(known.length, "value")} already known from the form and the workspace
          </summary>
          <div className="mt-3 grid gap-4 sm:grid-cols-2">{known.map(field)}</div>
        </details>
      )}
    </Part>
  );
}

type State = Check["variables"][number] | undefined;

function VariableField({
  variable,
  state,
  all,
  setEntry,
  errorOf,
}: FormPart & { variable: Variable; state: State }) {
  const { key, label, type, required, helpText } = variable;
  const customFields = useCustomFields();
  return (
    <div data-path={`variables.${key}`} className={clsx("min-w-0", type === "textarea" && "sm:col-span-2")}>
      <Field
        label={label}
        required={required && state?.value == null}
        optional={!required}
        hint={helpText ?? hintOf(variable, state, customFields)}
        error={errorOf(`variables.${key}`)}
      >
        <Control
          variable={variable}
          value={all.variables[key] ?? ""}
          known={state?.from === "supplied" ? null : (state?.value ?? null)}
          onValue={(value) => setEntry({ kind: "variable", key, value })}
        />
      </Field>
    </div>
  );
}

/** Returns where the value comes from unless another one is entered. */
function hintOf({ binding }: Variable, state: State, customFields: CustomField[]): string | undefined {
  if (state?.from === "binding") return `From: ${bindingLabel(binding, customFields)}`;
  if (state?.from === "default") return "As in the template.";
  return undefined;
}

interface ControlProps {
  variable: Variable;
  value: string;
  /** What the document shows while nothing is entered here. */
  known: string | null;
  onValue(value: string): void;
}

function Control({ variable: { type, options }, value, known, onValue }: ControlProps) {
  const common = {
    value,
    onChange: ({ target }: { target: { value: string } }) => onValue(target.value),
    placeholder: known ?? undefined,
  };
  const nothing = known === null ? "Choose" : `Default: ${known}`;
  switch (type) {
    case "textarea":
      return <Textarea {...common} rows={3} />;
    case "date":
      return <DateInput {...common} />;
    case "boolean":
      return (
        <Select
          {...common}
          placeholder={nothing}
          options={[
            { value: "true", label: "Yes" },
            { value: "false", label: "No" },
          ]}
        />
      );
    case "select":
      return (
        <Select
          {...common}
          placeholder={nothing}
          options={options.map((one) => ({ value: one, label: one }))}
        />
      );
    case "number":
    case "currency":
      return (
        <Input
          {...common}
          placeholder={known ?? (type === "number" ? "12" : "1250.00 or EUR 1250.00")}
          inputMode="decimal"
          className="tabular-nums"
        />
      );
    case "email":
      return <Input {...common} type="email" />;
    default:
      return <Input {...common} />;
  }
}
