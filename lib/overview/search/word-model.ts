/** The model of a workspace's words (word-learning.ts), loaded for searching. */
import { LRUCache } from "lru-cache";
import { reader, select } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import { dimensions } from "./word-vectors.ts";

export interface WordModel {
  numberOf: ReadonlyMap<string, number>;
  stems: string[];
  /** The approximate number of the workspace's clauses that contain each stem. */
  frequencies: number[];
  /** A vector for each stem, of length 1, or 0 if nothing was learned about it. */
  vectors: Float32Array;
  /** The weight of each stem in a combined meaning. Common stems count less. */
  weights: Float32Array;
}

/** Cached models by id. There is room for about twenty workspaces with the largest vocabulary. */
const models = new LRUCache<string, WordModel>({
  maxSize: 256 * 1024 * 1024,
  sizeCalculation: ({ vectors, stems }) => vectors.byteLength + 150 * stems.length + 1,
});

/** Returns the workspace's model; null if there is none yet. */
export async function wordModelOf(ctx: Context): Promise<WordModel | null> {
  const [now] = await select<{ id: string }>("SELECT id FROM word_models WHERE organization_id = $1", [
    ctx.organizationId,
  ]);
  if (!now) return null;
  const known = models.get(now.id);
  if (known) return known;
  const row = await reader().wordModel.findUnique({ where: own(ctx) });
  if (!row) return null;
  const model = modelFrom(row);
  models.set(row.id, model);
  return model;
}

/**
 * Smooth inverse frequency (Arora, Liang and Ma, 2017): words with a lower share of all words have nearly equal
 * weights.
 */
const rareShare = 0.01;

export function modelFrom(row: { stems: string[]; frequencies: number[]; vectors: Uint8Array }): WordModel {
  const { stems, frequencies } = row;
  const bytes = new Int8Array(row.vectors.buffer, row.vectors.byteOffset, row.vectors.byteLength);
  const all = frequencies.reduce((sum, count) => sum + count, 0);
  return {
    numberOf: new Map(stems.map((stem, at) => [stem, at])),
    stems,
    frequencies,
    vectors: unit(Float32Array.from(bytes)),
    weights: Float32Array.from(frequencies, (count) => rareShare / (rareShare + count / all)),
  };
}

function unit(vectors: Float32Array): Float32Array {
  for (let from = 0; from < vectors.length; from += dimensions) {
    scaled(vectors, from);
  }
  return vectors;
}

/** Scales a vector to length 1. Returns false if it is zero. */
function scaled(vectors: Float32Array, from = 0): boolean {
  let sum = 0;
  for (let at = from; at < from + dimensions; at++) sum += vectors[at]! * vectors[at]!;
  const factor = sum === 0 ? 0 : 1 / Math.sqrt(sum);
  for (let at = from; at < from + dimensions; at++) vectors[at]! *= factor;
  return sum > 0;
}

/** Returns the combined meaning of words, as a vector of length 1; null if none of them is known. */
export function meaningOf(model: WordModel, stems: Iterable<string>): Float32Array | null {
  const { numberOf, vectors, weights } = model;
  const meaning = new Float32Array(dimensions);
  for (const stem of stems) {
    const number = numberOf.get(stem);
    if (number === undefined) continue;
    const from = number * dimensions;
    const weight = weights[number]!;
    for (let k = 0; k < dimensions; k++) meaning[k]! += weight * vectors[from + k]!;
  }
  return scaled(meaning) ? meaning : null;
}

export interface RelatedStem {
  stem: string;
  /** From 0 to 1. */
  likeness: number;
}

/** The most related words. Too little is known about stems in fewer than `leastClauses` clauses. */
const maxRelated = 16;
const leastClauses = 5;

/** Finds words that are used like those of the question, the most similar first. */
export function relatedTo(model: WordModel, stems: ReadonlySet<string>): RelatedStem[] {
  const meaning = meaningOf(model, stems);
  if (!meaning) return [];
  const found: RelatedStem[] = [];
  for (const [number, stem] of model.stems.entries()) {
    if (model.frequencies[number]! < leastClauses || stems.has(stem)) continue;
    const likeness = dot(meaning, model.vectors, number * dimensions);
    if (likeness > (found.at(-1)?.likeness ?? 0) || (likeness > 0 && found.length < maxRelated)) {
      found.push({ stem, likeness });
      found.sort((a, b) => b.likeness - a.likeness);
      found.length = Math.min(found.length, maxRelated);
    }
  }
  return found;
}

export function dot(one: Float32Array, others: Float32Array, from = 0): number {
  let sum = 0;
  for (let k = 0; k < one.length; k++) sum += one[k]! * others[from + k]!;
  return sum;
}
