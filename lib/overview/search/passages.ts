/**
 * The clauses of a document as search keeps them: with the heading of what they stand under, none too long to rank or
 * to quote, and never so many that an odd document costs much.
 */
import { type Clause, clausesOf } from "#lib/contracts/clauses.ts";
import { languageOf } from "./language.ts";

export interface Passage {
  /** Its number or letter as printed; "" without one. */
  label: string;
  heading: string;
  text: string;
  /** From 0: the page on which it begins. */
  pageIndex: number;
  /** At which letters of the text the pages after that begin. */
  pageStarts: number[];
}

export interface ReadDocument {
  /** A configuration of PostgreSQL's text search. */
  language: string;
  passages: Passage[];
}

/** What is longer is split where a sentence ends. Of 3,900 clauses of contracts, 3 in 100 are. */
const longest = 4_000;
/** A book of 2,000 pages has fewer. What has more is a list, whose lines are taken together. */
const mostPassages = 20_000;
const togetherLength = 1_000;

/** Reads the passages, in order; as the limited child is asked to. */
export function readPassages({ pages }: { path?: undefined; pages: string[] }): ReadDocument {
  const passages = underHeadings(clausesOf(pages)).flatMap(split);
  const kept = passages.length > mostPassages ? takenTogether(passages) : passages;
  return { language: languageOf(pages.join("\n")), passages: kept };
}

/** A clause that is a heading alone is no hit of its own: it becomes the heading of what follows it. */
function underHeadings(clauses: Clause[]): Passage[] {
  const passages: Passage[] = [];
  let above: Passage | null = null;
  for (const clause of clauses) {
    const passage = passageOf(clause);
    if (isHeadingAlone(clause)) {
      // Two in a row: the first has nothing under it but the second.
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

/** A title of its own says more than the section's; the beginning of a sentence says nothing new. */
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

/** The page of a letter of a passage's text. */
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
  if (text.length - from <= longest) return text.length;
  const window = text.slice(from, from + longest);
  const sentence = Math.max(window.lastIndexOf(". "), window.lastIndexOf("; "));
  const end = sentence > longest / 2 ? sentence + 1 : window.lastIndexOf(" ");
  // The space goes with what is before it. A word that long is none: it is cut, but not between surrogates.
  if (end > 0) return from + end + 1;
  return from + (/[\ud800-\udbff]$/.test(window) ? longest - 1 : longest);
}

function takenTogether(passages: Passage[]): Passage[] {
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
