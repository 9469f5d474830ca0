/** Decides which sections of a template a document includes: controls, gates, groups and rules. Pure. */
import type { Issue } from "#lib/core/errors.ts";
import { evaluateRule, type Lookup } from "./rules.ts";
import type { GroupSettings, SectionSettings, TemplateSettings } from "./schema.ts";

export interface SectionStates {
  on: Record<string, boolean>;
  /** For sections that the person filling the template cannot choose: why not. */
  fixed: Record<string, string>;
  issues: Issue[];
}

type Gate = { tag: string; whenOn: boolean };

/** All gates hold: each names a section that is on, or off, as required. */
export function gatesHold(gates: Gate[], on: Record<string, boolean>): boolean {
  return gates.every(({ tag, whenOn }) => (on[tag] ?? false) === whenOn);
}

/** Decides each section. Gates have no cycles: settings with one are rejected earlier. */
export function switchSections(
  { sections, sectionGroups }: Pick<TemplateSettings, "sections" | "sectionGroups">,
  choices: Record<string, boolean>,
  lookUp: Lookup,
): SectionStates {
  const chosen = withoutPrototype(choices);
  const byTag = new Map(sections.map((section) => [section.tag, section]));
  const wanted = (section: SectionSettings) => {
    if (section.control === "fixed") return section.defaultOn;
    const computed =
      section.control === "rule" && (section.rule === null || evaluateRule(section.rule, lookUp));
    if (section.control === "rule" && !section.repCanOverrideRule) return computed;
    const choice = chosen[section.tag];
    if (choice !== undefined || section.control === "rule") return choice ?? computed;
    return preselected(section, sections, sectionGroups, chosen);
  };

  const on = withoutPrototype<boolean>({});
  const gated = new Set<string>();
  const decide = (tag: string): boolean => {
    const section = byTag.get(tag);
    if (!section) return false;
    if (on[tag] !== undefined) return on[tag];
    on[tag] = false; // breaks a cycle
    for (const gate of section.gates) decide(gate.tag);
    if (!gatesHold(section.gates, on)) gated.add(tag);
    on[tag] = !gated.has(tag) && wanted(section);
    return on[tag];
  };
  for (const { tag } of sections) decide(tag);

  const fixed = withoutPrototype<string>({});
  for (const section of sections) {
    const why = whyFixed(section, gated.has(section.tag), byTag);
    if (why !== null) fixed[section.tag] = why;
  }
  return { on, fixed, issues: issuesOf(sections, sectionGroups, chosen, { on, fixed, gated }) };
}

/** Only with the tags in it: a section may be called `constructor`, which every object inherits. */
function withoutPrototype<Value>(tags: Record<string, Value>): Record<string, Value> {
  return Object.assign(Object.create(null), tags);
}

/** What is on if nothing is chosen: a group's default, unless another of its sections was chosen. */
function preselected(
  section: SectionSettings,
  sections: SectionSettings[],
  groups: GroupSettings[],
  chosen: Record<string, boolean>,
): boolean {
  const group = groups.find(({ id }) => id === section.groupId);
  if (!group) return section.defaultOn;
  const another = sections.some(({ tag, groupId }) => groupId === group.id && chosen[tag] === true);
  return !another && group.defaultTag === section.tag;
}

function whyFixed(
  section: SectionSettings,
  isGated: boolean,
  byTag: Map<string, SectionSettings>,
): string | null {
  if (section.control === "fixed") return `is always ${section.defaultOn ? "on" : "off"} in this template`;
  if (section.control === "rule" && !section.repCanOverrideRule) return "follows from a rule of the template";
  if (!isGated) return null;
  const needs = section.gates.map(({ tag, whenOn }) => {
    return `"${byTag.get(tag)?.label ?? tag}" is ${whenOn ? "on" : "off"}`;
  });
  return `can only be on while ${needs.join(" and ")}`;
}

function issuesOf(
  sections: SectionSettings[],
  groups: GroupSettings[],
  chosen: Record<string, boolean>,
  { on, fixed, gated }: Pick<SectionStates, "on" | "fixed"> & { gated: Set<string> },
): Issue[] {
  const unknown = Object.keys(chosen).filter((tag) => !sections.some((section) => section.tag === tag));
  const refused = sections.filter(
    ({ tag }) => fixed[tag] !== undefined && chosen[tag] !== undefined && chosen[tag] !== on[tag],
  );
  return [
    ...unknown.map((tag) => ({ path: `sections.${tag}`, message: "is not a section of this template" })),
    ...refused.map(({ tag }) => ({ path: `sections.${tag}`, message: fixed[tag]! })),
    ...groups.flatMap((group) => groupIssues(group, sections, on, gated)),
  ];
}

/** A required group needs exactly one section, others at most one. A group gated off entirely needs none. */
function groupIssues(
  group: GroupSettings,
  sections: SectionSettings[],
  on: Record<string, boolean>,
  gated: Set<string>,
): Issue[] {
  const members = sections.filter(({ groupId }) => groupId === group.id);
  const possible = members.filter(({ tag }) => !gated.has(tag));
  const active = members.filter(({ tag }) => on[tag]);
  const names = possible.map(({ tag }) => tag).join(", ");
  if (active.length > 1) {
    const message = `Only one of "${group.label}" can be on: ${active.map(({ tag }) => tag).join(", ")} are`;
    return active.map(({ tag }) => ({ path: `sections.${tag}`, message }));
  }
  if (!group.required || active.length === 1 || possible.length === 0) return [];
  const first = possible.find(({ tag }) => tag === group.defaultTag) ?? possible[0]!;
  return [{ path: `sections.${first.tag}`, message: `"${group.label}" needs one of ${names} to be on` }];
}
