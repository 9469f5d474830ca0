"use client";
import { Plus } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { Checkbox } from "#components/ui/choice.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";
import { counted } from "#components/words.ts";
import { type DraftGroup, type Editing, inGroup, withEntry } from "./draft.ts";
import { Entry, hasErrorBelow } from "./entry.tsx";

const fields = ["id", "label", "helpText", "defaultTag"];

/** The groups of clauses, of which at most one is on. A clause's group can be set here or at the clause. */
export function GroupsTab({ draft, change, errorOf }: Editing) {
  const { sectionGroups: groups, sections } = draft;
  const add = () => {
    const taken = new Set(groups.map(({ id }) => id));
    let number = groups.length + 1;
    while (taken.has(`group_${number}`)) number++;
    const group = { id: `group_${number}`, label: "", helpText: null, required: false, defaultTag: null };
    change({ sectionGroups: [...groups, group] });
  };
  const remove = (id: string) =>
    change({
      sectionGroups: groups.filter((group) => group.id !== id),
      sections: sections.map((section) => (section.groupId === id ? { ...section, groupId: null } : section)),
    });
  return (
    <div className="grid gap-3">
      <p className="text-quiet">
        At most one clause of a group is on, or exactly one if the group is required.
      </p>
      {groups.length > 0 && (
        <Card>
          <ul>
            {groups.map((group, index) => {
              const at = (field: string) => `sectionGroups.${index}.${field}`;
              const members = sections.filter(({ groupId }) => groupId === group.id);
              const set = (part: Partial<DraftGroup>) =>
                change({ sectionGroups: withEntry(groups, index, part) });
              return (
                <Entry
                  key={group.id}
                  title={group.label}
                  summary={`${counted(members.length, "clause")}${group.required ? ", required" : ""}`}
                  isWrong={hasErrorBelow(errorOf, [`sectionGroups.${index}`, ...fields.map(at)])}
                  isOpen={group.label === ""}
                  onRemove={() => remove(group.id)}
                >
                  <Field
                    label="Label"
                    required
                    error={errorOf(at("label")) ?? errorOf(`sectionGroups.${index}`)}
                  >
                    <Input value={group.label} onChange={({ target }) => set({ label: target.value })} />
                  </Field>
                  <Field label="On by default" optional error={errorOf(at("defaultTag"))}>
                    <Select
                      value={group.defaultTag ?? ""}
                      placeholder="None"
                      onChange={({ target }) => set({ defaultTag: target.value || null })}
                      options={members.map(({ tag, label }) => ({ value: tag, label }))}
                    />
                  </Field>
                  <Field label="Help" optional error={errorOf(at("helpText"))} className="sm:col-span-2">
                    <Input
                      value={group.helpText ?? ""}
                      onChange={({ target }) => set({ helpText: target.value || null })}
                    />
                  </Field>
                  <Checkbox
                    label="Required"
                    hint="Exactly one of its clauses is on."
                    checked={group.required}
                    onChange={({ target }) => set({ required: target.checked })}
                  />
                  <fieldset className="grid gap-2 sm:col-span-2">
                    <legend className="mb-1.5 font-medium">Its clauses</legend>
                    {sections.map((section) => (
                      <Checkbox
                        key={section.tag}
                        label={section.label}
                        checked={section.groupId === group.id}
                        onChange={({ target }) =>
                          change(inGroup(draft, section.tag, target.checked ? group.id : null))
                        }
                      />
                    ))}
                  </fieldset>
                </Entry>
              );
            })}
          </ul>
        </Card>
      )}
      <Button className="justify-self-start" disabled={sections.length === 0} onClick={add}>
        <Plus aria-hidden />
        Add a group
      </Button>
    </div>
  );
}
