/**
 * Estimates how much of an assistant's context a result takes, and cuts lists and texts to fit. The real tokenizer
 * (o200k) takes 77 MB and 0.2 seconds to load. The estimate is not lower than its count for text in any of the scripts
 * that budget.test.ts tries, and about twice as high for English. A text made for it ("aN aN aN") can have up to twice
 * as many tokens as estimated.
 */

/** The most tokens of one result, data and text together. */
const maxTokens = 7_600;

/** These words are one token each. Other words are estimated by their length. */
const common = new Set(
  `a about after agreement all also an and any are as at be been before between but by can cause claim company
  confidential contract contracts date day days do each effective either end for from give has have hereof if in
  including information into is it its law made material may more must no nor not notice obligation obligations of on
  one only or other otherwise out over parties party payment period person pages page prior provide provided
  provision purpose receive reasonable right rights section service services set shall so such support term
  termination terms than that the their them then there these they third this those through time to under unless
  until up upon use was were when where which will with within without work written year years you your id title status
  type link name text version null true false`.split(/\s+/),
);

/** Splits JSON into pieces; escapes are pieces too. Pieces are short, so a text can be cut after any of them. */
const pieces = /\\u[\da-f]{4}|\\.|[A-Za-z]{1,60}| ?\d{1,60}|[ \n]{1,60}|[!-/:-@[\]-`{-~]{1,60}|./gsu;

/** Returns an upper bound of the number of a text's tokens. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(pieces)) tokens += costOf(piece);
  return tokens;
}

function costOf(piece: string): number {
  const code = piece.codePointAt(0)!;
  if (code >= 128) return costOfLetter(code);
  if (piece[0] === "\\") return piece.length > 2 ? 4 : 2;
  if (/[a-z]/i.test(piece[0]!)) return costOfWord(piece);
  // The space before a word is part of its token; the space before a number is a token of its own.
  if (/^ ?\d/.test(piece)) return Math.ceil(piece.trim().length / 3) + (piece[0] === " " ? 1 : 0);
  if (/\s/.test(piece[0]!)) return piece === " " ? 0 : Math.ceil(piece.length / 4);
  return Math.ceil(piece.length * 0.75);
}

/** Based on random letters: 1.8 lower-case letters per token, or 1.6 capitals or mixed letters. */
function costOfWord(word: string): number {
  if (common.has(word) || common.has(word.toLowerCase())) return 1;
  return Math.ceil(word.length / (/^[A-Z]?[a-z]+$/.test(word) ? 1.75 : 1.5));
}

/** Scripts and symbols: their first and last code points, and the highest number of tokens per character. */
const scripts: [from: number, to: number, tokens: number][] = [
  [0xc0, 0xff, 1.3],
  [0x391, 0x3c9, 1.3],
  [0x410, 0x44f, 1.3],
  [0x5d0, 0x5ea, 1.3],
  [0x620, 0x64a, 1.3],
  [0x904, 0x94d, 1.5],
  [0xe01, 0xe4e, 1.5],
  [0x2010, 0x2027, 1.3],
  [0x3000, 0x30ff, 1.5],
  [0x4e00, 0x9fff, 2.1],
  [0xac00, 0xd7a3, 2.5],
];

/** For characters outside these ranges, each UTF-8 byte may be a token. */
function costOfLetter(code: number): number {
  const script = scripts.find(([from, to]) => code >= from && code <= to);
  return script?.[2] ?? (code < 0x800 ? 2 : code < 0x10000 ? 3 : 4);
}

/** The tokens that are left in a result. */
export class Budget {
  #left: number;

  constructor(tokens = maxTokens) {
    this.#left = tokens;
  }

  /** Takes the tokens for these parts. If too few are left, takes none and returns false. */
  take(...parts: unknown[]): boolean {
    const needed = neededFor(parts);
    if (needed > this.#left) return false;
    this.#left -= needed;
    return true;
  }

  /** Takes the tokens for parts that are included in any case, as far as there are any left. */
  spend(...parts: unknown[]): void {
    this.#left = Math.max(0, this.#left - neededFor(parts));
  }

  get left(): number {
    return this.#left;
  }
}

const neededFor = (parts: unknown[]) =>
  parts.reduce<number>((sum, part) => sum + estimateTokens(JSON.stringify(part) ?? ""), 0);

/** Returns the longest prefix of a text that has at most this many tokens as JSON. Never splits a character. */
export function clipToTokens(text: string, most: number): string {
  const json = JSON.stringify(text).slice(1, -1);
  let tokens = 0;
  let end = 0;
  for (const [piece] of json.matchAll(pieces)) {
    tokens += costOf(piece);
    if (tokens > most) break;
    end += piece.length;
  }
  return JSON.parse(`"${json.slice(0, end)}"`);
}

/** Cuts a text and appends the number of characters left out. Never splits a character. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  const part = text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
  return `${part}… [${text.length - part.length} more character${text.length - part.length === 1 ? "" : "s"}]`;
}

export interface Fitted<Row> {
  items: Row[];
  lines: string[];
  /** The number of offered items that are included. */
  count: number;
}

/**
 * Takes items while they fit the budget, each as a data row and as a line of text. The first item is always included.
 * Of the items, it asks for no more than one that does not fit.
 */
export function takeFitting<Item, Row>(
  budget: Budget,
  items: Iterable<Item>,
  lineOf: (item: Item) => string,
  rowOf: (item: Item) => Row,
): Fitted<Row> {
  const fitted: Fitted<Row> = { items: [], lines: [], count: 0 };
  for (const item of items) {
    const [row, line] = [rowOf(item), lineOf(item)];
    if (!budget.take(row, line) && fitted.count > 0) break;
    fitted.items.push(row);
    fitted.lines.push(line);
    fitted.count++;
  }
  return fitted;
}
