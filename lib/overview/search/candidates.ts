/**
 * Finds candidate clauses for a question. PostgreSQL finds clauses with any of its words and ranks them. It reads a
 * limited number of clauses, however large the workspace and however common the words are.
 */
import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { anyOf, type Phrase, type SearchQuery } from "./query.ts";
import { containingAll } from "./quote.ts";
import type { RelatedStem, WordModel } from "./word-model.ts";

export interface Candidate {
  versionId: string;
  ordinal: number;
  /** How well its words match those of the question: `ts_rank`, divided by the logarithm of its length. */
  rank: number;
  stems: string[];
  embedding: Buffer | null;
}

/** The clauses to search: those of the whole workspace, or of some versions only. */
export interface Scope {
  versionIds: string[] | null;
  /** The number of these clauses; null if they were not counted. */
  clauses: number | null;
  /**
   * Whether a given version is searched, which may be an older one. Only current versions are in the index of words.
   */
  isPast: boolean;
  /** Whether clauses of archived contracts are left out. */
  excludesArchived?: boolean;
}

export interface CandidateQuery {
  query: SearchQuery;
  related: RelatedStem[];
  model: WordModel | null;
  scope: Scope;
  /** The model whose embeddings to return; null for none. */
  embeddingModel: string | null;
}

/** The most clauses that are ranked again by meaning. More do not improve the results. */
const maxCandidates = 300;

/** The most matching clauses whose ranks are compared: 6,000 take 20 ms. */
const maxMatches = 6_000;
/** The most clauses to expect from the known frequencies of words. If those are wrong, the limit above applies. */
const maxExpected = 4_000;
/** If the question's own words find more than this, related words, which cost four times as much, improve nothing. */
const fewExpected = 1_500;

/** The weight of related words when choosing candidates; the question's own words have 1. */
const relatedShare = 0.35;

export async function candidatesFor(ctx: Context, sought: CandidateQuery): Promise<Candidate[]> {
  const { query, scope } = sought;
  const values: unknown[] = [ctx.organizationId];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const { own, related } = findingStems(sought);
  const finding = findingConditions(query, [...own, ...related], parameter);
  if (finding.length === 0) return [];
  const conditions = ["organization_id = $1", ...scopeConditions(scope, parameter), ...finding];
  // ts_rank is the mean over the words of a query. Multiplied by their number it is a sum, so that both can be added.
  const sum = (stems: Iterable<string>, count: number) =>
    count === 0 ? "0" : `ts_rank(words, ${parameter(anyOf(stems))}::tsquery, 1) * ${parameter(count)}::float`;
  const rank = sum(query.stems, query.stems.size);
  const relatedRank = sum(related, related.length);
  const embedded = parameter(sought.embeddingModel);
  const text = query.phrases.length > 0 ? "text" : "'' AS text";
  const rows = await select<Omit<Candidate, "stems"> & { stems: string; text: string }>(
    `SELECT ranked.version_id AS "versionId", ordinal, rank, text, array_to_string(tsvector_to_array(words), ' ') AS stems,
       CASE WHEN i.embedded_with = ${embedded}::text THEN (SELECT embedding FROM clauses c
         WHERE c.organization_id = $1 AND c.version_id = ranked.version_id AND c.ordinal = ranked.ordinal) END AS embedding
     FROM (SELECT version_id, ordinal, words, rank, text
       FROM (SELECT version_id, ordinal, words, ${text}, ${rank} AS rank, ${relatedRank} AS related
         FROM clauses WHERE ${conditions.join(" AND ")} LIMIT ${maxMatches}) AS matched
       ORDER BY rank + ${relatedShare} * related DESC, version_id, ordinal LIMIT ${maxCandidates}) AS ranked
     JOIN clause_indexes i ON i.organization_id = $1 AND i.version_id = ranked.version_id`,
    values,
  );
  const phrases = query.phrases.map(({ words }) => words);
  const found = phrases.length === 0 ? rows : await containingAll(rows, phrases);
  return found.map(({ text: _, ...row }) => ({ ...row, stems: row.stems.split(" ") }));
}

type Parameter = (value: unknown) => string;

const ofListed = `NOT EXISTS (SELECT FROM contracts k
  WHERE k.organization_id = $1 AND k.id = clauses.contract_id AND k.archived)`;

function scopeConditions({ versionIds, isPast, excludesArchived }: Scope, parameter: Parameter): string[] {
  const versions = versionIds ? [`version_id = ANY(${parameter(versionIds)}::text[])`] : [];
  const listed = excludesArchived ? [ofListed] : [];
  return [...(isPast ? [] : ["is_current"]), ...versions, ...listed];
}

function findingConditions({ phrases }: SearchQuery, stems: string[], parameter: Parameter): string[] {
  if (phrases.length > 0) return phrases.map((phrase) => phraseCondition(phrase, parameter));
  return stems.length === 0 ? [] : [`words @@ ${parameter(anyOf(stems))}::tsquery`];
}

function phraseCondition({ tsquery, pairs, words }: Phrase, parameter: Parameter): string {
  if (tsquery !== "")
    return `words @@ ${parameter(tsquery)}::tsquery AND ${exactPhraseCondition(words, parameter)}`;
  if (pairs.length > 0) return `function_pairs @> ${parameter(pairs)}::text[]`;
  // A single function word is in nearly every clause.
  return words.length > 0 ? "true" : "false";
}

/** Characters that folding may change: a text with any of them is checked again, word by word. */
const unfolded = "[^\\u0001-\\u007f\\u00a0§–—‘’“”•…‐‑]";

/**
 * A tsquery ignores function words and endings: "not transferable" also finds "is transferable". Clauses without the
 * exact words must not take the place of others among the candidates.
 */
function exactPhraseCondition(words: string[], parameter: Parameter): string {
  if (!words.every((word) => /^[a-z0-9'-]+$/.test(word))) return "true";
  const said = words.map((word) => word.replaceAll("-", "[-‐‑]").replaceAll("'", "['’]"));
  return `(text ~* ${parameter(said.join("[^[:alnum:]]+"))} OR text ~ ${parameter(unfolded)})`;
}

/**
 * Chooses the words that find clauses. In a small scope these are all words. Otherwise they are the rare words, and
 * common ones while the expected number of clauses stays within a limit. The other words still count for the rank.
 */
function findingStems({ query, related, model, scope }: CandidateQuery): {
  own: string[];
  related: string[];
} {
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
  const own = [...query.stems].sort(rareFirst).filter(within(maxExpected));
  const others = related.map(({ stem }) => stem).sort(rareFirst);
  return { own, related: own.length === 0 ? [] : others.filter(within(fewExpected)) };
}
