/**
 * Reads the clauses of a document from the text of its pages, without artifacts of layout: running heads, page
 * numbers, line breaks, hyphens at line ends, spaces.
 */

export interface Clause {
  /** The number or letter as printed, such as `4.2` or `(b)`; "" if it has none. */
  label: string;
  /** The clause's title or beginning, for a list of clauses. */
  heading: string;
  /** The words after the label. */
  words: string[];
  /** The page on which it begins, from 0. */
  page: number;
  /** For each further page, the index of the first word on it. */
  pageStarts: number[];
}

interface Line {
  text: string;
  page: number;
  /** Whether an empty line precedes it. */
  afterGap: boolean;
  firstOfPage: boolean;
}

/**
 * Reads the clauses. `known` holds more words for deciding whether a hyphen at the end of a line belongs to a word.
 */
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

/** Returns every word that occurs within a line. */
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

/** Returns the lines that may be running heads and feet: the first two and last two that are not empty. */
function outerLines(lines: string[]): Set<number> {
  const full = lines.flatMap((line, at) => (line === "" ? [] : [at]));
  return new Set([...full.slice(0, 2), ...full.slice(-2)]);
}

const pageNumber =
  /^(?:page|seite|p\.)?\s*[-–—[(]?\s*\d{1,4}\s*[-–—\])]?(?:\s*(?:of|\/|von|de)\s*\d{1,4})?$/i;

/** Matches page numbers, and lines at the edge of at least half of three or more pages, ignoring digits. */
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

/** Returns the number or letter that starts a clause, "" for a heading without one, or else null. */
function labelOf({ text, afterGap, firstOfPage }: Line, before: Line | undefined): string | null {
  const found = numbered.exec(text) ?? named.exec(text);
  if (found) return found[1]!;
  // Letters also occur within sentences, where a line may break before one.
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

/**
 * Returns the index of the first word on each further page; a word divided by a page break belongs to the
 * earlier page.
 */
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

/** Collects pieces and joins them once: appending to one string would copy it for each of a million lines. */
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
 * Returns what joins two lines: a space, or what replaces the hyphen at the end of the first. The hyphen
 * stays only if the text has the hyphenated word elsewhere and not the joined one.
 */
function glueBetween(line: string, next: string, vocabulary: ReadonlySet<string>): " " | "-" | "" {
  // No word is longer; without the limit, a line that is a single word would take quadratic time.
  const [, start] = /([\p{L}\p{N}-]*\p{L})[-\u00ad\u2010]$/u.exec(line.slice(-100)) ?? [];
  const [end] = /^\p{Ll}[\p{L}\p{N}-]*/u.exec(next) ?? [];
  if (start === undefined || end === undefined) return " ";
  const keeps = vocabulary.has(`${start}-${end}`) && !vocabulary.has(`${start}${end}`);
  return keeps ? "-" : "";
}

const headingLength = 80;

/** Returns the clause's first line if it looks like a title above the text, or else null. */
function titleOf(label: string, [first, second]: Line[]): string | null {
  const title = first!.text.slice(label.length).replace(/^[.:]?\s+/, "");
  const stands = title !== "" && title.length <= headingLength && !/[\p{P}]$/u.test(title);
  return stands && second && /^[\p{Lu}\p{Lo}“"(\d]/u.test(second.text) ? title : null;
}

/** Returns the first sentence, cut off if it is long. */
function headingOf(words: string[]): string {
  const end = words.findIndex((word) => /[.:;]$/.test(word));
  const first = words.slice(0, end < 0 ? words.length : end + 1).join(" ");
  if (first.length <= headingLength) return first.replace(/[.:;]$/, "");
  const cut = first.slice(0, headingLength);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), 1)).toWellFormed()}…`;
}
