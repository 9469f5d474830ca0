/** A document's words in one line, and where each stood: rules read the line, quotes are cut from the page. */

export interface Flow {
  /** White space is one space, quotation marks and hyphens are plain, and rules of dashes are gone. */
  line: string;
  /** For each letter of the line: where it stands on its page. */
  places: Int32Array;
  /** Where each page begins in the line. */
  starts: number[];
  pages: string[];
}

export interface Span {
  start: number;
  end: number;
}

/** Of a book, the beginning: what a contract says of its dates stands before its annexes. */
export const mostCharacters = 1_500_000;

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
      mostCharacters,
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
  for (const page of pages) {
    starts.push(letters.length);
    for (let at = 0; at < page.length && letters.length < mostCharacters; at++) {
      const letter = page[at]!;
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

/** The very letters of the page: of what goes over two pages, those of the page where the point of it stands. */
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

/** No sentence of a contract is longer; what is was not one, and costs no more than one. */
const mostOfSentence = 1_800;

const abbreviated =
  /(?:^|[\s("'])(?:[A-Z]|Inc|Corp|Co|Ltd|No|Nos|Sec|Art|Mr|Mrs|Ms|Dr|St|Ave|Jr|Sr|vs|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|U\.S|[ap]\.m|i\.e|e\.g)$/;

/** The line's sentences, in their order: each a span of it. */
export function sentencesOf({ line }: Flow): Span[] {
  const found: Span[] = [];
  let start = 0;
  const ends = /[.!?]["')\]]{0,2} (?=["'([]{0,2}[A-Z0-9])/g;
  const add = (end: number) => {
    for (let from = start; from < end; from += mostOfSentence) {
      found.push({ start: from, end: Math.min(end, from + mostOfSentence) });
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
