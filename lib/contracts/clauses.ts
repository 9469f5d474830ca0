/**
 * The clauses of a document, read from the text of its pages: what only comes from how it was laid out (running
 * heads, page numbers, line ends, hyphens at line ends, spaces) is left out.
 */

export interface Clause {
  /** Its number or letter as printed, such as `4.2` or `(b)`; "" without one. */
  label: string;
  /** How it begins, for a list of clauses. */
  heading: string;
  /** What it says, after the label, in words. */
  words: string[];
  /** From 0: the page on which it begins. */
  page: number;
  /** Before which of its words each page after that begins. */
  pageStarts: number[];
}

interface Line {
  text: string;
  page: number;
  /** An empty line stands before it. */
  afterGap: boolean;
  firstOfPage: boolean;
}

/** Reads the clauses. `known` holds further words by which a hyphen at a line's end is judged. */
export function clausesOf(pages: string[], known: ReadonlySet<string> = new Set()): Clause[] {
  const lines = linesOf(pages);
  const vocabulary = new Set([...known, ...vocabularyOf(pages)]);
  const clauses: { label: string; lines: Line[] }[] = [];
  lines.forEach((line, at) => {
    const label = labelOf(line, lines[at - 1]);
    const current = clauses.at(-1);
    const parts = label !== null || (line.afterGap && !line.firstOfPage && current?.label === "");
    if (parts || !current) clauses.push({ label: label ?? "", lines: [line] });
    else current.lines.push(line);
  });
  return clauses.map(({ label, lines }) => clauseOf(label, lines, vocabulary)).filter(saysSomething);
}

const saysSomething = ({ label, words }: Clause) => label !== "" || words.length > 0;

/** Every word as it stands within a line. */
export function vocabularyOf(pages: string[]): Set<string> {
  return new Set(pages.flatMap((page) => page.match(/[\p{L}\p{N}][\p{L}\p{N}-]*[\p{L}\p{N}]/gu) ?? []));
}

function linesOf(pages: string[]): Line[] {
  const read = pages.map((page) => page.split("\n").map((line) => line.replace(/\s+/g, " ").trim()));
  const isRunning = runningLines(read);
  return read.flatMap((lines, page) => {
    const outer = outerLines(lines);
    let afterGap = false;
    let firstOfPage = true;
    return lines.flatMap((text, at) => {
      if (text === "") afterGap = true;
      if (text === "" || (outer.has(at) && isRunning(text))) return [];
      const line = { text, page, afterGap, firstOfPage };
      afterGap = false;
      firstOfPage = false;
      return [line];
    });
  });
}

/** Where running heads and feet stand: the first two and the last two lines with anything in them. */
function outerLines(lines: string[]): Set<number> {
  const full = lines.flatMap((line, at) => (line === "" ? [] : [at]));
  return new Set([...full.slice(0, 2), ...full.slice(-2)]);
}

const pageNumber =
  /^(?:page|seite|p\.)?\s*[-–—[(]?\s*\d{1,4}\s*[-–—\])]?(?:\s*(?:of|\/|von|de)\s*\d{1,4})?$/i;

/** Page numbers, and what stands at the edge of at least half of three or more pages, whatever its numbers. */
function runningLines(pages: string[][]): (text: string) => boolean {
  const shape = (text: string) => text.replace(/\d+/g, "#");
  const seen = new Map<string, number>();
  for (const lines of pages) {
    const shapes = new Set([...outerLines(lines)].map((at) => shape(lines[at]!)));
    for (const one of shapes) seen.set(one, (seen.get(one) ?? 0) + 1);
  }
  const often = Math.max(3, pages.length / 2);
  return (text) => pageNumber.test(text) || (text.length <= 150 && (seen.get(shape(text)) ?? 0) >= often);
}

const numbered = /^(\d{1,3}(?:\.\d{1,3}){1,5}\.?|\d{1,3}[.)])(?:\s+(?=[\p{Lu}\p{Lo}"“”'‘([])|$)/u;
const lettered = /^(\((?:[a-z]{1,2}|[ivxl]{1,6}|\d{1,2})\)|[a-z]\)|[A-Z]\.)\s+(?=\S)/;
const named =
  /^((?:article|section|clause|schedule|annex|exhibit|appendix)\s+(?:\d{1,3}(?:\.\d+)*|[IVXLC]{1,6}|[A-Z]))[.:]?(?=\s*(?:$|[-–—:]|\s\p{Lu}))/iu;
const endsPart = /(?:[.:;!?]|[;,]\s*(?:and|or))["”)\]]?$/i;

/** What numbers the line as the beginning of a clause; "" for a heading without a number; null otherwise. */
function labelOf({ text, afterGap, firstOfPage }: Line, before: Line | undefined): string | null {
  const found = numbered.exec(text) ?? named.exec(text);
  if (found) return found[1]!;
  // Letters also stand within sentences, where a line's end may fall before one.
  const starts = !before || afterGap || endsPart.test(before.text) || labelOnly(before);
  const letter = starts ? lettered.exec(text) : null;
  if (letter) return letter[1]!;
  return isHeading(text) && (starts || firstOfPage) ? "" : null;
}

const labelOnly = ({ text }: Line) => numbered.exec(text)?.[0] === text;

function isHeading(text: string): boolean {
  return text.length <= 80 && /\p{Lu}{3}/u.test(text) && !/\p{Ll}/u.test(text) && !/[,;]$/.test(text);
}

function clauseOf(label: string, lines: Line[], vocabulary: ReadonlySet<string>): Clause {
  const joined = joinLines(lines, vocabulary);
  const body = label === "" ? joined : joined.slice(joined.indexOf(label) + label.length);
  const words = body
    .replace(/^[.:]?\s+/, "")
    .split(/\s+/)
    .filter(Boolean);
  return {
    label: label.replace(/\.$/, ""),
    heading: titleOf(label, lines) ?? headingOf(words),
    words,
    page: lines[0]!.page,
    pageStarts: pageStartsOf(lines, body === joined ? 0 : wordCount(label)),
  };
}

const wordCount = (text: string) => text.split(" ").length;

/** Where lines go on another page, counted in words; a word that a page's end divides belongs to the page before. */
function pageStartsOf(lines: Line[], before: number): number[] {
  const starts: number[] = [];
  let words = -before;
  lines.forEach(({ text, page }, at) => {
    const pages = page - (lines[at - 1]?.page ?? page);
    for (let n = 0; n < pages; n++) starts.push(Math.max(0, words));
    words += wordCount(text);
  });
  return starts;
}

/** In pieces until the end: a text that grows by each of a million lines would be copied as often. */
function joinLines(lines: Line[], vocabulary: ReadonlySet<string>): string {
  const pieces: string[] = [];
  for (const { text } of lines) {
    const glue = pieces.length === 0 ? "" : glueBetween(pieces.at(-1)!, text, vocabulary);
    const goes = pieces.length > 0 && glue !== " ";
    if (goes) pieces.push(pieces.pop()!.slice(0, -1));
    pieces.push(glue, text);
  }
  return pieces.join("");
}

/**
 * What stands between two lines: a space, or what takes the place of the hyphen at the first one's end. It belongs to
 * the word if the word is written with it elsewhere, and only then.
 */
function glueBetween(line: string, next: string, vocabulary: ReadonlySet<string>): " " | "-" | "" {
  // A longer word is none; without the limit, a line that is one word would take quadratic time.
  const [, start] = /([\p{L}\p{N}-]*\p{L})[-\u00ad\u2010]$/u.exec(line.slice(-100)) ?? [];
  const [end] = /^\p{Ll}[\p{L}\p{N}-]*/u.exec(next) ?? [];
  if (start === undefined || end === undefined) return " ";
  const keeps = vocabulary.has(`${start}-${end}`) && !vocabulary.has(`${start}${end}`);
  return keeps ? "-" : "";
}

const headingLength = 80;

/** The clause's first line, where it looks like a title above what follows. */
function titleOf(label: string, [first, second]: Line[]): string | null {
  const title = first!.text.slice(label.length).replace(/^[.:]?\s+/, "");
  const stands = title !== "" && title.length <= headingLength && !/[\p{P}]$/u.test(title);
  return stands && second && /^[\p{Lu}\p{Lo}“"(\d]/u.test(second.text) ? title : null;
}

/** Up to the first sentence's end, if that is soon. */
function headingOf(words: string[]): string {
  const end = words.findIndex((word) => /[.:;]$/.test(word));
  const first = words.slice(0, end < 0 ? words.length : end + 1).join(" ");
  if (first.length <= headingLength) return first.replace(/[.:;]$/, "");
  const cut = first.slice(0, headingLength);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), 1)).toWellFormed()}…`;
}
