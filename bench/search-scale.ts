/** How fast clauses are found among very many: ten workspaces, one of which is searched while it changes. */
import pg from "pg";
import { type Context, systemContext } from "#lib/core/context.ts";
import { searchClauses } from "#lib/overview/search/clause-search.ts";
import { edition } from "#lib/overview/search/edition.ts";
import { learnWorkspace } from "#lib/overview/search/word-learning.ts";
import { createWorkspace } from "#lib/people/members/workspaces.ts";
import { type Flags, say } from "./flags.ts";
import { percentiles } from "./percentiles.ts";
import type { SearchData, Texts } from "./search-data.ts";
import { documentOf } from "./search-texts.ts";
import { inBatches, insert } from "./seed.ts";
import { Writer } from "./writer.ts";

const workspaces = 10;
const clausesOfDocument = 100;
const limitMs = 100;

export interface Scale {
  clauses: number;
  workspaces: number;
  searches: number;
  p50Ms: number;
  p95Ms: number;
  isSlow: boolean;
}

/** Each round runs every query, so that none finds its own rows in memory. An extra first round is not counted. */
const rounds = 5;

export async function measureScale(url: string, data: SearchData, { clauses }: Flags): Promise<Scale> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("SET synchronous_commit = off; SET maintenance_work_mem = '512MB'");
  // Build the index once at the end, instead of adding a million rows to it.
  const [{ indexdef }] = (
    await client.query("SELECT indexdef FROM pg_indexes WHERE indexname = 'clauses_words'")
  ).rows;
  await client.query("DROP INDEX clauses_words");
  const made: Awaited<ReturnType<typeof fill>>[] = [];
  for (let n = 0; n < workspaces; n++)
    made.push(await fill(client, data, Math.ceil(clauses / workspaces), n));
  say("building the index");
  await client.query(indexdef);
  await client.query("VACUUM (ANALYZE) clauses, clause_indexes, document_versions, contracts");
  await client.end();
  const { ctx, contractIds } = made[0]!;
  await learnWorkspace({ organizationId: ctx.organizationId });
  const nothing = { key: "", userIds: [], counterpartyIds: [] };
  const writer = new Writer(url, { ...nothing, organizationId: ctx.organizationId, contractIds });
  await writer.connect();
  writer.start();
  const times = await searchTimes(ctx, data.queries);
  await writer.close();
  const measured = percentiles(times);
  return { clauses, workspaces, searches: times.length, ...measured, isSlow: measured.p95Ms >= limitMs };
}

async function searchTimes(ctx: Context, queries: Texts[]): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    for (const { text } of queries) {
      const started = performance.now();
      await searchClauses(ctx, { q: text, limit: 10, page: 1 });
      if (round > 0) times.push(performance.now() - started);
    }
  }
  return times;
}

/** Creates a workspace of documents whose clauses are combined from pieces of the data's clauses. */
async function fill(client: pg.Client, { clauses }: SearchData, count: number, n: number) {
  const { organizationId, userId } = await createWorkspace({
    name: `Bench scale ${n}`,
    ownerEmail: `scale-${n}@bench.example`,
    ownerName: "Bench",
    ownerPassword: "correct horse battery",
  });
  const ctx = systemContext(organizationId, "bench");
  const words = clauses.map(({ text }) => text.split(/\s+/));
  const contractIds: string[] = [];
  await inBatches(count, 2_000, `clauses of workspace ${n + 1}`, async (from, to) => {
    const documents = Array.from({ length: Math.ceil((to - from) / clausesOfDocument) }, (_, at) =>
      documentOf(ctx, { id: `${from + at}`, text: "" }, userId),
    );
    await insert(
      client,
      "contracts",
      documents.map(({ contract }) => contract),
    );
    await insert(
      client,
      "document_versions",
      documents.map(({ version }) => version),
    );
    await insertClauses(client, ctx, documents, words);
    contractIds.push(...documents.map(({ contract }) => contract.id));
  });
  return { ctx, contractIds };
}

type Document = ReturnType<typeof documentOf>;

async function insertClauses(client: pg.Client, ctx: Context, documents: Document[], words: string[][]) {
  const own = { organization_id: ctx.organizationId, is_current: true };
  const indexes = documents.map(({ contract, version }) => ({
    ...{ ...own, version_id: version.id, contract_id: contract.id, edition, language: "english" },
    ...{ clause_count: clausesOfDocument, indexed_at: contract.created_at },
  }));
  await insert(client, "clause_indexes", indexes);
  const rows = documents.flatMap(({ contract, version }) =>
    Array.from({ length: clausesOfDocument }, (_, ordinal) => ({
      ...{ version_id: version.id, contract_id: contract.id, ordinal, text: recombined(words) },
    })),
  );
  await client.query(
    `INSERT INTO clauses (organization_id, version_id, contract_id, is_current, ordinal, label, heading, text,
       page_index, page_starts, function_pairs, words)
     SELECT $1, version_id, contract_id, true, ordinal, '', '', text, ordinal / 5, '{}', '{}', to_tsvector('english', text)
     FROM json_to_recordset($2) AS row (version_id text, contract_id text, ordinal int, text text)`,
    [ctx.organizationId, JSON.stringify(rows)],
  );
}

/** Combines two to six pieces of clauses, 10 to 40 words each: realistic in length and in neighboring words. */
function recombined(clauses: string[][]): string {
  const pieces = Array.from({ length: 2 + Math.floor(Math.random() * 5) }, () => {
    const clause = clauses[Math.floor(Math.random() * clauses.length)]!;
    const from = Math.floor(Math.random() * Math.max(1, clause.length - 10));
    return clause.slice(from, from + 10 + Math.floor(Math.random() * 30)).join(" ");
  });
  return pieces.join(" ");
}
