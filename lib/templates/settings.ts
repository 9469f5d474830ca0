/** A template's settings: guessed from its tags, or carried over to a new document. */
import { bindingPaths, typeOfBinding } from "./bindings.ts";
import type { TemplateTags } from "./inspect.ts";
import { sourcesOf } from "./rules.ts";
import type {
  PartialSettings,
  SectionSettings,
  TemplateSettings,
  VariableSettings,
  VariableType,
} from "./schema.ts";
import { titleIssues } from "./settings-issues.ts";

/**
 * The settings for a document's tags: a tag's given settings are kept, a new tag gets what its name and place
 * suggest, and the settings of removed tags are dropped.
 */
export function settingsFor(found: TemplateTags, partial: PartialSettings, name: string): TemplateSettings {
  const sections = found.sections.map(
    (section) => partial.sections?.find(({ tag }) => tag === section.tag) ?? guessedSection(section),
  );
  const variables = found.variables.map(
    (variable) => partial.variables?.find(({ key }) => key === variable.key) ?? guessedVariable(variable),
  );
  return {
    name: partial.name ?? name,
    description: partial.description ?? null,
    contractType: partial.contractType ?? "OTHER",
    ourRole: partial.ourRole ?? "COUNTERPARTY",
    titlePattern: partial.titlePattern ?? null,
    variables,
    sections,
    sectionGroups: partial.sectionGroups ?? [],
    obligations: partial.obligations ?? [],
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

/** `late_payment.rate` as people would write it: Late payment rate. A blank, `___`, stays as it is. */
function labelFor(key: string): string {
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[_.\s-]+/g, " ")
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1) || key;
}

const placesOf = ({ variables, sections }: TemplateTags) =>
  new Map<string, Gates>([
    ...variables.map(({ key, gates }) => [`{${key}}`, gates] as const),
    ...sections.map(({ tag, gates }) => [`{#${tag}}`, gates] as const),
  ]);

const areSame = (some: Gates, others: Gates) =>
  some.length === others.length &&
  some.every(({ tag, whenOn }) => others.some((gate) => gate.tag === tag && gate.whenOn === whenOn));

/**
 * The settings that still apply to another document, without references to removed tags. If a tag's gates were those
 * of its place in the document `before`, they become those of its new place: otherwise it would stay empty there.
 */
export function carriedOver(
  settings: TemplateSettings,
  found: TemplateTags,
  before: TemplateTags | null = null,
): TemplateSettings {
  const tags = new Set(found.sections.map(({ tag }) => tag));
  const keys = new Set(found.variables.map(({ key }) => key));
  const [stood, stands] = [before && placesOf(before), placesOf(found)];
  const gatesLeft = (gates: Gates, written: string) => {
    const there = stood?.get(written);
    const isOfPlace = there !== undefined && areSame(gates, there);
    return isOfPlace ? stands.get(written)! : gates.filter(({ tag }) => tags.has(tag));
  };
  const ruleHolds = ({ rule }: SectionSettings) =>
    rule !== null && sourcesOf(rule).every((source) => "binding" in source || keys.has(source.variable));
  const sections = settings.sections
    .filter(({ tag }) => tags.has(tag))
    .map((section) => ({ ...section, gates: gatesLeft(section.gates, `{#${section.tag}}`) }))
    .map((section) => (ruleHolds(section) ? section : withoutRule(section)));
  const groups = settings.sectionGroups.filter(({ id }) => sections.some(({ groupId }) => groupId === id));
  const kept = {
    ...settings,
    variables: settings.variables
      .filter(({ key }) => keys.has(key))
      .map((variable) => ({ ...variable, gates: gatesLeft(variable.gates, `{${variable.key}}`) })),
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

/** A rule whose sources are gone is dropped: the person filling the template chooses instead. */
function withoutRule(section: SectionSettings): SectionSettings {
  if (section.control !== "rule") return { ...section, rule: null };
  return { ...section, control: "rep", rule: null, repCanOverrideRule: false };
}
