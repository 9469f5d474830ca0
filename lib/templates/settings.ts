/** A template's settings: guessed from its tags, carried over to a new document, checked against both. */
import type { Issue } from "#lib/core/errors.ts";
import { bindingPaths, isBinding, typeOfBinding } from "./bindings.ts";
import type { Found } from "./inspect.ts";
import { placeInTitle } from "./resolve.ts";
import { sourcesOf } from "./rules.ts";
import type {
  PartialSettings,
  SectionSettings,
  TemplateSettings,
  VariableSettings,
  VariableType,
} from "./schema.ts";
import { parseValue } from "./values.ts";

/**
 * The settings for a document's tags: what was said about a tag stays, a new one gets what its name and its
 * place suggest, and what is said about a tag that is gone goes with it.
 */
export function settingsFor(found: Found, said: PartialSettings, name: string): TemplateSettings {
  const sections = found.sections.map(
    (section) => said.sections?.find(({ tag }) => tag === section.tag) ?? guessedSection(section),
  );
  const variables = found.variables.map(
    (variable) => said.variables?.find(({ key }) => key === variable.key) ?? guessedVariable(variable),
  );
  return {
    name: said.name ?? name,
    description: said.description ?? null,
    contractType: said.contractType ?? "OTHER",
    ourRole: said.ourRole ?? "COUNTERPARTY",
    titlePattern: said.titlePattern ?? null,
    variables,
    sections,
    sectionGroups: said.sectionGroups ?? [],
    obligations: said.obligations ?? [],
  };
}

type Gates = VariableSettings["gates"];

function guessedSection({ tag, gates }: { tag: string; gates: Gates }): SectionSettings {
  return {
    ...{ tag, label: labelFor(tag), helpText: null, groupId: null, defaultOn: false },
    ...{ control: "rep", repCanOverrideRule: false, rule: null, gates },
  };
}

function guessedVariable({ key, gates }: { key: string; gates: Gates }): VariableSettings {
  const binding = bindingFor(key);
  const type = (binding && typeOfBinding(binding)) || typeFor(key);
  return {
    ...{ key, label: labelFor(key), type, required: true, options: [], binding, defaultValue: null },
    ...{ helpText: null, gates },
  };
}

/** `counterparty_name` and `counterparty.name` mean the same. */
function bindingFor(key: string): string | null {
  const plain = (path: string) => path.toLowerCase().replace(/[^a-z0-9]/g, "");
  return bindingPaths.find((path) => plain(path) === plain(key)) ?? null;
}

function typeFor(key: string): VariableType {
  if (/(^|[_.])e?mail$/i.test(key)) return "email";
  if (/(^|[_.])(date|day|on)$/i.test(key)) return "date";
  if (/(^|[_.])(fee|price|amount|value)$/i.test(key)) return "currency";
  if (/(^|[_.])(description|details|services|deliverables|scope|address)$/i.test(key)) return "textarea";
  return "text";
}

/** `late_payment.rate` as people would write it: Late payment rate. */
function labelFor(key: string): string {
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[_.\s-]+/g, " ")
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Everything that is wrong with settings, beyond their form, for a document with these tags. */
export function settingsIssues(settings: TemplateSettings, found: Found): Issue[] {
  return [
    ...mismatches(
      "variables",
      "key",
      settings.variables.map(({ key }) => key),
      found.variables.map(({ key }) => key),
    ),
    ...mismatches(
      "sections",
      "tag",
      settings.sections.map(({ tag }) => tag),
      found.sections.map(({ tag }) => tag),
    ),
    ...repeated(
      "sectionGroups",
      "id",
      settings.sectionGroups.map(({ id }) => id),
    ),
    ...settings.variables.flatMap((variable, index) =>
      variableIssues(variable, `variables.${index}`, settings),
    ),
    ...settings.sections.flatMap((section, index) => sectionIssues(section, `sections.${index}`, settings)),
    ...groupIssues(settings),
    ...settings.obligations.flatMap(({ section }, index) =>
      unknownTag(section, `obligations.${index}.section`, settings),
    ),
    ...titleIssues(settings),
  ];
}

/** Settings and document name the same tags, each once. */
function mismatches(list: string, field: string, said: string[], found: string[]): Issue[] {
  const missing = found.filter((name) => !said.includes(name));
  return [
    ...said.flatMap((name, index) =>
      found.includes(name)
        ? []
        : [{ path: `${list}.${index}.${field}`, message: `is not a tag of the document: ${name}` }],
    ),
    ...repeated(list, field, said),
    ...missing.map((name) => ({
      path: list,
      message: `must say something about the document's tag ${name}`,
    })),
  ];
}

function repeated(list: string, field: string, names: string[]): Issue[] {
  return names.flatMap((name, index) =>
    names.indexOf(name) < index
      ? [{ path: `${list}.${index}.${field}`, message: `appears twice: ${name}` }]
      : [],
  );
}

function unknownTag(tag: string | null, path: string, { sections }: TemplateSettings): Issue[] {
  if (tag === null || sections.some((section) => section.tag === tag)) return [];
  return [{ path, message: `is not a section of the document: ${tag}` }];
}

function gateIssues(gates: Gates, path: string, settings: TemplateSettings): Issue[] {
  return gates.flatMap(({ tag }, index) => unknownTag(tag, `${path}.gates.${index}.tag`, settings));
}

function bindingIssues(binding: string, path: string): Issue[] {
  if (isBinding(binding)) return [];
  return [{ path, message: `must be one of ${bindingPaths.join(", ")}` }];
}

function variableIssues(variable: VariableSettings, path: string, settings: TemplateSettings): Issue[] {
  const { type, options, binding, defaultValue, gates } = variable;
  const issues = gateIssues(gates, path, settings);
  if (binding !== null) issues.push(...bindingIssues(binding, `${path}.binding`));
  if (type === "select" && options.length === 0) {
    issues.push({ path: `${path}.options`, message: "must have something to choose from" });
  }
  if (defaultValue === null || (type === "select" && options.length === 0)) return issues;
  const value = parseValue(defaultValue, { type, options, currency: "USD" });
  if (typeof value === "string") issues.push({ path: `${path}.defaultValue`, message: value });
  return issues;
}

function sectionIssues(section: SectionSettings, path: string, settings: TemplateSettings): Issue[] {
  const issues = gateIssues(section.gates, path, settings);
  if (section.groupId !== null && !settings.sectionGroups.some(({ id }) => id === section.groupId)) {
    issues.push({ path: `${path}.groupId`, message: `is not a section group: ${section.groupId}` });
  }
  if (dependsOn(section.tag, section.tag, settings)) {
    issues.push({ path: `${path}.gates`, message: `lead back to ${section.tag} itself: break the cycle` });
  }
  if (section.control !== "rule") return issues;
  if (section.rule === null) {
    issues.push({ path: `${path}.rule`, message: "is required when control is rule" });
    return issues;
  }
  for (const source of sourcesOf(section.rule)) {
    if ("binding" in source) issues.push(...bindingIssues(source.binding, `${path}.rule`));
    else if (!settings.variables.some(({ key }) => key === source.variable)) {
      issues.push({ path: `${path}.rule`, message: `names no variable of the document: ${source.variable}` });
    }
  }
  return issues;
}

/** Whether the gates of `from` lead to `to`, over however many sections. */
function dependsOn(from: string, to: string, { sections }: TemplateSettings): boolean {
  const gatesOf = new Map(sections.map(({ tag, gates }) => [tag, gates.map((gate) => gate.tag)]));
  const seen = new Set<string>();
  const next = [...(gatesOf.get(from) ?? [])];
  for (let tag = next.pop(); tag !== undefined; tag = next.pop()) {
    if (tag === to) return true;
    if (seen.has(tag)) continue;
    seen.add(tag);
    next.push(...(gatesOf.get(tag) ?? []));
  }
  return false;
}

function groupIssues({ sectionGroups, sections }: TemplateSettings): Issue[] {
  return sectionGroups.flatMap(({ id, label, defaultTag }, index) => {
    const path = `sectionGroups.${index}`;
    const members = sections.filter(({ groupId }) => groupId === id);
    if (members.length === 0) return [{ path, message: `has no section: give some the groupId ${id}` }];
    if (members.filter(({ control, defaultOn }) => control === "fixed" && defaultOn).length > 1) {
      return [{ path, message: `"${label}" has two sections that are always on` }];
    }
    if (defaultTag === null || members.some(({ tag }) => tag === defaultTag)) return [];
    return [{ path: `${path}.defaultTag`, message: `is not a section of this group: ${defaultTag}` }];
  });
}

function titleIssues({ titlePattern, variables }: TemplateSettings): Issue[] {
  const places = [...(titlePattern ?? "").matchAll(placeInTitle)].map(([, written = ""]) => written.trim());
  const unknown = places.filter(
    (path) => path === "contract.title" || (!isBinding(path) && !variables.some(({ key }) => key === path)),
  );
  return unknown.map((path) => ({
    path: "titlePattern",
    message: `{${path}} is neither a variable of the document nor a binding such as {counterparty.name}`,
  }));
}

/** What still holds for another document: what names a tag that is gone goes with it. */
export function carriedOver(settings: TemplateSettings, found: Found): TemplateSettings {
  const tags = new Set(found.sections.map(({ tag }) => tag));
  const keys = new Set(found.variables.map(({ key }) => key));
  const gatesLeft = (gates: Gates) => gates.filter(({ tag }) => tags.has(tag));
  const ruleHolds = ({ rule }: SectionSettings) =>
    rule !== null && sourcesOf(rule).every((source) => "binding" in source || keys.has(source.variable));
  const sections = settings.sections
    .filter(({ tag }) => tags.has(tag))
    .map((section) => ({ ...section, gates: gatesLeft(section.gates) }))
    .map((section) => (ruleHolds(section) ? section : withoutRule(section)));
  const groups = settings.sectionGroups.filter(({ id }) => sections.some(({ groupId }) => groupId === id));
  const kept = {
    ...settings,
    variables: settings.variables
      .filter(({ key }) => keys.has(key))
      .map((variable) => ({ ...variable, gates: gatesLeft(variable.gates) })),
    sections,
    sectionGroups: groups.map((group) => ({
      ...group,
      defaultTag: sections.some(({ tag, groupId }) => tag === group.defaultTag && groupId === group.id)
        ? group.defaultTag
        : null,
    })),
    obligations: settings.obligations.filter(({ section }) => section === null || tags.has(section)),
  };
  return titleIssues(kept).length === 0 ? kept : { ...kept, titlePattern: null };
}

/** A rule that compares what is no longer there gives way to whoever fills the template. */
function withoutRule(section: SectionSettings): SectionSettings {
  if (section.control !== "rule") return { ...section, rule: null };
  return { ...section, control: "rep", rule: null, repCanOverrideRule: false };
}
