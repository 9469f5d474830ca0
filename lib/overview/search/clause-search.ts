/** Searches the clauses of the workspace's documents, with quotes and pages. */
import { isFiltered } from "#lib/contracts/filter.ts";
import { contractIds } from "#lib/contracts/list.ts";
import { mapInSlices } from "#lib/core/batches/slices.ts";
import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { candidatesFor, type Scope } from "./candidates.ts";
import { embeddingModel, embedQuestion } from "./embeddings.ts";
import { wordsIn } from "./fold.ts";
import { pageAt } from "./passages.ts";
import { indexProgress } from "./progress.ts";
import { anyOf, readQuery, type SearchQuery } from "./query.ts";
import { letterSlices, marksIn, quoteOf } from "./quote.ts";
import { type Ranked, rank } from "./ranking.ts";
import type { ClauseHit, ClauseSearch } from "./schema.ts";
import { relatedTo, wordModelOf } from "./word-model.ts";

/** Returns one page of hits, the best first; none for an empty query. */
export async function searchClauses(ctx: Context, input: ClauseSearch) {
  const { q, limit, page } = input;
  const [indexing, { ranked, query, languages }] = await Promise.all([
    indexProgress(ctx),
    scopeOf(ctx, input).then((scope) => rankClauses(ctx, q, scope)),
  ]);
  const from = (page - 1) * limit;
  const hits = await hitsOf(ctx, ranked.slice(from, from + limit), query, languages);
  return { hits, page, hasMore: ranked.length > from + limit, indexing };
}

/** Ranks all clauses that may answer the question, the best first. */
export async function rankClauses(ctx: Context, q: string, scope: Scope) {
  const [languages, model] = await Promise.all([languagesOf(ctx), wordModelOf(ctx)]);
  const nothing = { stems: new Set<string>(), phrases: [] };
  if (q === "" || languages.length === 0 || scope.versionIds?.length === 0) {
    return { ranked: [], query: nothing, languages };
  }
  const [query, embedding] = await Promise.all([readQuery(q, languages), embedQuestion(q)]);
  const related = model ? relatedTo(model, query.stems) : [];
  const wanted = embedding && embeddingModel();
  const candidates = await candidatesFor(ctx, { query, related, model, scope, embeddingModel: wanted });
  const ranked = await rank(candidates, { stems: query.stems, related, model, embedding });
  return { ranked, query, languages };
}

async function languagesOf(ctx: Context): Promise<string[]> {
  const rows = await select<{ language: string }>(
    "SELECT DISTINCT language FROM clause_indexes WHERE organization_id = $1 AND clause_count > 0 ORDER BY language",
    [ctx.organizationId],
  );
  return rows.map(({ language }) => language);
}

/** Returns the current version of each contract that matches the filters, or the version that was asked for. */
async function scopeOf(ctx: Context, input: ClauseSearch): Promise<Scope> {
  const { q: _, contractId, versionId, limit: __, page: ___, ...filters } = input;
  const isPast = versionId !== undefined;
  const isFilteredByList = isFiltered(filters);
  if (contractId === undefined && !isPast && !isFilteredByList) {
    return { versionIds: null, clauses: null, isPast, excludesArchived: filters.archived !== "any" };
  }
  const list = { ...filters, sort: "lastActivityAt", dir: "desc", page: 1 } as const;
  const ids = isFilteredByList ? await contractIds(ctx, list) : null;
  const rows = await select<{ id: string; clauses: number }>(
    `SELECT version_id AS id, clause_count AS clauses FROM clause_indexes
     WHERE organization_id = $1 AND ($2::text[] IS NULL OR contract_id = ANY($2))
       AND ($3::text IS NULL OR contract_id = $3)
       AND CASE WHEN $4::text IS NULL THEN is_current ELSE version_id = $4 END`,
    [ctx.organizationId, ids, contractId ?? null, versionId ?? null],
  );
  const clauses = rows.reduce((sum, row) => sum + row.clauses, 0);
  return { versionIds: rows.map(({ id }) => id), clauses, isPast, excludesArchived: false };
}

interface HitRow {
  contract: ClauseHit["contract"];
  version: ClauseHit["version"];
  label: string;
  heading: string;
  text: string;
  pageIndex: number;
  pageStarts: number[];
}

async function hitsOf(
  ctx: Context,
  ranked: Ranked[],
  query: SearchQuery,
  languages: string[],
): Promise<ClauseHit[]> {
  if (ranked.length === 0) return [];
  const rows = await select<HitRow & { at: number }>(
    `SELECT found.at::int, json_build_object('id', k.id, 'title', k.title, 'status', k.status,
         'counterpartyName', cp.name)::jsonb AS contract,
       json_build_object('id', v.id, 'versionNumber', v.version_number, 'fileName', v.file_name)::jsonb AS version,
       c.label, c.heading, c.text, c.page_index AS "pageIndex", c.page_starts AS "pageStarts"
     FROM unnest($2::text[], $3::int[]) WITH ORDINALITY AS found (version_id, ordinal, at)
     JOIN clauses c ON c.organization_id = $1 AND c.version_id = found.version_id AND c.ordinal = found.ordinal
     JOIN document_versions v ON v.organization_id = $1 AND v.id = c.version_id
     JOIN contracts k ON k.organization_id = $1 AND k.id = c.contract_id
     LEFT JOIN counterparties cp ON cp.organization_id = $1 AND cp.id = k.counterparty_id
     ORDER BY found.at`,
    [ctx.organizationId, ranked.map(({ versionId }) => versionId), ranked.map(({ ordinal }) => ordinal)],
  );
  const matching = await matchingWords(rows, query, languages);
  // Clauses that were indexed again since they were ranked may be missing.
  return mapInSlices(rows, letterSlices, (row) => hitFrom(row, ranked[row.at - 1]!, query, matching));
}

function hitFrom(row: HitRow, { score }: Ranked, { phrases }: SearchQuery, matching: Set<string>): ClauseHit {
  const { contract, version, label, heading, text } = row;
  const said = phrases.map(({ words }) => words);
  const marks = marksIn(text, (word) => matching.has(word), said);
  const { quote, start, marks: inQuote } = quoteOf(text, marks);
  const first = start + (inQuote[0]?.[0] ?? 0);
  return {
    ...{ contract, version, label, heading, quote, marks: inQuote },
    pageIndex: pageAt(row, first),
    score: Math.round(score * 1000) / 1000,
  };
}

/** Returns those of the hits' words whose stem the query has. */
async function matchingWords(
  rows: HitRow[],
  { stems }: SearchQuery,
  languages: string[],
): Promise<Set<string>> {
  const all = await mapInSlices(rows, letterSlices, ({ text }) => wordsIn(text).map(({ word }) => word));
  const words = new Set(all.flat());
  const found = await select<{ word: string }>(
    `SELECT word FROM unnest($1::text[]) word WHERE EXISTS (
       SELECT FROM unnest($2::regconfig[]) language WHERE to_tsvector(language, word) @@ $3::tsquery)`,
    [[...words], languages, anyOf(stems)],
  );
  return new Set(found.map(({ word }) => word));
}
