/** Opens a DOCX with tags: docxtemplater, with a few rules of our own. */
import Docxtemplater, { type DXT } from "docxtemplater";
import PizZip from "pizzip";

/** What docxtemplater finds: a piece of the document's XML, a variable's place, or a section with its parts. */
export interface Part {
  type: string;
  value: string;
  module?: string;
  inverted?: boolean;
  position?: string;
  tag?: string;
  subparsed?: Part[];
}

export interface Data {
  values: Record<string, string>;
  sections: Record<string, boolean>;
}

/** The place of a signature, a date or another field of a signer: kept in the document as {{signature:1}}. */
export const anchor = /^[a-z_]{1,20}:\d{1,3}(:[^{}]{0,80})?$/;

/** Opens a template for reading its parts or for filling it with `data`. Throws docxtemplater's errors. */
export function openTagged(bytes: Uint8Array, modules: DXT.Module[], data: Data): Docxtemplater {
  const zip = new PizZip(bytes);
  for (const name of Object.keys(zip.files)) {
    if (!/^word\/[^/]+\.xml$/.test(name)) continue;
    const xml = zip.file(name)?.asText() ?? "";
    const unwrapped = unwrapAnchors(xml);
    if (unwrapped !== xml) zip.file(name, unwrapped);
  }
  return new Docxtemplater(zip, {
    modules: [wholeParagraphs(), ...modules],
    paragraphLoop: true,
    linebreaks: true,
    errorLogging: false,
    // Disables {=[ ]=}: the delimiters stay the same throughout the document.
    syntax: { changeDelimiterPrefix: null },
    parser: (tag) => ({ get: () => contentOf(tag.trim(), data) }),
    nullGetter: () => "",
  });
}

/** A name means the same everywhere, inside sections and outside. */
function contentOf(tag: string, { values, sections }: Data): string | boolean {
  if (anchor.test(tag)) return `{{${tag}}}`;
  if (Object.hasOwn(sections, tag)) return sections[tag] ?? false;
  return Object.hasOwn(values, tag) ? (values[tag] ?? "") : "";
}

const doubleOpen = /\{((?:<[^<>{}]*>)*)\{/g;
/** How far to look for the end of an anchor: Word puts XML between any two letters. */
const anchorReach = 4000;

/** Turns {{signature:1}} into the tag {signature:1}, which is filled with {{signature:1}} again. */
export function unwrapAnchors(xml: string): string {
  const drop = new Set<number>();
  for (const { index, 0: opening } of xml.matchAll(doubleOpen)) {
    const from = index + opening.length;
    const rest = xml.slice(from, from + anchorReach);
    const end = /\}(?:<[^<>{}]*>)*\}/.exec(rest);
    if (
      !end ||
      !anchor.test(
        rest
          .slice(0, end.index)
          .replace(/<[^<>]*>/g, "")
          .trim(),
      )
    )
      continue;
    drop.add(index);
    drop.add(from + end.index + end[0].length - 1);
  }
  return drop.size === 0 ? xml : without(xml, drop);
}

function without(xml: string, drop: Set<number>): string {
  const cuts = [...drop].sort((a, b) => a - b);
  return (
    cuts.map((cut, index) => xml.slice((cuts[index - 1] ?? -1) + 1, cut)).join("") +
    xml.slice(cuts.at(-1)! + 1)
  );
}

const paragraphOfSections = "countersign/paragraph";

/** Content that makes a paragraph more than the sections in it. */
const drawn =
  /<w:(drawing|pict|object|br|tab|sym|fldChar|instrText|fldSimple|sectPr|footnoteReference|endnoteReference)\b/;

function isSection(part: Part): boolean {
  return part.type === "placeholder" && part.module === "loop";
}

function isSubstance(part: Part): boolean {
  if (part.type === "placeholder") return true;
  if (part.type === "content" && part.position === "insidetag") return part.value.trim() !== "";
  return drawn.test(part.value);
}

/**
 * Removes a paragraph that holds only sections if all of them are off, as docxtemplater does when tags have
 * paragraphs of their own: otherwise an empty line would remain, with a number in a list.
 */
function wholeParagraphs(): DXT.Module {
  return {
    name: "WholeParagraphs",
    postparse: gathered,
    render(part: DXT.Part, options: DXT.RenderOptions) {
      const { module, subparsed = [] } = part;
      if (module !== paragraphOfSections) return null;
      const isOn = subparsed.filter(isSection).some((section) => {
        const on = options.scopeManager.getValue(section.value, { part: section });
        return Boolean(on) !== Boolean(section.inverted);
      });
      if (!isOn) return { value: "", errors: [] };
      // biome-ignore lint/suspicious/noExplicitAny: docxtemplater's own types describe neither of the two.
      const { render, joinUncorrupt } = options as any;
      const { parts, errors } = render({ ...options, compiled: subparsed, tags: {} });
      return { value: joinUncorrupt(parts, { ...options, basePart: part }), errors };
    },
  };
}

function gathered(parts: DXT.Part[]): DXT.Part[] {
  const result: DXT.Part[] = [];
  let start = -1;
  for (const part of parts) {
    result.push(part);
    if (part.tag !== "w:p") continue;
    if (part.position === "start") start = result.length - 1;
    if (part.position !== "end" || start < 0) continue;
    const substance = result.slice(start).filter(isSubstance);
    if (substance.length > 0 && substance.every(isSection)) {
      const subparsed = result.splice(start);
      result.push({ ...part, type: "placeholder", module: paragraphOfSections, value: "", subparsed });
    }
    start = -1;
  }
  return result;
}
