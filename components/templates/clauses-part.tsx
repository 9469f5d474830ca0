"use client";
import { CircleAlert } from "lucide-react";
import { Checkbox, Radio } from "#components/ui/choice.tsx";
import { FieldGroup } from "#components/ui/field.tsx";
import type { Check, Entry } from "./filling.ts";
import type { FormPart } from "./part.tsx";
import type { TemplateDetail } from "./templates-page.tsx";

type Section = TemplateDetail["sections"][number];
type State = Check["sections"][number];

/** The form's part for the document's clauses. A clause decided by a rule, a gate or the template says so. */
export function ClausesPart({ template, all, setEntry, check, errorOf }: FormPart) {
  const { sections, sectionGroups } = template;
  const states = new Map(check?.sections.map((state) => [state.tag, state]));
  /** A choice is shown immediately; the server confirms a moment later whether it is allowed. */
  const isOn = (tag: string, byDefault: boolean) => {
    const state = states.get(tag);
    const mayChoose = state?.canChoose !== false && Object.hasOwn(all.sections, tag);
    return (mayChoose ? all.sections[tag] : undefined) ?? state?.on ?? byDefault;
  };
  const single = sections.filter(({ groupId }) => groupId === null);
  if (sections.length === 0) return null;
  return (
    <fieldset className="min-w-0">
      <legend className="mb-3 font-semibold text-base">Clauses</legend>
      <div className="grid gap-5">
        {sectionGroups.map((group) => (
          <Group
            key={group.id}
            group={group}
            sections={sections.filter(({ groupId }) => groupId === group.id)}
            states={states}
            isOn={(tag) => isOn(tag, group.defaultTag === tag)}
            setEntry={setEntry}
            errorOf={errorOf}
          />
        ))}
        {single.length > 0 && (
          <div className="grid gap-3">
            {single.map((section) => (
              <div key={section.tag} data-path={`sections.${section.tag}`}>
                <Checkbox
                  label={section.label}
                  hint={hintOf(section, states.get(section.tag))}
                  checked={isOn(section.tag, section.defaultOn)}
                  disabled={states.get(section.tag)?.canChoose === false}
                  onChange={({ target }) =>
                    setEntry({ kind: "sections", sections: { [section.tag]: target.checked } })
                  }
                />
                <ClauseError message={errorOf(`sections.${section.tag}`)} />
              </div>
            ))}
          </div>
        )}
      </div>
    </fieldset>
  );
}

function hintOf({ helpText, preview }: Section, state: State | undefined) {
  const why = state?.why && `It ${state.why}.`;
  return (
    <>
      {helpText ?? (preview && <span className="line-clamp-2">{preview}</span>)}
      {why && <span className="block">{why}</span>}
    </>
  );
}

interface GroupProps {
  group: TemplateDetail["sectionGroups"][number];
  sections: Section[];
  states: Map<string, State>;
  isOn(tag: string): boolean;
  setEntry(entry: Entry): void;
  errorOf(path: string): string | undefined;
}

/** A choice of one of several clauses or, if the group allows it, none. */
function Group({ group, sections, states, isOn, setEntry, errorOf }: GroupProps) {
  const choose = (chosen: string | null) => {
    const free = sections.filter(({ tag }) => states.get(tag)?.canChoose !== false);
    setEntry({
      kind: "sections",
      sections: Object.fromEntries(free.map(({ tag }) => [tag, tag === chosen])),
    });
  };
  const wrong = sections.map(({ tag }) => errorOf(`sections.${tag}`)).find(Boolean);
  return (
    <div data-path={`sections.${sections[0]?.tag ?? ""}`}>
      <FieldGroup legend={group.label} {...(group.helpText ? { hint: group.helpText } : {})}>
        {sections.map((section) => (
          <Radio
            key={section.tag}
            name={`group ${group.id}`}
            label={section.label}
            hint={hintOf(section, states.get(section.tag))}
            checked={isOn(section.tag)}
            disabled={states.get(section.tag)?.canChoose === false}
            onChange={() => choose(section.tag)}
          />
        ))}
        {!group.required && (
          <Radio
            name={`group ${group.id}`}
            label="None of these"
            checked={!sections.some(({ tag }) => isOn(tag))}
            onChange={() => choose(null)}
          />
        )}
        <ClauseError message={wrong} />
      </FieldGroup>
    </div>
  );
}

function ClauseError({ message }: { message: string | undefined }) {
  if (!message) return null;
  return (
    <p role="alert" className="mt-1 flex gap-1.5 text-danger text-xs">
      <CircleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
      {message}
    </p>
  );
}
