/**
 * Learns from clauses which of their words are used alike: words get a vector each, near those of words that stand
 * among the same others. What is counted are neighbours within ten words; their positive pointwise mutual information
 * (contexts smoothed by a power of 0.75) makes a matrix, whose first 128 singular directions are the vectors (Levy,
 * Goldberg and Dagan, 2015). They are found by random projection (Halko, Martinsson and Tropp, 2011).
 */
import { leadingDirections, type SparseRows } from "./projection.ts";

export interface LearnedWords {
  stems: string[];
  /** In how many of the clauses each is. */
  frequencies: number[];
  /** Base64 of 128 signed bytes for each stem: its direction. */
  vectors: string;
}

export const dimensions = 128;

const reach = 10;
const smoothing = 0.75;
/** Of what is seen less often nothing can be learned. */
const leastClauses = 3;
/** The vectors of so many take 2.5 MB. */
const mostStems = 20_000;
/** Pairs of neighbours, after which the rest of the words, the rarest, get no vector: 60 MB. */
const mostPairs = 5_000_000;

/** `clauses` are stems in their order, with spaces between; as the limited child is asked to. */
export function learnWords({ clauses }: { path?: undefined; clauses: string[] }): LearnedWords {
  const texts = clauses.map((clause) => clause.split(" "));
  const counted = new Map<string, number>();
  for (const text of texts) for (const stem of new Set(text)) counted.set(stem, (counted.get(stem) ?? 0) + 1);
  const known = [...counted]
    .filter(([stem, count]) => count >= leastClauses && stem !== "")
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, mostStems);
  const stems = known.map(([stem]) => stem);
  const vectors = leadingDirections(associations(texts, stems), stems.length, dimensions);
  return {
    stems,
    frequencies: known.map(([, count]) => count),
    vectors: quantized(vectors).toString("base64"),
  };
}

/** Numbers and references stand anywhere; they are counted, and teach nothing. */
const isWord = (stem: string) => /^\p{L}.*\p{L}$/u.test(stem);

/** All words one after the other, -1 where a clause ends or a word is not learned of. */
function sequenceOf(texts: string[][], stems: string[]): Int32Array {
  const numbers = new Map(stems.flatMap((stem, at) => (isWord(stem) ? [[stem, at] as const] : [])));
  const breakAfter = Array<number>(reach).fill(-1);
  return Int32Array.from(
    texts.flatMap((text) => [...text.map((stem) => numbers.get(stem) ?? -1), ...breakAfter]),
  );
}

/** For each stem, those that stand near it more often than by chance, and by how much. */
function associations(texts: string[][], stems: string[]): SparseRows {
  const sequence = sequenceOf(texts, stems);
  const places = placesOf(sequence, stems.length);
  const nearby = new Float32Array(stems.length);
  const totals = places.map((some) => some.reduce((sum, at) => sum + neighbours(sequence, at).length, 0));
  const all = totals.reduce((sum, total) => sum + total, 0);
  const smoothed = totals.map((total) => total ** smoothing);
  const allSmoothed = smoothed.reduce((sum, total) => sum + total, 0);
  const rows: SparseRows = { starts: [0], columns: [], values: [] };
  for (const [stem, some] of places.entries()) {
    const seen = new Set<number>();
    for (const at of rows.columns.length < mostPairs ? some : []) {
      for (const other of neighbours(sequence, at)) {
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

function neighbours(sequence: Int32Array, at: number): number[] {
  const found: number[] = [];
  for (let other = Math.max(0, at - reach); other <= at + reach && other < sequence.length; other++) {
    if (other !== at && sequence[other]! >= 0) found.push(sequence[other]!);
  }
  return found;
}

/** A byte each: only directions count. */
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
