/** Checks a template's settings against its document. */
import type { Issue } from "#lib/core/errors.ts";
import { bindingPaths, boundField, isBinding } from "./bindings.ts";
import type { TemplateTags } from "./inspect.ts";
import { placeInTitle } from "./resolve.ts";
import { sourcesOf } from "./rules.ts";
import type { SectionSettings, TemplateSettings, VariableSettings } from "./schema.ts";
import { parseValue } from "./values.ts";

type Gates = VariableSettings["gates"];

/**
 * All problems of settings beyond their schema, for a document with these tags. `fieldKeys` are those of the custom
 * fields.
 */
export function settingsIssues(
  settings: TemplateSettings,
  found: TemplateTags,
  fieldKeys: string[] = [],
): Issue[] {
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
      variableIssues(variable, `variables.${index}`, settings, fieldKeys),
    ),
    ...settings.sections.flatMap((section, index) =>
      sectionIssues(section, `sections.${index}`, settings, fieldKeys),
    ),
    ...groupIssues(settings),
    ...settings.obligations.flatMap(({ section }, index) =>
      unknownTag(section, `obligations.${index}.section`, settings),
    ),
    ...titleIssues(settings),
  ];
}

/** The settings must have each of the document's tags exactly once, and no others. */
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
      message: `must have an entry for the document's tag ${name}`,
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

function bindingIssues(binding: string, path: string, fieldKeys: string[]): Issue[] {
  const key = boundField(binding);
  if (key === undefined ? isBinding(binding) : fieldKeys.includes(key)) return [];
  const all = [...bindingPaths, ...fieldKeys.map((one) => `contract.customFields.${one}`)];
  return [{ path, message: `must be one of ${all.join(", ")}` }];
}

function variableIssues(
  variable: VariableSettings,
  path: string,
  settings: TemplateSettings,
  fieldKeys: string[],
): Issue[] {
  const { type, options, binding, defaultValue, gates } = variable;
  const issues = gateIssues(gates, path, settings);
  if (binding !== null) issues.push(...bindingIssues(binding, `${path}.binding`, fieldKeys));
  if (type === "select" && options.length === 0) {
    issues.push({ path: `${path}.options`, message: "must have at least one option" });
  }
  if (defaultValue === null || (type === "select" && options.length === 0)) return issues;
  const value = parseValue(defaultValue, { type, options, currency: "USD" });
  if (typeof value === "string") issues.push({ path: `${path}.defaultValue`, message: value });
  return issues;
}

function sectionIssues(
  section: SectionSettings,
  path: string,
  settings: TemplateSettings,
  fieldKeys: string[],
): Issue[] {
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
    if ("binding" in source) issues.push(...bindingIssues(source.binding, `${path}.rule`, fieldKeys));
    else if (!settings.variables.some(({ key }) => key === source.variable)) {
      issues.push({ path: `${path}.rule`, message: `names no variable of the document: ${source.variable}` });
    }
  }
  return issues;
}

/** Whether the gates of `from` lead to `to`, over any number of sections. */
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

export function titleIssues({ titlePattern, variables }: TemplateSettings): Issue[] {
  const places = [...(titlePattern ?? "").matchAll(placeInTitle)].map(([, written = ""]) => written.trim());
  const unknown = places.filter(
    (path) => path === "contract.title" || (!isBinding(path) && !variables.some(({ key }) => key === path)),
  );
  return unknown.map((path) => ({
    path: "titlePattern",
    message: `{${path}} is neither a variable of the document nor a binding such as {counterparty.name}`,
  }));
}
