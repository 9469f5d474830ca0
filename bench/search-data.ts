/** Reads clauses, queries and lawyers' judgements from the files of a folder. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Flags } from "./flags.ts";

export interface Texts {
  id: string;
  text: string;
}

export interface SearchData {
  clauses: Texts[];
  queries: Texts[];
  /** By query: the grade of each clause that was judged for it. */
  judgements: Map<string, Map<string, number>>;
}

export async function readSearchData({ data, queries, judgements }: Flags): Promise<SearchData> {
  if (!data) throw new TypeError("bench search needs --data DIR.");
  const clauses = await lines(join(data, "clauses.jsonl.gz"));
  const asked = await lines(queries ?? join(data, "queries.jsonl"));
  const [, ...judged] = await lines(judgements ?? join(data, "judgements.tsv.gz"));
  const byQuery = new Map<string, Map<string, number>>();
  for (const line of judged) {
    const [query = "", clause = "", grade = ""] = line.split("\t");
    byQuery.set(query, (byQuery.get(query) ?? new Map()).set(clause, Number(grade)));
  }
  return {
    clauses: clauses.map((line) => JSON.parse(line)),
    queries: asked.map((line) => JSON.parse(line)).filter(({ id }: Texts) => byQuery.has(id)),
    judgements: byQuery,
  };
}

async function lines(path: string): Promise<string[]> {
  if (!existsSync(path)) throw new TypeError(`There is no file ${path}.`);
  const bytes = await readFile(path);
  const text = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
  return text.toString("utf8").split(/\r?\n/).filter(Boolean);
}

export interface Quality {
  ndcg5: number;
  ndcg10: number;
  /** Recall among the first 50, for clauses of grade 2 and above. */
  recall50: number;
}

const goodGrade = 2;

/** Rates the order of the judged clauses for one query: each figure is from 0 to 1. */
export function qualityOf(order: string[], grades: Map<string, number>): Quality {
  const gained = order.map((id) => grades.get(id) ?? 0);
  const ideal = [...grades.values()].sort((a, b) => b - a);
  const ndcg = (most: number) => discounted(gained.slice(0, most)) / (discounted(ideal.slice(0, most)) || 1);
  const good = ideal.filter((grade) => grade >= goodGrade).length;
  const found = gained.slice(0, 50).filter((grade) => grade >= goodGrade).length;
  return { ndcg5: ndcg(5), ndcg10: ndcg(10), recall50: good === 0 ? 1 : found / good };
}

function discounted(grades: number[]): number {
  return grades.reduce((sum, grade, at) => sum + grade / Math.log2(at + 2), 0);
}
