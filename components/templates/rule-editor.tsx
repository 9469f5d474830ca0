"use client";
/** Edits a rule in plain words: a value compared with another, or several comparisons combined. */
import { Plus, Trash2 } from "lucide-react";
import { useCustomFields } from "#components/custom-fields/custom-fields.ts";
import { Button, IconButton } from "#components/ui/button.tsx";
import { Input } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";
import type { TemplateRule } from "#lib/templates/schema.ts";
import type { Draft } from "./draft.ts";
import { bindingOptions } from "./words.ts";

/** The depth up to which the schema accepts nested rules. */
const maxDepth = 4;

const comparisons = [
  { value: "equals", label: "is" },
  { value: "notEquals", label: "is not" },
  { value: "in", label: "is one of" },
  { value: "greaterThan", label: "is more than" },
  { value: "lessThan", label: "is less than" },
  { value: "isSet", label: "has a value" },
];

type RuleGroup = Extract<TemplateRule, { all: TemplateRule[] } | { any: TemplateRule[] }>;
type Condition = Exclude<TemplateRule, RuleGroup>;

export function emptyRule({ variables }: Draft): Condition {
  const [first] = variables;
  return first
    ? { variable: first.key, op: "equals", value: "" }
    : { binding: "counterparty.name", op: "equals", value: "" };
}

export interface RuleEditorProps {
  rule: TemplateRule;
  draft: Draft;
  depth: number;
  onRule(rule: TemplateRule): void;
  onRemove?(): void;
}

export function RuleEditor(props: RuleEditorProps) {
  const { rule } = props;
  return "all" in rule || "any" in rule ? (
    <JoinedEditor {...props} rule={rule} />
  ) : (
    <ConditionEditor {...props} rule={rule} />
  );
}

function JoinedEditor({ rule, draft, depth, onRule, onRemove }: RuleEditorProps & { rule: RuleGroup }) {
  const way = "all" in rule ? "all" : "any";
  const rules = "all" in rule ? rule.all : rule.any;
  const join = (next: TemplateRule[], by: string = way) =>
    onRule(by === "all" ? { all: next } : { any: next });
  return (
    <div className="grid gap-2 border-line border-l-2 pl-3">
      <div className="flex items-center gap-2">
        <Select
          aria-label="How many of these"
          className="w-36"
          value={way}
          options={[
            { value: "all", label: "all of these" },
            { value: "any", label: "any of these" },
          ]}
          onChange={({ target }) => join(rules, target.value)}
        />
        {onRemove && (
          <IconButton label="Remove these" onClick={onRemove}>
            <Trash2 aria-hidden />
          </IconButton>
        )}
      </div>
      {rules.map((inner, index) => (
        <RuleEditor
          // biome-ignore lint/suspicious/noArrayIndexKey: rules have no other key, and no state.
          key={index}
          rule={inner}
          draft={draft}
          depth={depth + 1}
          onRule={(next) => join(rules.with(index, next))}
          {...(rules.length > 1 ? { onRemove: () => join(rules.toSpliced(index, 1)) } : {})}
        />
      ))}
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={() => join([...rules, emptyRule(draft)])}>
          <Plus aria-hidden />
          Add a condition
        </Button>
        {depth + 1 < maxDepth && (
          <Button size="sm" onClick={() => join([...rules, { any: [emptyRule(draft)] }])}>
            <Plus aria-hidden />
            Add a group
          </Button>
        )}
      </div>
    </div>
  );
}

function ConditionEditor({ rule, draft, depth, onRule, onRemove }: RuleEditorProps & { rule: Condition }) {
  const customFields = useCustomFields();
  const source = "variable" in rule ? `variable ${rule.variable}` : `binding ${rule.binding}`;
  const from = "variable" in rule ? { variable: rule.variable } : { binding: rule.binding };
  const compare = (op: string, written: string, by: object = from) =>
    onRule({ ...by, ...comparison(op, written) } as Condition);
  const written = writtenOf(rule);
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Select
        aria-label="What is compared"
        className="min-w-40 flex-1"
        value={source}
        options={[
          ...draft.variables.map(({ key, label }) => ({ value: `variable ${key}`, label })),
          ...bindingOptions(customFields).map(({ value, label }) => ({ value: `binding ${value}`, label })),
        ]}
        onChange={({ target }) => {
          const [kind, ...name] = target.value.split(" ");
          compare(rule.op, written, { [kind!]: name.join(" ") });
        }}
      />
      <Select
        aria-label="How it is compared"
        className="w-36"
        value={rule.op}
        options={comparisons}
        onChange={({ target }) => compare(target.value, written)}
      />
      {rule.op === "isSet" ? (
        <Select
          aria-label="Whether it has a value"
          className="w-24"
          value={String(rule.value)}
          options={[
            { value: "true", label: "Yes" },
            { value: "false", label: "No" },
          ]}
          onChange={({ target }) => compare("isSet", target.value)}
        />
      ) : (
        <Input
          aria-label={rule.op === "in" ? "With which, separated by commas" : "With what"}
          className="min-w-28 flex-1"
          placeholder={rule.op === "in" ? "France, Spain" : undefined}
          value={written}
          onChange={({ target }) => compare(rule.op, target.value)}
        />
      )}
      {depth < maxDepth && !onRemove && (
        <Button size="sm" onClick={() => onRule({ all: [rule, emptyRule(draft)] })}>
          <Plus aria-hidden />
          And
        </Button>
      )}
      {onRemove && (
        <IconButton label="Remove this condition" onClick={onRemove}>
          <Trash2 aria-hidden />
        </IconButton>
      )}
    </div>
  );
}

function writtenOf(rule: Condition): string {
  return Array.isArray(rule.value) ? rule.value.join(", ") : String(rule.value ?? "");
}

/** Returns the typed value in the comparison's format. Text and numbers compare alike, so text is enough. */
function comparison(op: string, written: string): object {
  if (op === "isSet") return { op, value: written !== "false" };
  if (op === "in") return { op, value: written.split(/,\s?/) };
  return { op, value: written };
}
