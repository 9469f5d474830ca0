/** Ranks candidate clauses by the query's words, by related words, and by meaning. */
import { mapInSlices } from "#lib/core/batches/slices.ts";
import type { Candidate } from "./candidates.ts";
import { similarity } from "./embeddings.ts";
import { dot, meaningOf, type RelatedStem, type WordModel } from "./word-model.ts";

export interface Ranked {
  versionId: string;
  ordinal: number;
  /** From 0 to 1. Comparable only within the same results. */
  score: number;
}

interface Question {
  stems: ReadonlySet<string>;
  related: RelatedStem[];
  model: WordModel | null;
  embedding: Uint8Array | null;
}

/** Related words count half as much as the query's own words. */
const relatedWeight = 0.5;

/** The meaning of this many stems takes some 10 ms. */
const slices = { weightOf: ({ stems }: Candidate) => stems.length, most: 30_000 };

/**
 * Returns the clauses, the best first. Each measure is standardized: what counts is how far a clause stands out from
 * the other candidates.
 */
export async function rank(candidates: Candidate[], question: Question): Promise<Ranked[]> {
  const meaning = meaningFor(question);
  const measured = await mapInSlices(candidates, slices, (one) => ({
    related: relatedness(one, question),
    meaning: meaning(one),
    embedded: embedded(one, question),
  }));
  const measures = [
    { weight: 1, values: candidates.map(({ rank }) => rank) },
    { weight: relatedWeight, values: measured.map(({ related }) => related) },
    { weight: 1, values: measured.map(({ meaning }) => meaning) },
    { weight: 1, values: measured.map(({ embedded }) => embedded) },
  ];
  const scores = candidates.map(() => 0);
  for (const { weight, values } of measures) {
    for (const [at, value] of standardized(values).entries()) scores[at]! += weight * value;
  }
  return candidates
    .map(({ versionId, ordinal }, at) => ({ versionId, ordinal, score: between0And1(scores[at]!) }))
    .sort((a, b) => b.score - a.score || a.versionId.localeCompare(b.versionId) || a.ordinal - b.ordinal);
}

/** Divides by the logarithm of the length, as `rank` does: long clauses contain more of any words. */
function relatedness({ stems }: Candidate, { related }: Question): number {
  const has = new Set(stems);
  const found = related.reduce((sum, { stem, likeness }) => sum + (has.has(stem) ? likeness : 0), 0);
  return found / Math.log2(1 + Math.max(1, stems.length));
}

function meaningFor({ stems, model }: Question): (candidate: Candidate) => number | null {
  const sought = model && meaningOf(model, stems);
  return (candidate) => {
    const meaning = sought && meaningOf(model, candidate.stems);
    return meaning && dot(sought, meaning);
  };
}

function embedded(candidate: Candidate, { embedding }: Question): number | null {
  return embedding && candidate.embedding && similarity(embedding, candidate.embedding);
}

/** Returns the number of standard deviations above the mean. Unknown values count as the mean. */
function standardized(values: (number | null)[]): number[] {
  const known = values.filter((value) => value !== null);
  const mean = known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length);
  const variance = known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, known.length);
  if (variance === 0) return values.map(() => 0);
  return values.map((value) => (value === null ? 0 : (value - mean) / Math.sqrt(variance)));
}

const between0And1 = (score: number) => 1 / (1 + Math.exp(-score / 2));
