/** Finds the tags of a DOCX and describes problems with them in plain words. */
import { readFile } from "node:fs/promises";
import InspectModule from "docxtemplater/js/inspect-module.js";
import { maxGates, maxTags } from "./schema.ts";
import { anchor, openTagged, type Part } from "./tagged.ts";

type Gate = { tag: string; whenOn: boolean };

/** What is in a template. A tag's gates are the sections that contain it in all of its places. */
export interface TemplateTags {
  variables: { key: string; gates: Gate[] }[];
  sections: { tag: string; gates: Gate[]; preview: string }[];
  /** The places for signatures, such as signature:1. */
  anchors: string[];
}

export type Inspection = { found: TemplateTags; problems: null } | { found: null; problems: string[] };

/** Vowels and tones of many scripts are combining marks: hardly a word of Thai or Hindi is without them. */
const name = /^[\p{L}_][\p{L}\p{M}\p{N}_.-]{0,99}$/u;

/** JSON allows this key, but assigning it in JavaScript sets the prototype: a value for it would be lost. */
const unfillable = "__proto__";

const longestPreview = 600;

/** Reads the template in a file, in the sandboxed child process. */
export async function inspectTemplateFile({ path }: { path: string }): Promise<Inspection> {
  return inspectTemplate(await readFile(path));
}

/** Reads a template. Untrusted templates are read in the sandboxed child process. */
export function inspectTemplate(docx: Uint8Array): Inspection {
  const inspector = new InspectModule();
  try {
    openTagged(docx, [inspector], { values: {}, sections: {} });
  } catch (error) {
    return { found: null, problems: problemsOf(error) };
  }
  // docxtemplater's types omit the parts.
  const files: Record<string, { nullValues: unknown; postparsed?: Part[] }> = inspector.fullInspected;
  const survey = new Survey();
  for (const [path, { postparsed = [] }] of Object.entries(files).sort(documentFirst)) {
    if (/^(word|docProps)\//.test(path)) survey.walk(postparsed, []);
  }
  return survey.result();
}

function documentFirst([a]: [string, unknown], [b]: [string, unknown]): number {
  const rank = (path: string) => (path === "word/document.xml" ? 0 : 1);
  return rank(a) - rank(b) || (a < b ? -1 : 1);
}

class Survey {
  readonly #variables = new Map<string, Gate[]>();
  readonly #sections = new Map<string, { gates: Gate[]; preview: string }>();
  readonly #anchors = new Set<string>();
  readonly #problems = new Set<string>();

  walk(parts: Part[], gates: Gate[]): void {
    for (const part of parts) {
      if (part.type !== "placeholder") continue;
      const tag = part.value.trim();
      if (part.module === undefined) this.#variable(tag, gates);
      else if (part.module === "loop") this.#section(tag, part, gates);
      else if (part.module.startsWith("countersign/")) this.walk(part.subparsed ?? [], gates);
      else this.#problems.add(`{@${tag}} would put markup into the document. Write {${tag}} for text.`);
    }
  }

  #variable(tag: string, gates: Gate[]): void {
    if (anchor.test(tag)) this.#anchors.add(tag);
    else if (this.#isNamed(tag)) this.#variables.set(tag, shared(this.#variables.get(tag), gates));
  }

  #section(tag: string, part: Part, gates: Gate[]): void {
    if (!this.#isNamed(tag)) return;
    const known = this.#sections.get(tag);
    const outside = shared(known?.gates, gates).filter((gate) => gate.tag !== tag);
    const preview = part.inverted
      ? ""
      : textOf(part.subparsed ?? [])
          .slice(0, longestPreview)
          .trim();
    this.#sections.set(tag, { gates: outside, preview: known?.preview || preview });
    const inside = [...gates, { tag, whenOn: !part.inverted }];
    if (inside.length <= maxGates) this.walk(part.subparsed ?? [], inside);
    else
      this.#problems.add(
        `{#${tag}} stands inside more than ${maxGates - 1} other sections. Take it out of some.`,
      );
  }

  #isNamed(tag: string): boolean {
    if (name.test(tag) && tag !== unfillable) return true;
    this.#problems.add(
      tag === ""
        ? "There is a tag without a name, {}. Write a name into it, such as {counterparty_name}, or remove it."
        : tag === unfillable
          ? "{__proto__} cannot be a tag's name: programs reserve it. Give it another one, such as {proto}."
          : `{${tag.slice(0, 100)}} cannot be a tag's name. Use letters, digits, _ . and -, and begin with a letter, such as {counterparty_name}.`,
    );
    return false;
  }

  result(): Inspection {
    const problems = [...this.#problems];
    for (const tag of this.#sections.keys()) {
      if (!this.#variables.has(tag)) continue;
      problems.push(`{${tag}} is both a section and a variable. Give one of the two another name.`);
    }
    if (this.#variables.size > maxTags || this.#sections.size > maxTags) {
      problems.push(`The document has more than ${maxTags} variables or sections. Split it into several.`);
    }
    if (problems.length > 0) return { found: null, problems };
    const variables = [...this.#variables].map(([key, gates]) => ({ key, gates }));
    const sections = [...this.#sections].map(([tag, section]) => ({ tag, ...section }));
    return { found: { variables, sections, anchors: [...this.#anchors] }, problems: null };
  }
}

/** The gates common to all of a tag's places. A section nested in itself adds none. */
function shared(before: Gate[] | undefined, here: Gate[]): Gate[] {
  const once = here.filter(({ tag }, index) => here.findIndex((gate) => gate.tag === tag) === index);
  if (!before) return once;
  return before.filter(({ tag, whenOn }) => once.some((gate) => gate.tag === tag && gate.whenOn === whenOn));
}

/** A section's text, shown to people when they choose: variables as {name}, paragraphs as lines. */
function textOf(parts: Part[]): string {
  return parts
    .map((part) => {
      if (part.type === "content") return part.position === "insidetag" ? unescaped(part.value) : "";
      if (part.type !== "placeholder") return part.tag === "w:p" && part.position === "end" ? "\n" : "";
      if (part.module === undefined) return anchor.test(part.value) ? "" : `{${part.value}}`;
      return part.inverted ? "" : textOf(part.subparsed ?? []);
    })
    .join("");
}

const entities: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

function unescaped(xml: string): string {
  return xml.replace(/&(lt|gt|amp|quot|apos);/g, (_, entity: string) => entities[entity] ?? "");
}

interface TagError {
  properties?: { id?: string; xtag?: string; openingtag?: string; closingtag?: string; errors?: TagError[] };
}

function problemsOf(error: unknown): string[] {
  const { properties } = error as TagError;
  if (!properties?.id)
    return ["The document cannot be read as DOCX. Save it again as .docx and upload that."];
  const errors = properties.errors ?? [error as TagError];
  return [...new Set(errors.map(({ properties = {} }) => inWords(properties)))].slice(0, 50);
}

/** Each mistake, and how to fix it. */
function inWords({ id, xtag = "", openingtag, closingtag }: NonNullable<TagError["properties"]>): string {
  const written = xtag.replace(/[{}]/g, "").trim().slice(0, 100);
  switch (id) {
    case "unclosed_tag":
      return `A tag begins with {${written} and never ends. Close it with }, or remove the {.`;
    case "unopened_tag":
      return `There is a } after "${written}" without a { before it. Open the tag, or remove the }.`;
    case "duplicate_open_tag":
      return `{{${written} has two opening braces. Write one, as in {counterparty_name}; only places for signatures have two, as in {{signature:1}}.`;
    case "duplicate_close_tag":
      return `${written}}} has two closing braces. Write one, as in {counterparty_name}.`;
    case "unclosed_loop":
      return `The section {#${written}} never ends. Put {/${written}} where it does.`;
    case "unopened_loop":
      return `{/${written}} ends a section that never began. Put {#${written}} where it begins, or remove the end.`;
    case "closing_tag_does_not_match_opening_tag":
      return `The section {#${openingtag}} is ended by {/${closingtag}}. Sections may contain each other but not overlap: end {#${openingtag}} first.`;
    case "no_xml_tag_found_at_left":
    case "no_xml_tag_found_at_right":
      return `{${written}} stands where the document has no paragraph around it. Put it into one.`;
    case "raw_tag_outerxml_invalid":
    case "raw_xml_tag_should_be_only_text_in_paragraph":
      return `{@${written}} would put markup into the document. Write {${written}} for text.`;
    default:
      return written
        ? `The tag {${written}} is not a valid tag. Write variables as {name}, sections as {#name} … {/name}.`
        : "The document's tags or its markup are damaged. Open it in a word processor, save it again as .docx and upload that.";
  }
}
