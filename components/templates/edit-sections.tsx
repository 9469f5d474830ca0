"use client";
import { Card } from "#components/ui/card.tsx";
import { Checkbox } from "#components/ui/choice.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";
import { sectionControls } from "#lib/templates/schema.ts";
import { type DraftSection, type Editing, inGroup, withEntry } from "./draft.ts";
import { Entry, Gates, hasErrorBelow } from "./entry.tsx";
import { emptyRule, RuleEditor } from "./rule-editor.tsx";
import { controlWords } from "./words.ts";

const fields = ["label", "helpText", "groupId", "control", "rule", "gates", "tag"];

export function SectionsTab({ draft, change, errorOf }: Editing) {
  const { sections } = draft;
  if (sections.length === 0) {
    return (
      <p className="text-quiet">
        The document has no clauses that can be switched on and off: write {"{#insurance}"} before one and{" "}
        {"{/insurance}"} after it.
      </p>
    );
  }
  return (
    <Card>
      <ul>
        {sections.map((section, index) => {
          const at = (field: string) => `sections.${index}.${field}`;
          return (
            <Entry
              key={section.tag}
              title={section.label}
              tag={`{#${section.tag}}`}
              summary={controlWords[section.control] ?? ""}
              isWrong={hasErrorBelow(errorOf, fields.map(at))}
            >
              <SectionFields
                section={section}
                draft={draft}
                errorOf={(field) => errorOf(at(field))}
                set={(part) => change({ sections: withEntry(sections, index, part) })}
                onGroup={(groupId) => change(inGroup(draft, section.tag, groupId))}
              />
            </Entry>
          );
        })}
      </ul>
    </Card>
  );
}

interface FieldsProps {
  section: DraftSection;
  draft: Editing["draft"];
  errorOf(field: string): string | undefined;
  set(part: Partial<DraftSection>): void;
  onGroup(groupId: string | null): void;
}

function SectionFields({ section, draft, errorOf, set, onGroup }: FieldsProps) {
  const { tag, label, helpText, groupId, control, defaultOn, repCanOverrideRule, rule, gates } = section;
  return (
    <>
      <Field label="Label" required error={errorOf("label")}>
        <Input value={label} onChange={({ target }) => set({ label: target.value })} />
      </Field>
      <Field label="Group" optional hint="At most one clause of a group is on." error={errorOf("groupId")}>
        <Select
          value={groupId ?? ""}
          placeholder="None"
          onChange={({ target }) => onGroup(target.value || null)}
          options={draft.sectionGroups.map((group) => ({ value: group.id, label: group.label || group.id }))}
        />
      </Field>
      <Field
        label="Help"
        optional
        hint="Shown under the clause's name."
        error={errorOf("helpText")}
        className="sm:col-span-2"
      >
        <Input value={helpText ?? ""} onChange={({ target }) => set({ helpText: target.value || null })} />
      </Field>
      <Field label="Who decides" error={errorOf("control")}>
        <Select
          value={control}
          onChange={({ target }) => {
            const next = target.value as DraftSection["control"];
            set(next === "rule" ? { control: next, rule: rule ?? emptyRule(draft) } : { control: next });
          }}
          options={sectionControls.map((value) => ({ value, label: controlWords[value] ?? value }))}
        />
      </Field>
      {control === "rule" ? (
        <Checkbox
          label="The user can override the rule"
          className="sm:self-center"
          checked={repCanOverrideRule}
          onChange={({ target }) => set({ repCanOverrideRule: target.checked })}
        />
      ) : (
        <Checkbox
          label={control === "fixed" ? "It is on" : "On by default"}
          className="sm:self-center"
          checked={defaultOn}
          onChange={({ target }) => set({ defaultOn: target.checked })}
        />
      )}
      {control === "rule" && rule && (
        <fieldset className="grid gap-2 sm:col-span-2">
          <legend className="mb-1.5 font-medium">On when</legend>
          <RuleEditor rule={rule} draft={draft} depth={1} onRule={(next) => set({ rule: next })} />
          {errorOf("rule") && <p className="text-danger text-xs">{errorOf("rule")}</p>}
        </fieldset>
      )}
      <Gates
        what="this clause"
        gates={gates}
        sections={draft.sections.filter((other) => other.tag !== tag)}
        error={errorOf("gates")}
        onGates={(next) => set({ gates: next })}
      />
    </>
  );
}
