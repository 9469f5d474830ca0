import { expect, test } from "@playwright/test";
import { turnsOf } from "#e2e/turns.ts";
import { rank } from "./ranking.ts";
import { modelFrom } from "./word-model.ts";
import { dimensions } from "./word-vectors.ts";

test("while the longest clauses are ranked, other requests have their turn", async () => {
  const stems = Array.from({ length: 20_000 }, (_, at) => String.fromCodePoint(0x4e00 + at));
  const vectors = Int8Array.from({ length: stems.length * dimensions }, (_, at) => (at * 7919) % 101);
  const frequencies = stems.map((_, at) => 20_000 - at);
  const model = modelFrom({ stems, frequencies, vectors: new Uint8Array(vectors.buffer) });
  const candidates = Array.from({ length: 300 }, (_, ordinal) => ({
    ...{ versionId: "", ordinal, rank: 0, embedding: null },
    stems: stems.slice(ordinal * 50, ordinal * 50 + 2_500),
  }));
  const question = { stems: new Set(stems.slice(0, 48)), related: [], model, embedding: null };
  const { longestMs, totalMs } = await turnsOf(() => rank(candidates, question));
  expect(longestMs).toBeLessThan(totalMs / 3);
});
