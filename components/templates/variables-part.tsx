"use client";
import { clsx } from "clsx";
import { Field } from "#components/ui/field.tsx";
import { DateInput, Input, Textarea } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";
import type { Check } from "./filling.ts";
import { type FormPart, Part } from "./part.tsx";
import type { TemplateDetail } from "./templates-page.tsx";
import { fromWord } from "./words.ts";

type Variable = TemplateDetail["variables"][number];

/** The values that the document has places for, as its clauses stand now. */
export function VariablesPart({ template, all, say, check, errorOf }: FormPart) {
  const states = new Map(check?.variables.map((state) => [state.key, state]));
  const asked = template.variables.filter(({ key }) => states.get(key)?.asked ?? true);
  if (asked.length === 0) return null;
  return (
    <Part title="What the document says">
      {asked.map((variable) => {
        const { key, label, type, required, helpText } = variable;
        const state = states.get(key);
        return (
          <div
            key={key}
            data-path={`variables.${key}`}
            className={clsx("min-w-0", type === "textarea" && "sm:col-span-2")}
          >
            <Field
              label={label}
              required={required && state?.value == null}
              optional={!required}
              hint={helpText ?? hintOf(variable, state)}
              error={errorOf(`variables.${key}`)}
            >
              <Control
                variable={variable}
                value={all.variables[key] ?? ""}
                known={state?.from === "supplied" ? null : (state?.value ?? null)}
                onValue={(value) => say({ kind: "variable", key, value })}
              />
            </Field>
          </div>
        );
      })}
    </Part>
  );
}

/** Where its value comes from, as long as nobody says another one. */
function hintOf({ binding }: Variable, state: Check["variables"][number] | undefined): string | undefined {
  if (state?.from === "binding") return `From: ${fromWord(binding)}`;
  if (state?.from === "default") return "As the template has it.";
  return undefined;
}

interface ControlProps {
  variable: Variable;
  value: string;
  /** What stands in the document while nothing is said here. */
  known: string | null;
  onValue(value: string): void;
}

function Control({ variable: { type, options }, value, known, onValue }: ControlProps) {
  const common = {
    value,
    onChange: ({ target }: { target: { value: string } }) => onValue(target.value),
    placeholder: known ?? undefined,
  };
  const nothing = known === null ? "Choose" : `As it is: ${known}`;
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
