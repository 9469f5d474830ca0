/**
 * The clauses that may answer a question. PostgreSQL finds them by any of its words and ranks those it finds; however
 * large the workspace and however common the words, it looks at a bounded number.
 */
import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { anyOf, type Phrase, type SearchQuery } from "./query.ts";
import type { RelatedStem, WordModel } from "./word-model.ts";

export interface Candidate {
  versionId: string;
  ordinal: number;
  /** How well its words are those of the question: `ts_rank`, by the logarithm of its length. */
  rank: number;
  stems: string[];
  embedding: Buffer | null;
}

export interface Sought {
  query: SearchQuery;
  related: RelatedStem[];
  model: WordModel | null;
  /** The versions to look in; null for the current ones of the whole workspace. */
  versionIds: string[] | null;
  /** The model whose vectors are wanted; null for none. */
  embeddingModel: string | null;
}

/** So many are ranked again by what they mean; more of them make no answer better. */
export const mostCandidates = 400;

/** Clauses that are looked at: the ranks of 20,000 take 60 ms. */
const mostMatches = 20_000;
/** By what is known of how often words occur; the limit above holds where that was wrong. */
const expectedMatches = 12_000;

/** How much a related word counts beside one of the question, for getting among the candidates. */
const relatedShare = 0.35;

export async function candidatesFor(ctx: Context, sought: Sought): Promise<Candidate[]> {
  const { query, related, versionIds } = sought;
  const values: unknown[] = [ctx.organizationId];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const conditions = ["c.organization_id = $1"];
  if (versionIds) conditions.push(`c.version_id = ANY(${parameter(versionIds)}::text[])`);
  else conditions.push("c.is_current");
  const finding = findingConditions(sought, parameter);
  if (finding.length === 0) return [];
  conditions.push(...finding);
  // ts_rank is a mean over the words of its query: here it is their sum, so that both can be added.
  const own = `ts_rank(words, ${parameter(anyOf(query.stems))}::tsquery, 1) * ${parameter(query.stems.size)}::float`;
  const relatedStems = related.map(({ stem }) => stem);
  const others = `ts_rank(words, ${parameter(anyOf(relatedStems))}::tsquery, 1) * ${parameter(related.length)}::float`;
  const embedded = parameter(sought.embeddingModel);
  return select<Candidate>(
    `SELECT ranked.version_id AS "versionId", ordinal, rank, tsvector_to_array(words) AS stems,
       CASE WHEN i.embedded_with = ${embedded}::text THEN (SELECT embedding FROM clauses c
         WHERE c.organization_id = $1 AND c.version_id = ranked.version_id AND c.ordinal = ranked.ordinal) END AS embedding
     FROM (SELECT version_id, ordinal, words, ${own} AS rank, ${others} AS related
       FROM (SELECT version_id, ordinal, words FROM clauses c WHERE ${conditions.join(" AND ")}
         LIMIT ${mostMatches}) AS matched
       ORDER BY ${own} + ${relatedShare} * (${others}) DESC, version_id, ordinal LIMIT ${mostCandidates}) AS ranked
     JOIN clause_indexes i ON i.organization_id = $1 AND i.version_id = ranked.version_id`,
    values,
  );
}

type Parameter = (value: unknown) => string;

function findingConditions(sought: Sought, parameter: Parameter): string[] {
  const { phrases } = sought.query;
  if (phrases.length > 0) return phrases.map((phrase) => phraseCondition(phrase, parameter));
  const stems = findingStems(sought);
  return stems.length === 0 ? [] : [`words @@ ${parameter(anyOf(stems))}::tsquery`];
}

function phraseCondition({ tsquery, pairs, words }: Phrase, parameter: Parameter): string {
  if (tsquery !== "") return `words @@ ${parameter(tsquery)}::tsquery`;
  if (pairs.length > 0) return `function_pairs @> ${parameter(pairs)}::text[]`;
  // One function word alone is in nearly every clause.
  return words.length > 0 ? "true" : "false";
}

/**
 * By which words clauses are found: all of them in a small workspace, or in a few versions. Else the rare ones, and
 * common ones as long as not too many clauses have them; those that do not find anything still rank what was found.
 */
function findingStems({ query, related, model, versionIds }: Sought): string[] {
  const all = [...query.stems, ...related.map(({ stem }) => stem)];
  if (!model || versionIds) return all;
  const frequencyOf = (stem: string) => {
    const number = model.numberOf.get(stem);
    return number === undefined ? 0 : model.frequencies[number]!;
  };
  const rareFirst = (a: string, b: string) => frequencyOf(a) - frequencyOf(b);
  const own = [...query.stems].sort(rareFirst);
  const others = related.map(({ stem }) => stem).sort(rareFirst);
  let expected = 0;
  return [...own, ...others].filter((stem, at) => {
    if (at > 0 && expected + frequencyOf(stem) > expectedMatches) return false;
    expected += frequencyOf(stem);
    return true;
  });
}
