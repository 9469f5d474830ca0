/**
 * Resolves what a document is filled with: each variable's value (given, else bound, else its default), each section
 * on or off, the contract's title, and all problems at once. Pure: the same input gives the same result.
 */
import type { Issue } from "#lib/core/errors.ts";
import { boundValue, currencyOf, isBinding, type Sources } from "./bindings.ts";
import type { TemplateSettings, VariableSettings } from "./schema.ts";
import { gatesHold, type SectionStates, switchSections } from "./switch.ts";
import { parseValue, printValue, type RawValue, type Value } from "./values.ts";

export interface Filled {
  key: string;
  value: Value | null;
  from: "supplied" | "binding" | "default" | null;
  /** Its gates hold: the document has a place for it. */
  asked: boolean;
}

export interface Resolution {
  title: string;
  variables: Filled[];
  sections: SectionStates;
  issues: Issue[];
}

export interface Chosen {
  title?: string | undefined;
  variables: Record<string, RawValue | null>;
  sections: Record<string, boolean>;
}

/** Resolves a template. `sources.contract.title` is replaced by the resolved title. */
export function resolve(settings: TemplateSettings, chosen: Chosen, sources: Sources): Resolution {
  const supplied = suppliedValues(settings.variables, chosen.variables, currencyOf(sources));
  const untitled = { ...sources, contract: { ...sources.contract, title: null } };
  const unnamed = settings.variables.map((variable) => valueFor(variable, supplied.values, untitled));
  const title = chosen.title ?? titleFrom(settings, unnamed, untitled);
  const titled = { ...sources, contract: { ...sources.contract, title } };
  const found = settings.variables.map((variable) => valueFor(variable, supplied.values, titled));
  const values = new Map(found.map(({ key, value }) => [key, value]));
  const sections = switchSections(settings, chosen.sections, (source) =>
    "variable" in source ? (values.get(source.variable) ?? null) : boundValue(source.binding, titled),
  );
  const variables = settings.variables.map((variable, index) => ({
    ...found[index]!,
    asked: gatesHold(variable.gates, sections.on),
  }));
  const wrong = new Set(supplied.issues.map(({ path }) => path));
  const missing = settings.variables
    .filter(({ required }, index) => required && variables[index]!.asked && variables[index]!.value === null)
    .map(({ key, label }) => ({ path: `variables.${key}`, message: `is required: ${label}` }))
    .filter(({ path }) => !wrong.has(path));
  return { title, variables, sections, issues: [...supplied.issues, ...missing, ...sections.issues] };
}

/** Whether the person filling the template must enter a value, as far as the template alone can tell. */
export function requiresInput({ required, binding, defaultValue }: VariableSettings): boolean {
  return required && binding === null && defaultValue === null;
}

/** The replacements for the document's tags: text for each key, on or off for each tag. */
export function dataOf({ variables, sections }: Resolution): {
  values: Record<string, string>;
  sections: Record<string, boolean>;
} {
  const printed = variables.map(({ key, value, asked }) => [key, asked && value ? printValue(value) : ""]);
  return { values: Object.fromEntries(printed), sections: sections.on };
}

/** The given values, each in its variable's type, and the problems with the others. */
function suppliedValues(
  variables: VariableSettings[],
  given: Record<string, RawValue | null>,
  currency: string,
): { values: Map<string, Value>; issues: Issue[] } {
  const values = new Map<string, Value>();
  const issues: Issue[] = [];
  for (const [key, raw] of Object.entries(given)) {
    const variable = variables.find((one) => one.key === key);
    const path = `variables.${key}`;
    if (!variable) issues.push({ path, message: "is not a variable of this template" });
    if (!variable || raw === null) continue;
    const value = parseValue(raw, { ...variable, currency });
    if (typeof value === "string") issues.push({ path, message: value });
    else if (value) values.set(key, value);
  }
  return { values, issues };
}

function valueFor(
  variable: VariableSettings,
  supplied: Map<string, Value>,
  sources: Sources,
): Omit<Filled, "asked"> {
  const { key, binding, defaultValue } = variable;
  const given = supplied.get(key);
  if (given) return { key, value: given, from: "supplied" };
  const bound = binding === null ? null : boundValue(binding, sources, variable);
  if (bound) return { key, value: bound, from: "binding" };
  const fallback =
    defaultValue === null ? null : parseValue(defaultValue, { ...variable, currency: currencyOf(sources) });
  if (fallback && typeof fallback !== "string") return { key, value: fallback, from: "default" };
  return { key, value: null, from: null };
}

const longestTitle = 200;
export const placeInTitle = /\{([^{}]*)\}/g;
/** What a missing value leaves behind in a title's pattern, as in "NDA – {counterparty.name} ({project})". */
const emptyBrackets = /\(\s*\)|\[\s*\]/g;
const separator = "[\\s–—:,/|·-]";
const danglingSeparators = new RegExp(`^${separator}+|(?<!${separator})${separator}+$`, "g");

/** The contract's title by the template's pattern; the template's name if the pattern yields nothing. */
function titleFrom(settings: TemplateSettings, values: Omit<Filled, "asked">[], sources: Sources): string {
  const pattern = settings.titlePattern ?? settings.name;
  const title = pattern.replace(placeInTitle, (_, written: string) => {
    const path = written.trim();
    const variable = values.find(({ key }) => key === path);
    const value = variable ? variable.value : isBinding(path) ? boundValue(path, sources) : null;
    return value ? printValue(value).replaceAll("\n", " ") : "";
  });
  const tidy = title.replace(emptyBrackets, "").replace(/\s+/g, " ").replace(danglingSeparators, "");
  return shortened(tidy || settings.name);
}

/** At most 200 characters, without cutting a surrogate pair in half. */
function shortened(title: string): string {
  return title.length <= longestTitle
    ? title
    : title
        .slice(0, longestTitle)
        .toWellFormed()
        .replace(/\ufffd$/, "")
        .trim();
}
