/**
 * A document's text as one line, with the original position of each character: rules read the line, quotes are cut
 * from the page.
 */

export interface Flow {
  /** With white space collapsed to one space, plain quotation marks and hyphens, and without rules made of dashes. */
  line: string;
  /** For each character of the line: its position on its page. */
  places: Int32Array;
  /** Where each page begins in the line. */
  starts: number[];
  pages: string[];
}

export interface Span {
  start: number;
  end: number;
}

/** Of a book, only the beginning: a contract states its dates before its annexes. */
export const maxCharacters = 1_500_000;

const isBlank = /[\s\u00a0\u200b\ufeff]/;
const straight: Record<string, string> = {
  "“": '"',
  "”": '"',
  "„": '"',
  "«": '"',
  "»": '"',
  "’": "'",
  "‘": "'",
  "‐": "-",
  "‑": "-",
};

export function flowOf(pages: string[]): Flow {
  const letters: string[] = [];
  const places = new Int32Array(
    Math.min(
      maxCharacters,
      pages.reduce((sum, page) => sum + page.length + 1, 0),
    ),
  );
  const starts: number[] = [];
  const put = (letter: string, place: number) => {
    if (letter === " " && (letters.length === 0 || letters.at(-1) === " ")) return;
    if (letters.length === places.length) return;
    places[letters.length] = place;
    letters.push(letter);
  };
  const isDivided = dividedWordsOf(pages);
  for (const page of pages) {
    starts.push(letters.length);
    for (let at = 0; at < page.length && letters.length < maxCharacters; at++) {
      const letter = page[at]!;
      const hyphen = letter === softHyphen || isDivided(page, at) ? hyphenAt(page, at) : 0;
      if (hyphen > 0) {
        at += hyphen - 1;
        continue;
      }
      const dashes = letter === "-" || letter === "=" ? runOf(page, at) : 0;
      if (dashes >= 3) {
        put(" ", at);
        at += dashes - 1;
      } else {
        put(isBlank.test(letter) ? " " : (straight[letter] ?? letter), at);
      }
    }
    put(" ", page.length);
  }
  return { line: letters.join(""), places, starts, pages };
}

/** The length of a hyphen that only comes from layout: the hyphen and the line break after it. */
const hyphenAt = (page: string, at: number) =>
  /^.[^\S\n]{0,3}\n\s{0,8}|^./su.exec(page.slice(at, at + 16))![0].length;

const softHyphen = "\u00ad";
const divided = /\p{Ll}[-\u2010][^\S\n]{0,3}\n\s{0,8}\p{Ll}/u;

/**
 * Whether a hyphen divides a word at the end of a line: the word occurs elsewhere unhyphenated, and nowhere with the
 * hyphen.
 */
function dividedWordsOf(pages: string[]): (page: string, at: number) => boolean {
  if (!pages.some((page) => divided.test(page))) return () => false;
  const text = pages.join("\n").slice(0, maxCharacters);
  const words = new Set((text.match(/\p{L}+(?:[-\u2010]\p{L}+)*/gu) ?? []).map(lower));
  return (page, at) => {
    if (page[at] !== "-" && page[at] !== "\u2010") return false;
    const [start] = /\p{L}+$/u.exec(page.slice(Math.max(0, at - 40), at)) ?? [];
    const [, end] = /^.[^\S\n]{0,3}\n\s{0,8}(\p{Ll}+)/su.exec(page.slice(at, at + 60)) ?? [];
    if (!start || !end) return false;
    return words.has(lower(start + end)) && !words.has(lower(`${start}-${end}`));
  };
}

const lower = (word: string) => word.toLowerCase().replaceAll("\u2010", "-");

function runOf(page: string, from: number): number {
  let end = from;
  while (page[end] === page[from]) end++;
  return end - from;
}

export interface Quote {
  text: string;
  /** From 0. */
  pageIndex: number;
  /** Where the quote begins on its page. */
  offset: number;
}

/** The page's exact characters; for a quote over two pages, those of the page that has its point. */
export function quoteOf({ line, places, starts, pages }: Flow, { start, end }: Span, point: number): Quote {
  const pageIndex = Math.max(
    0,
    starts.findLastIndex((one) => one <= point),
  );
  const first = Math.max(start, starts[pageIndex] ?? 0);
  const last = Math.min(end, starts[pageIndex + 1] ?? line.length);
  const page = pages[pageIndex] ?? "";
  const offset = places[first] ?? 0;
  const text = page.slice(offset, (places[last - 1] ?? offset) + 1);
  const blank = text.length - text.trimStart().length;
  return { text: text.trim(), pageIndex, offset: offset + blank };
}

/** No sentence of a contract is longer; longer text is cut, so that it costs no more than one. */
const maxOfSentence = 1_800;

const abbreviated =
  /(?:^|[\s("'])(?:[A-Z]|Inc|Corp|Co|Ltd|No|Nos|Sec|Art|Mr|Mrs|Ms|Dr|St|Ave|Jr|Sr|vs|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|U\.S|[ap]\.m|i\.e|e\.g)$/;

/** The line's sentences, in order: each a span of it. */
export function sentencesOf({ line }: Flow): Span[] {
  const found: Span[] = [];
  let start = 0;
  const ends = /[.!?]["')\]]{0,2} (?=["'([]{0,2}[A-Z0-9])/g;
  const add = (end: number) => {
    for (let from = start; from < end; from += maxOfSentence) {
      found.push({ start: from, end: Math.min(end, from + maxOfSentence) });
    }
    start = end;
  };
  for (const match of line.matchAll(ends)) {
    const before = line.slice(Math.max(start, match.index - 12), match.index);
    const isNumber = /(?:^|\s)\(?\d{1,2}(?:\.\d{1,2}){0,3}$/.test(before);
    if (abbreviated.test(before) || isNumber) continue;
    add(match.index + match[0].length);
  }
  add(line.length);
  return found;
}
