/**
 * The clauses that may answer a question. PostgreSQL finds them by any of its words and ranks those it finds; however
 * large the workspace and however common the words, it looks at a bounded number.
 */
import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { anyOf, type Phrase, type SearchQuery } from "./query.ts";
import { saysAll } from "./quote.ts";
import type { RelatedStem, WordModel } from "./word-model.ts";

export interface Candidate {
  versionId: string;
  ordinal: number;
  /** How well its words are those of the question: `ts_rank`, by the logarithm of its length. */
  rank: number;
  stems: string[];
  embedding: Buffer | null;
}

/** Where is looked: everywhere in the workspace, or in some versions alone. */
export interface Scope {
  versionIds: string[] | null;
  /** How many clauses that are; null where it was not counted. */
  clauses: number | null;
  /** An older version was asked for: those of the others are not in the index of words. */
  isPast: boolean;
  /** Those of archived contracts are left out. */
  isOfListed?: boolean;
}

export interface Sought {
  query: SearchQuery;
  related: RelatedStem[];
  model: WordModel | null;
  scope: Scope;
  /** The model whose vectors are wanted; null for none. */
  embeddingModel: string | null;
}

/** So many are ranked again by what they mean; more of them make no answer better. */
const mostCandidates = 300;

/** Clauses whose ranks are compared: those of 6,000 take 20 ms. */
const mostMatches = 6_000;
/** By what is known of how often words occur; the limit above holds where that was wrong. */
const mostExpected = 4_000;
/** Where the words of the question find more, related words, which cost four times as much, find nothing better. */
const fewExpected = 1_500;

/** How much a related word counts beside one of the question, for getting among the candidates. */
const relatedShare = 0.35;

export async function candidatesFor(ctx: Context, sought: Sought): Promise<Candidate[]> {
  const { query, scope } = sought;
  const values: unknown[] = [ctx.organizationId];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const { own, related } = findingStems(sought);
  const finding = findingConditions(query, [...own, ...related], parameter);
  if (finding.length === 0) return [];
  const conditions = ["organization_id = $1", ...scopeConditions(scope, parameter), ...finding];
  // ts_rank is a mean over the words of its query: here it is their sum, so that both can be added.
  const sum = (stems: Iterable<string>, count: number) =>
    count === 0 ? "0" : `ts_rank(words, ${parameter(anyOf(stems))}::tsquery, 1) * ${parameter(count)}::float`;
  const rank = sum(query.stems, query.stems.size);
  const relatedRank = sum(related, related.length);
  const embedded = parameter(sought.embeddingModel);
  const text = query.phrases.length > 0 ? "text" : "NULL AS text";
  const rows = await select<Omit<Candidate, "stems"> & { stems: string; text: string | null }>(
    `SELECT ranked.version_id AS "versionId", ordinal, rank, text, array_to_string(tsvector_to_array(words), ' ') AS stems,
       CASE WHEN i.embedded_with = ${embedded}::text THEN (SELECT embedding FROM clauses c
         WHERE c.organization_id = $1 AND c.version_id = ranked.version_id AND c.ordinal = ranked.ordinal) END AS embedding
     FROM (SELECT version_id, ordinal, words, rank, text
       FROM (SELECT version_id, ordinal, words, ${text}, ${rank} AS rank, ${relatedRank} AS related
         FROM clauses WHERE ${conditions.join(" AND ")} LIMIT ${mostMatches}) AS matched
       ORDER BY rank + ${relatedShare} * related DESC, version_id, ordinal LIMIT ${mostCandidates}) AS ranked
     JOIN clause_indexes i ON i.organization_id = $1 AND i.version_id = ranked.version_id`,
    values,
  );
  const phrases = query.phrases.map(({ words }) => words);
  return rows
    .filter((row) => row.text === null || saysAll(row.text, phrases))
    .map(({ text: _, ...row }) => ({ ...row, stems: row.stems.split(" ") }));
}

type Parameter = (value: unknown) => string;

const ofListed = `NOT EXISTS (SELECT FROM contracts k
  WHERE k.organization_id = $1 AND k.id = clauses.contract_id AND k.archived)`;

function scopeConditions({ versionIds, isPast, isOfListed }: Scope, parameter: Parameter): string[] {
  const versions = versionIds ? [`version_id = ANY(${parameter(versionIds)}::text[])`] : [];
  const listed = isOfListed ? [ofListed] : [];
  return [...(isPast ? [] : ["is_current"]), ...versions, ...listed];
}

function findingConditions({ phrases }: SearchQuery, stems: string[], parameter: Parameter): string[] {
  if (phrases.length > 0) return phrases.map((phrase) => phraseCondition(phrase, parameter));
  return stems.length === 0 ? [] : [`words @@ ${parameter(anyOf(stems))}::tsquery`];
}

function phraseCondition({ tsquery, pairs, words }: Phrase, parameter: Parameter): string {
  if (tsquery !== "") return `words @@ ${parameter(tsquery)}::tsquery AND ${asItStands(words, parameter)}`;
  if (pairs.length > 0) return `function_pairs @> ${parameter(pairs)}::text[]`;
  // One function word alone is in nearly every clause.
  return words.length > 0 ? "true" : "false";
}

/** Letters that may be another when they are folded: such a text is looked at again, word by word. */
const unfolded = "[^\\u0001-\\u007f\\u00a0§–—‘’“”•…‐‑]";

/**
 * A tsquery knows no function words and no endings: "not transferable" finds "is transferable". Those without the words
 * in their order must not take the room of others among the candidates.
 */
function asItStands(words: string[], parameter: Parameter): string {
  if (!words.every((word) => /^[a-z0-9'-]+$/.test(word))) return "true";
  const said = words.map((word) => word.replaceAll("-", "[-‐‑]").replaceAll("'", "['’]"));
  return `(text ~* ${parameter(said.join("[^[:alnum:]]+"))} OR text ~ ${parameter(unfolded)})`;
}

/**
 * By which words clauses are found: all of them in a small scope. Else the rare ones, and common ones as long as not too
 * many clauses have them; those that do not find anything still rank what was found.
 */
function findingStems({ query, related, model, scope }: Sought): { own: string[]; related: string[] } {
  const frequencyOf = (stem: string) => {
    const number = model?.numberOf.get(stem);
    return number === undefined ? 0 : model!.frequencies[number]!;
  };
  const all = scope.clauses ?? Number.POSITIVE_INFINITY;
  let expected = 0;
  const within = (most: number) => (stem: string) => {
    if (all > most && expected > 0 && expected + frequencyOf(stem) > most) return false;
    expected += frequencyOf(stem);
    return true;
  };
  const rareFirst = (a: string, b: string) => frequencyOf(a) - frequencyOf(b);
  const own = [...query.stems].sort(rareFirst).filter(within(mostExpected));
  const others = related.map(({ stem }) => stem).sort(rareFirst);
  return { own, related: own.length === 0 ? [] : others.filter(within(fewExpected)) };
}
