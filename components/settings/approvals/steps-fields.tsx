"use client";
/** The form fields for the steps of a rule: who approves, in which order. */
import { ArrowDown, ArrowUp, Plus, Trash2, X } from "lucide-react";
import { ApproverField } from "#components/approvals/approver-field.tsx";
import { Button, IconButton } from "#components/ui/button.tsx";
import { FieldGroup } from "#components/ui/field.tsx";
import { Select } from "#components/ui/select.tsx";
import { approverRoles, maxPeople, maxSteps } from "#lib/approvals/catalogue.ts";
import { type DraftErrors, emptyStep, type StepDraft } from "./draft.ts";

const needsOptions = [
  { value: "ANY", label: "Any of" },
  { value: "ALL", label: "All of" },
];

const approverOptions = [
  { value: "owner", label: "the owners" },
  { value: "admin", label: "the admins" },
  { value: "member", label: "the members" },
  { value: "people", label: "these people" },
];

interface StepsFieldsProps {
  steps: readonly StepDraft[];
  wrong: DraftErrors;
  onSteps(steps: StepDraft[]): void;
}

export function StepsFields({ steps, wrong, onSteps }: StepsFieldsProps) {
  const put = (index: number, fields: Partial<StepDraft>) =>
    onSteps(steps.map((step, at) => (at === index ? { ...step, ...fields } : step)));
  const move = (from: number, to: number) => {
    const moved = [...steps];
    moved.splice(to, 0, ...moved.splice(from, 1));
    onSteps(moved);
  };
  const nextKey = Math.max(...steps.map(({ key }) => key)) + 1;
  return (
    <FieldGroup legend="Approval by" hint="One step after the other.">
      <ol className="grid gap-2">
        {steps.map((step, index) => (
          <li key={step.key} className="grid gap-2 rounded-md border border-line p-3">
            <div className="flex items-center gap-1">
              <span className="mr-auto font-medium text-sm">Step {index + 1}</span>
              {steps.length > 1 && (
                <>
                  <IconButton
                    label={`Move step ${index + 1} up`}
                    size="sm"
                    disabled={index === 0}
                    onClick={() => move(index, index - 1)}
                  >
                    <ArrowUp aria-hidden />
                  </IconButton>
                  <IconButton
                    label={`Move step ${index + 1} down`}
                    size="sm"
                    disabled={index === steps.length - 1}
                    onClick={() => move(index, index + 1)}
                  >
                    <ArrowDown aria-hidden />
                  </IconButton>
                  <IconButton
                    label={`Remove step ${index + 1}`}
                    size="sm"
                    onClick={() => onSteps(steps.filter((_, at) => at !== index))}
                  >
                    <Trash2 aria-hidden />
                  </IconButton>
                </>
              )}
            </div>
            <Step
              step={step}
              number={index + 1}
              error={wrong.steps?.[step.key]}
              onStep={(fields) => put(index, fields)}
            />
          </li>
        ))}
      </ol>
      {steps.length < maxSteps && (
        <div>
          <Button size="sm" onClick={() => onSteps([...steps, emptyStep(nextKey)])}>
            <Plus aria-hidden />
            Add a step
          </Button>
        </div>
      )}
    </FieldGroup>
  );
}

interface StepProps {
  step: StepDraft;
  number: number;
  error: string | undefined;
  onStep(fields: Partial<StepDraft>): void;
}

function Step({ step: { needs, role, people }, number, error, onStep }: StepProps) {
  return (
    <>
      <div className="grid grid-cols-2 gap-2">
        <Select
          aria-label={`Step ${number}: how many approve`}
          options={needsOptions}
          value={needs}
          onChange={({ target }) => onStep({ needs: target.value === "ALL" ? "ALL" : "ANY" })}
        />
        <Select
          aria-label={`Step ${number}: who approves`}
          options={approverOptions}
          value={role ?? "people"}
          onChange={({ target }) =>
            onStep({ role: approverRoles.find((each) => each === target.value) ?? null })
          }
        />
      </div>
      {role === null && (
        <>
          {people.length > 0 && (
            <ul className="flex flex-wrap gap-1.5">
              {people.map(({ id, name }) => (
                <li
                  key={id}
                  className="flex min-w-0 items-center gap-1 rounded-full bg-hover py-0.5 pr-1 pl-2.5 text-sm"
                >
                  <span className="min-w-0 truncate">{name}</span>
                  <IconButton
                    label={`Remove ${name}`}
                    size="sm"
                    onClick={() => onStep({ people: people.filter((person) => person.id !== id) })}
                  >
                    <X aria-hidden />
                  </IconButton>
                </li>
              ))}
            </ul>
          )}
          {people.length < maxPeople && (
            <ApproverField
              label={`Step ${number}: add someone`}
              placeholder="Add someone"
              value={null}
              without={people.map(({ id }) => id)}
              onValue={(person) => onStep({ people: [...people, person] })}
            />
          )}
          {error && (
            <p role="alert" className="text-danger text-xs">
              {error}
            </p>
          )}
        </>
      )}
    </>
  );
}
