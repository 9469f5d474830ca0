/**
 * Learns from clauses which words are used alike: each word gets a vector that is near those of words with the same
 * neighbors. Neighbors within ten words are counted. Their positive pointwise mutual information (contexts smoothed
 * by a power of 0.75) forms a matrix, whose first 128 singular directions are the vectors (Levy, Goldberg and Dagan,
 * 2015). They are computed by random projection (Halko, Martinsson and Tropp, 2011).
 */
import { leadingDirections, type SparseRows } from "./projection.ts";

export interface LearnedWords {
  stems: string[];
  /** The number of clauses that contain each stem. */
  frequencies: number[];
  /** The direction of each stem: 128 signed bytes, in Base64. */
  vectors: string;
}

export const dimensions = 128;

const reach = 10;
const smoothing = 0.75;
/** Nothing can be learned about stems in fewer clauses. */
const leastClauses = 3;
/** The vectors of 20,000 stems take 2.5 MB. */
const maxStems = 20_000;
/**
 * The most pairs of neighbors, which take 60 MB. Beyond it, the remaining words, which are the rarest, get no vector.
 */
const maxPairs = 5_000_000;

/**
 * Each of `clauses` is its stems in order, separated by spaces. The input has the form that the sandboxed child process
 * passes.
 */
export function learnWords({ clauses }: { path?: undefined; clauses: string[] }): LearnedWords {
  const texts = clauses.map((clause) => clause.split(" "));
  const counted = new Map<string, number>();
  for (const text of texts) for (const stem of new Set(text)) counted.set(stem, (counted.get(stem) ?? 0) + 1);
  const known = [...counted]
    .filter(([stem, count]) => count >= leastClauses && stem !== "")
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, maxStems);
  const stems = known.map(([stem]) => stem);
  const vectors = leadingDirections(associations(texts, stems), stems.length, dimensions);
  return {
    stems,
    frequencies: known.map(([, count]) => count),
    vectors: quantized(vectors).toString("base64"),
  };
}

/** Numbers and references occur anywhere. Their frequency is counted, but nothing is learned from them. */
const isWord = (stem: string) => /^\p{L}.*\p{L}$/u.test(stem);

/** Returns the numbers of all words in order; -1 stands for the end of a clause and for words that are not learned. */
function sequenceOf(texts: string[][], stems: string[]): Int32Array {
  const numbers = new Map(stems.flatMap((stem, at) => (isWord(stem) ? [[stem, at] as const] : [])));
  const breakAfter = Array<number>(reach).fill(-1);
  return Int32Array.from(
    texts.flatMap((text) => [...text.map((stem) => numbers.get(stem) ?? -1), ...breakAfter]),
  );
}

/** Returns, for each stem, the stems that occur near it more often than by chance, and how much more. */
function associations(texts: string[][], stems: string[]): SparseRows {
  const sequence = sequenceOf(texts, stems);
  const places = placesOf(sequence, stems.length);
  const nearby = new Float32Array(stems.length);
  const totals = places.map((some) => some.reduce((sum, at) => sum + neighbors(sequence, at).length, 0));
  const all = totals.reduce((sum, total) => sum + total, 0);
  const smoothed = totals.map((total) => total ** smoothing);
  const allSmoothed = smoothed.reduce((sum, total) => sum + total, 0);
  const rows: SparseRows = { starts: [0], columns: [], values: [] };
  for (const [stem, some] of places.entries()) {
    const seen = new Set<number>();
    for (const at of rows.columns.length < maxPairs ? some : []) {
      for (const other of neighbors(sequence, at)) {
        nearby[other]! += 1;
        seen.add(other);
      }
    }
    for (const other of seen) {
      const expected = (totals[stem]! / all) * (smoothed[other]! / allSmoothed);
      const information = Math.log(nearby[other]! / all / expected);
      nearby[other] = 0;
      if (information <= 0) continue;
      rows.columns.push(other);
      rows.values.push(information);
    }
    rows.starts.push(rows.columns.length);
  }
  return rows;
}

function placesOf(sequence: Int32Array, count: number): number[][] {
  const places = Array.from({ length: count }, (): number[] => []);
  sequence.forEach((stem, at) => {
    if (stem >= 0) places[stem]!.push(at);
  });
  return places;
}

function neighbors(sequence: Int32Array, at: number): number[] {
  const found: number[] = [];
  for (let other = Math.max(0, at - reach); other <= at + reach && other < sequence.length; other++) {
    if (other !== at && sequence[other]! >= 0) found.push(sequence[other]!);
  }
  return found;
}

/** Converts numbers to bytes: only the directions count. */
function quantized(vectors: Float32Array): Buffer {
  const bytes = new Int8Array(vectors.length);
  for (let from = 0; from < vectors.length; from += dimensions) {
    let largest = 0;
    for (let at = from; at < from + dimensions; at++) largest = Math.max(largest, Math.abs(vectors[at]!));
    if (largest === 0) continue;
    for (let at = from; at < from + dimensions; at++) bytes[at] = Math.round((vectors[at]! / largest) * 127);
  }
  return Buffer.from(bytes.buffer);
}
