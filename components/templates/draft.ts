/** A template's settings while they are edited: as the API has them, with text where a field holds text. */
import type { InputOf } from "#lib/doors/client.ts";
import type { TemplateRule } from "#lib/templates/schema.ts";
import type { TemplateDetail } from "./templates-page.tsx";

type Saved = InputOf<"templates.saveSettings">;
type Entry<List extends keyof Saved> = Required<NonNullable<Saved[List]> extends (infer One)[] ? One : never>;

export type DraftVariable = Entry<"variables">;
export type DraftSection = Omit<Entry<"sections">, "rule"> & { rule: TemplateRule | null };
export type DraftGroup = Entry<"sectionGroups">;
export type DraftGate = DraftSection["gates"][number];

export interface DraftObligation {
  kind: string;
  title: string;
  anchorType: string;
  offsetValue: string;
  offsetUnit: string;
  offsetDirection: string;
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

/** What each tab works with. */
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
    obligations: template.obligations.map((one) => obligationOf(one as Record<string, unknown>)),
  };
}

const text = (value: unknown) => (value === null || value === undefined ? "" : String(value));

function obligationOf(saved: Record<string, unknown>): DraftObligation {
  const written = Object.keys(newObligation).map((name) => [name, text(saved[name])]);
  const draft = Object.fromEntries(written) as unknown as DraftObligation;
  const section = typeof saved.section === "string" ? saved.section : null;
  return { ...draft, fixedDate: draft.fixedDate.slice(0, 10), section };
}

const number = (written: string) => (written.trim() === "" ? null : Number(written));

/** The draft as the API wants it. What is no number stays wrong, for the schema to say so. */
export function settingsOf(draft: Draft): object {
  const obligations = draft.obligations.map((one) => ({
    ...one,
    offsetValue: number(one.offsetValue) ?? 0,
    fixedDate: one.fixedDate || null,
    recurrenceMonths: number(one.recurrenceMonths),
    description: one.description || null,
  }));
  return {
    ...draft,
    description: draft.description.trim() || null,
    titlePattern: draft.titlePattern.trim() || null,
    obligations,
  };
}

/** A list with one entry changed. */
export function withEntry<T>(list: T[], index: number, part: Partial<T>): T[] {
  return list.with(index, { ...list[index]!, ...part });
}
