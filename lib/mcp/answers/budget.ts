/**
 * How much of an assistant's context an answer takes, and how lists and texts are cut to what there is room for. The
 * tokenizer itself takes 77 MB and 0.2 seconds to load; what is counted here is never less than what it counts
 * (o200k), and about twice as much for English.
 */

/** Of one answer, all in all. */
const mostTokens = 7_600;

/** Written in full they take one token; of other words the letters are counted. */
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

/** Of JSON: escapes are pieces too. None is long, so that a text can be cut after any. */
const pieces = /\\u[\da-f]{4}|\\.|[A-Za-z]{1,60}| ?\d{1,60}|[ \n]{1,60}|[!-/:-@[\]-`{-~]{1,60}|./gsu;

/** At most how many tokens a text is. */
export function tokensAtMost(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(pieces)) tokens += costOf(piece);
  return tokens;
}

function costOf(piece: string): number {
  const code = piece.codePointAt(0)!;
  if (code >= 128) return costOfLetter(code);
  if (piece[0] === "\\") return piece.length > 2 ? 4 : 2;
  if (/[a-z]/i.test(piece[0]!)) return costOfWord(piece);
  // The space before a word is part of its token; the one before a number is not.
  if (/^ ?\d/.test(piece)) return Math.ceil(piece.trim().length / 3) + (piece[0] === " " ? 1 : 0);
  if (/\s/.test(piece[0]!)) return piece === " " ? 0 : Math.ceil(piece.length / 4);
  return Math.ceil(piece.length * 0.75);
}

/** Of letters by chance: 1.8 small ones make a token, of capitals and of both 1.6. */
function costOfWord(word: string): number {
  if (common.has(word) || common.has(word.toLowerCase())) return 1;
  return Math.ceil(word.length / (/^[A-Z]?[a-z]+$/.test(word) ? 1.75 : 1.5));
}

/** Scripts and signs by their first and last letter, and the tokens that one of their letters takes at most. */
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

/** Of what is in no list, each byte may be a token. */
function costOfLetter(code: number): number {
  const script = scripts.find(([from, to]) => code >= from && code <= to);
  return script?.[2] ?? (code < 0x800 ? 2 : code < 0x10000 ? 3 : 4);
}

/** What is left of an answer's room. */
export class Budget {
  #left: number;

  constructor(tokens = mostTokens) {
    this.#left = tokens;
  }

  /** Takes the room for these; false, and nothing is taken, where there is not enough. */
  take(...parts: unknown[]): boolean {
    const needed = neededFor(parts);
    if (needed > this.#left) return false;
    this.#left -= needed;
    return true;
  }

  /** Takes the room for what is answered in any case, as far as there is any. */
  spend(...parts: unknown[]): void {
    this.#left = Math.max(0, this.#left - neededFor(parts));
  }

  get left(): number {
    return this.#left;
  }
}

const neededFor = (parts: unknown[]) =>
  parts.reduce<number>((sum, part) => sum + tokensAtMost(JSON.stringify(part) ?? ""), 0);

/** The longest beginning of a text that takes no more than so many tokens, and never half of a letter. */
export function beginningOf(text: string, most: number): string {
  let tokens = 0;
  let end = 0;
  for (const [piece] of text.matchAll(pieces)) {
    tokens += tokensAtMost(JSON.stringify(piece).slice(1, -1));
    if (tokens > most) break;
    end += piece.length;
  }
  return text.slice(0, end);
}

/** A text that is shown in part says so, and how much is left out. No letter is cut in half. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  const part = text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
  return `${part}… [${text.length - part.length} more character${text.length - part.length === 1 ? "" : "s"}]`;
}

export interface Fitted<Row> {
  items: Row[];
  lines: string[];
  /** How many of all that were offered are in it. */
  count: number;
}

/**
 * As many items as there is room for, each as the data that is answered of it, and as a line. The first is always
 * there.
 */
export function fit<Item, Row>(
  budget: Budget,
  items: readonly Item[],
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
