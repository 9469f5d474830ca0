/** Measures search in documents: the quality of the ranking according to lawyers' judgements, and the time it takes. */
import "#lib/events/listen.ts";
import type { Context } from "#lib/core/context.ts";
import { systemContext } from "#lib/core/context.ts";
import { disconnect } from "#lib/core/db.ts";
import { provideSettings } from "#lib/core/env.ts";
import { prepareQueue } from "#lib/jobs/queue.ts";
import { rankClauses, searchClauses } from "#lib/overview/search/clause-search.ts";
import { learnWorkspace } from "#lib/overview/search/word-learning.ts";
import { createWorkspace } from "#lib/people/members/workspaces.ts";
import { openDatabase } from "./database.ts";
import { type Flags, say } from "./flags.ts";
import { closeOnInterrupt } from "./interrupt.ts";
import { percentiles, rounded } from "./percentiles.ts";
import { Baselines } from "./search-baselines.ts";
import { type Quality, qualityOf, readSearchData, type SearchData } from "./search-data.ts";
import { measureScale } from "./search-scale.ts";
import { storeTexts } from "./search-texts.ts";

type Figures = Quality & { p50Ms: number; p95Ms: number };

/** The bench fails below these: the gain over plain full-text search, and that search's own score. */
const leastGain = 1;
const leastBaseline = 50;

export async function searchBench(flags: Flags): Promise<void> {
  const data = await readSearchData(flags);
  const closing = new AsyncDisposableStack();
  await using _ = closing;
  closeOnInterrupt(closing);
  const database = await openDatabase(flags.keep);
  closing.defer(() => database.close());
  provideSettings({ DATABASE_URL: database.url, LOG_LEVEL: "warn" });
  closing.defer(() => disconnect());
  await prepareQueue();
  const { ctx, versions } = await load(database.url, data);
  const product = await figuresOf(data, await askProduct(ctx, data, versions));
  const baselines = await askBaselines(new Baselines(database.url), data);
  const scale = flags.clauses > 0 ? await measureScale(database.url, data, flags) : undefined;
  const result = { ...product, baselines, ...(scale && { scale }) };
  process.stdout.write(flags.json ? `${JSON.stringify(result)}\n` : table(result));
  const isBroken =
    baselines.tsRank.ndcg10 < leastBaseline || product.ndcg10 < baselines.tsRank.ndcg10 + leastGain;
  if (isBroken || scale?.isSlow) process.exitCode = 1;
}

/** Each clause becomes a version of its own contract, so that a query can be run against any of them. */
async function load(url: string, { clauses }: SearchData) {
  const started = performance.now();
  const { organizationId } = await createWorkspace({
    name: "Bench search",
    ownerEmail: "search@bench.example",
    ownerName: "Bench",
    ownerPassword: "correct horse battery",
  });
  const ctx = systemContext(organizationId, "bench");
  const versions = await storeTexts(url, ctx, clauses);
  await learnWorkspace({ organizationId });
  const seconds = (performance.now() - started) / 1000;
  say(`indexed ${clauses.length} clauses and learned their words in ${seconds.toFixed(1)} s`);
  return { ctx, versions };
}

interface Asked {
  /** By query: the judged clauses, in the order of the results. */
  orders: Map<string, string[]>;
  times: number[];
}

/** The order covers the judged clauses only; the time is that of a search of the whole workspace. */
async function askProduct(ctx: Context, data: SearchData, versions: Map<string, string>): Promise<Asked> {
  const clauseOf = new Map([...versions].map(([clause, version]) => [version, clause]));
  const orders = new Map<string, string[]>();
  const times: number[] = [];
  for (const { id, text } of data.queries) {
    const judged = [...data.judgements.get(id)!.keys()];
    const versionIds = judged.flatMap((clause) => versions.get(clause) ?? []);
    const scope = { versionIds, clauses: versionIds.length, isPast: false };
    const { ranked } = await rankClauses(ctx, text, scope);
    orders.set(
      id,
      ranked.map(({ versionId }) => clauseOf.get(versionId)!),
    );
    const started = performance.now();
    await searchClauses(ctx, { q: text, limit: 10, page: 1 });
    times.push(performance.now() - started);
  }
  return { orders, times };
}

async function askBaselines(baselines: Baselines, data: SearchData) {
  await baselines.open(data.clauses);
  try {
    return {
      tsRank: await figuresOf(data, await baselines.ask("tsRank", data)),
      trigram: await figuresOf(data, await baselines.ask("trigram", data)),
    };
  } finally {
    await baselines.close();
  }
}

async function figuresOf(data: SearchData, { orders, times }: Asked): Promise<Figures> {
  const each = data.queries.map(({ id }) => qualityOf(orders.get(id) ?? [], data.judgements.get(id)!));
  const percent = (name: keyof Quality) =>
    rounded((100 * each.reduce((sum, one) => sum + one[name], 0)) / Math.max(1, each.length));
  return {
    ...{ ndcg5: percent("ndcg5"), ndcg10: percent("ndcg10"), recall50: percent("recall50") },
    ...percentiles(times),
  };
}

function table({
  baselines,
  scale,
  ...product
}: Figures & { baselines: Record<string, Figures>; scale?: object }) {
  const row = (name: string, { ndcg5, ndcg10, recall50, p50Ms, p95Ms }: Figures) =>
    [name.padEnd(12), ndcg5, ndcg10, recall50, p50Ms, p95Ms].map((cell) => String(cell).padStart(9)).join("");
  const head = ["", "nDCG@5", "nDCG@10", "recall@50", "p50 ms", "p95 ms"];
  const lines = [
    head.map((cell, at) => (at === 0 ? cell.padEnd(12) : cell.padStart(9))).join(""),
    row("product", product),
    row("ts_rank", baselines.tsRank!),
    row("trigrams", baselines.trigram!),
    ...(scale ? [JSON.stringify(scale)] : []),
  ];
  return `${lines.join("\n")}\n`;
}
