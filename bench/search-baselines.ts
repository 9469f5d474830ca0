/** What PostgreSQL finds by itself: plain full-text search, and trigrams. */
import pg from "pg";
import type { SearchData, Texts } from "./search-data.ts";

const sql = {
  /** Matches any of the words; normalization 1 divides the rank by 1 + the logarithm of the length. */
  tsRank: `SELECT id FROM bench_clauses, (SELECT string_agg(quote_literal(lexeme), ' | ')::tsquery AS any_word
      FROM unnest(to_tsvector('english', $1))) AS query
    WHERE id = ANY($2) AND words @@ any_word ORDER BY ts_rank(words, any_word, 1) DESC, id`,
  trigram: `SELECT id FROM bench_clauses WHERE id = ANY($2) ORDER BY word_similarity($1, text) DESC, id`,
};

export class Baselines {
  #client: pg.Client;

  constructor(url: string) {
    this.#client = new pg.Client({ connectionString: url });
  }

  async open(clauses: Texts[]): Promise<void> {
    await this.#client.connect();
    await this.#client.query(
      "CREATE TEMPORARY TABLE bench_clauses (id text PRIMARY KEY, text text, words tsvector)",
    );
    await this.#client.query(
      `INSERT INTO bench_clauses SELECT id, text, to_tsvector('english', text)
       FROM json_to_recordset($1) AS row (id text, text text)`,
      [JSON.stringify(clauses)],
    );
    await this.#client.query("ANALYZE bench_clauses");
  }

  async ask(name: keyof typeof sql, { queries, judgements }: SearchData) {
    const orders = new Map<string, string[]>();
    const times: number[] = [];
    for (const { id, text } of queries) {
      const started = performance.now();
      const { rows } = await this.#client.query(sql[name], [text, [...judgements.get(id)!.keys()]]);
      times.push(performance.now() - started);
      orders.set(
        id,
        rows.map((row) => row.id),
      );
    }
    return { orders, times };
  }

  close(): Promise<void> {
    return this.#client.end();
  }
}
