/** A template's settings while they are edited: as in the API, but with numbers and dates as text. */
import type { InputOf } from "#lib/doors/client.ts";
import { TemplateObligation, type TemplateRule } from "#lib/templates/schema.ts";
import type { TemplateDetail } from "./templates-page.tsx";

type Saved = InputOf<"templates.saveSettings">;
type Entry<List extends keyof Saved> = Required<NonNullable<Saved[List]> extends (infer One)[] ? One : never>;

export type DraftVariable = Entry<"variables">;
export type DraftSection = Omit<Entry<"sections">, "rule"> & { rule: TemplateRule | null };
export type DraftGroup = Entry<"sectionGroups">;
export type DraftGate = DraftSection["gates"][number];

export interface DraftObligation
  extends Pick<TemplateObligation, "kind" | "anchorType" | "offsetUnit" | "offsetDirection"> {
  title: string;
  offsetValue: string;
  fixedDate: string;
  recurrenceMonths: string;
  description: string;
  section: string | null;
}

export interface Draft {
  name: string;
  description: string;
  contractType: TemplateDetail["contractType"];
  ourRole: TemplateDetail["ourRole"];
  titlePattern: string;
  variables: DraftVariable[];
  sections: DraftSection[];
  sectionGroups: DraftGroup[];
  obligations: DraftObligation[];
}

/** The props of each tab. */
export interface Editing {
  draft: Draft;
  anchors: string[];
  change(part: Partial<Draft>): void;
  errorOf(path: string): string | undefined;
}

export const newObligation: DraftObligation = {
  kind: "RENEWAL_NOTICE",
  title: "",
  anchorType: "EXPIRATION_DATE",
  offsetValue: "30",
  offsetUnit: "DAY",
  offsetDirection: "BEFORE",
  fixedDate: "",
  recurrenceMonths: "",
  description: "",
  section: null,
};

export function draftOf(template: TemplateDetail): Draft {
  const { name, description, contractType, ourRole, titlePattern, sectionGroups } = template;
  return {
    name,
    description: description ?? "",
    contractType,
    ourRole,
    titlePattern: titlePattern ?? "",
    variables: template.variables.map(({ requiresInput: _, ...variable }) => variable),
    sections: template.sections.map(({ preview: _, ...section }) => section),
    sectionGroups,
    obligations: template.obligations.map(obligationOf),
  };
}

const text = (value: number | null | undefined) =>
  value === null || value === undefined ? "" : String(value);

function obligationOf(saved: unknown): DraftObligation {
  const { kind, title, anchorType, offsetUnit, offsetDirection, section, ...rest } =
    TemplateObligation.parse(saved);
  return {
    ...{ kind, title, anchorType, offsetUnit, offsetDirection, section },
    offsetValue: text(rest.offsetValue),
    fixedDate: rest.fixedDate?.toISOString().slice(0, 10) ?? "",
    recurrenceMonths: text(rest.recurrenceMonths),
    description: rest.description ?? "",
  };
}

/** Whether a line is an option: a blank one is not. */
const isWritten = (line: string) => line.trim() !== "";

const number = (written: string) => (written.trim() === "" ? null : Number(written));

/** Returns the draft in the API's format. Text that is not a number becomes NaN, for the schema to report. */
export function settingsOf(draft: Draft) {
  const obligations = draft.obligations.map((one) => ({
    ...one,
    offsetValue: number(one.offsetValue) ?? 0,
    fixedDate: one.fixedDate || null,
    recurrenceMonths: number(one.recurrenceMonths),
    description: one.description || null,
  }));
  return {
    ...draft,
    variables: draft.variables.map((one) => ({ ...one, options: one.options.filter(isWritten) })),
    description: draft.description.trim() || null,
    titlePattern: draft.titlePattern.trim() || null,
    obligations,
  };
}

/** Returns the list with one entry changed. */
export function withEntry<T>(list: T[], index: number, part: Partial<T>): T[] {
  return list.with(index, { ...list[index]!, ...part });
}

/**
 * Moves a clause to another group, or to none. If it was the default of another group, that group loses its
 * default.
 */
export function inGroup(
  { sections, sectionGroups }: Pick<Draft, "sections" | "sectionGroups">,
  tag: string,
  groupId: string | null,
): Pick<Draft, "sections" | "sectionGroups"> {
  return {
    sections: sections.map((section) => (section.tag === tag ? { ...section, groupId } : section)),
    sectionGroups: sectionGroups.map((group) =>
      group.defaultTag === tag && group.id !== groupId ? { ...group, defaultTag: null } : group,
    ),
  };
}

export interface Issue {
  path: string;
  message: string;
}

/** Returns an issue as the editor shows it: at the field that contains it, with the labels shown there. */
export function editorIssue({ path, message }: Issue, { sections, variables }: Draft): Issue {
  const [list, index, field, inner] = path.split(".");
  if (inner === undefined && field !== "defaultTag") return { path, message };
  const at = [list, index, field].join(".");
  if (list === "variables" && field === "options") {
    const lines = variables[Number(index)]?.options ?? [];
    const line = lines.flatMap((each, above) => (isWritten(each) ? [above + 1] : []))[Number(inner)];
    return { path: at, message: `line ${line} ${message}` };
  }
  if (field !== "defaultTag") return { path: at, message };
  const named = sections.find(({ tag }) => message.endsWith(`: ${tag}`));
  return { path: at, message: named ? `is not a clause of this group: ${named.label}` : message };
}

/** Returns the issues after lists have changed: each stays with its entry, and is removed with it. */
export function moveIssues(
  issues: Record<string, string>,
  before: Draft,
  changed: Partial<Draft>,
): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [path, message] of Object.entries(issues)) {
    const [list, index, ...rest] = path.split(".");
    const old: unknown = before[list as keyof Draft];
    const now: unknown = changed[list as keyof Draft];
    // Same length: an entry was edited in place.
    if (index === undefined || !Array.isArray(old) || !Array.isArray(now) || now.length === old.length) {
      found[path] = message;
      continue;
    }
    const at = now.indexOf(old[Number(index)]);
    if (at >= 0) found[[list, at, ...rest].join(".")] = message;
  }
  return found;
}
