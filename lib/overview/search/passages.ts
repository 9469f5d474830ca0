/**
 * Splits a document into passages for search: clauses with the heading above them, short enough to rank and quote, and
 * limited in number so that an unusual document does not cost much.
 */
import { type Clause, clausesOf } from "#lib/contracts/clauses.ts";
import { languageOf } from "./language.ts";

export interface Passage {
  /** Its number or letter as printed; "" if it has none. */
  label: string;
  heading: string;
  text: string;
  /** The page on which it begins, counted from 0. */
  pageIndex: number;
  /** The offsets in the text at which further pages begin. */
  pageStarts: number[];
}

export interface ReadDocument {
  /** The name of a text search configuration of PostgreSQL. */
  language: string;
  passages: Passage[];
}

/** Longer clauses are split at the end of a sentence. Of 3,900 clauses of contracts, 3% are longer. */
const maxPassageLength = 4_000;
/** A book of 2,000 pages has fewer. A document with more is a list, whose lines are merged. */
const maxPassages = 20_000;
const togetherLength = 1_000;

/** Reads the passages in order. The input has the form that the sandboxed child process passes. */
export function readPassages({ pages }: { path?: undefined; pages: string[] }): ReadDocument {
  const passages = underHeadings(clausesOf(pages)).flatMap(split);
  const kept = passages.length > maxPassages ? mergePassages(passages) : passages;
  return { language: languageOf(pages.join("\n")), passages: kept };
}

/** A clause that is only a heading is no passage of its own: it becomes the heading of the clauses that follow it. */
function underHeadings(clauses: Clause[]): Passage[] {
  const passages: Passage[] = [];
  let above: Passage | null = null;
  for (const clause of clauses) {
    const passage = passageOf(clause);
    if (isHeadingAlone(clause)) {
      // Of two headings in a row, the first has nothing but the second below it.
      above = above && passage.text === "" ? above : passage;
      continue;
    }
    passages.push(above ? { ...passage, heading: headingUnder(above, passage) } : passage);
  }
  const last = clauses.at(-1);
  return last && isHeadingAlone(last) ? [...passages, passageOf(last)] : passages;
}

function isHeadingAlone({ words, heading }: Clause): boolean {
  return words.length <= 12 && heading === words.join(" ") && !/[.;:,]$/.test(heading);
}

/** Adds the clause's own title to the section's. The beginning of a sentence is no title and adds nothing. */
function headingUnder(above: Passage, { heading, text }: Passage): string {
  const goesOn = text.length > heading.length + 1;
  const isTitle = goesOn && !heading.endsWith("…") && heading.split(" ").length <= 8;
  const section = above.text;
  if (!isTitle) return section;
  return section === "" || section === heading ? heading : `${section} › ${heading}`;
}

function passageOf({ label, heading, words, page, pageStarts }: Clause): Passage {
  const starts = [0];
  for (const word of words) starts.push(starts.at(-1)! + word.length + 1);
  return {
    ...{ label, heading, text: words.join(" "), pageIndex: page },
    pageStarts: pageStarts.map((at) => starts[Math.min(at, words.length)]!),
  };
}

/** Returns the page of an offset in a passage's text. */
export function pageAt({ pageIndex, pageStarts }: Pick<Passage, "pageIndex" | "pageStarts">, at: number) {
  return pageIndex + pageStarts.filter((start) => start <= at).length;
}

function split(passage: Passage): Passage[] {
  const parts: Passage[] = [];
  for (let from = 0; from === 0 || from < passage.text.length; ) {
    const to = endOf(passage.text, from);
    const starts = passage.pageStarts.filter((start) => start > from && start < to);
    parts.push({
      ...passage,
      text: passage.text.slice(from, to).trim(),
      pageIndex: pageAt(passage, from),
      pageStarts: starts.map((start) => start - from),
    });
    from = to;
  }
  return parts;
}

function endOf(text: string, from: number): number {
  if (text.length - from <= maxPassageLength) return text.length;
  const window = text.slice(from, from + maxPassageLength);
  const sentence = Math.max(window.lastIndexOf(". "), window.lastIndexOf("; "));
  const end = sentence > maxPassageLength / 2 ? sentence + 1 : window.lastIndexOf(" ");
  // The space stays with the text before it. Without a space the text is cut, but not within a surrogate pair.
  if (end > 0) return from + end + 1;
  return from + (/[\ud800-\udbff]$/.test(window) ? maxPassageLength - 1 : maxPassageLength);
}

function mergePassages(passages: Passage[]): Passage[] {
  const kept: Passage[] = [];
  for (const passage of passages) {
    const last = kept.at(-1);
    if (!last || last.text.length >= togetherLength) kept.push({ ...passage });
    else {
      const at = last.text.length + 1;
      const later = Array.from({ length: passage.pageIndex - pageAt(last, at) }, () => at);
      last.text += ` ${passage.label === "" ? "" : `${passage.label} `}${passage.text}`;
      last.pageStarts = [...last.pageStarts, ...later, ...passage.pageStarts.map((start) => start + at)];
    }
  }
  return kept;
}
