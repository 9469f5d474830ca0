import { expect, test } from "@playwright/test";
import { rank } from "./ranking.ts";
import { meaningOf, modelFrom, relatedTo } from "./word-model.ts";
import { dimensions, learnWords } from "./word-vectors.ts";

/** Clauses of two kinds of words; "indemnify" and "reimburse" stand among the same others, and never together. */
const kinds = [
  ["defend", "claim", "loss", "third", "expense"],
  ["invoice", "price", "month", "tax", "currency"],
];
const clauses = Array.from({ length: 240 }, (_, n) => {
  const kind = kinds[n % 2]!;
  const special = n % 2 === 1 ? "pay" : n % 4 === 0 ? "indemnify" : "reimburse";
  return [special, ...kind.slice(n % 3), ...kind.slice(0, n % 3), special].join(" ");
});

const model = () => {
  const { stems, frequencies, vectors } = learnWords({ clauses });
  return modelFrom({ stems, frequencies, vectors: Buffer.from(vectors, "base64") });
};

test("words used in similar contexts are related, even if no clause contains both", () => {
  const related = relatedTo(model(), new Set(["indemnify"])).map(({ stem }) => stem);
  expect(related.slice(0, 6)).toContain("reimburse");
  expect(related.slice(0, 6)).not.toContain("pay");
});

test("learning from the same clauses gives the same model", () => {
  expect(learnWords({ clauses })).toEqual(learnWords({ clauses }));
});

test("a clause that says the same in other words ranks above an unrelated one", async () => {
  const [one, other] = ["reimburse claim loss", "pay invoice price"].map((text, ordinal) => ({
    ...{ versionId: "", ordinal, rank: 0, embedding: null },
    stems: text.split(" "),
  }));
  const learned = model();
  const stems = new Set(["indemnify"]);
  const question = { stems, related: relatedTo(learned, stems), model: learned, embedding: null };
  expect((await rank([other!, one!], question)).map(({ ordinal }) => ordinal)).toEqual([0, 1]);
});

test("unknown words have no vector, and learning from too few words gives an empty model", () => {
  expect(meaningOf(model(), ["unheard", "of"])).toBeNull();
  const nothing = learnWords({ clauses: ["", "a", "only once"] });
  expect(nothing).toMatchObject({ stems: [], frequencies: [] });
});

test("numbers are counted but get no vector", () => {
  const { stems, frequencies, vectors } = learnWords({ clauses: clauses.map((clause) => `${clause} 12.4`) });
  const at = stems.indexOf("12.4");
  expect(frequencies[at]).toBe(clauses.length);
  const bytes = Buffer.from(vectors, "base64").subarray(at * dimensions, (at + 1) * dimensions);
  expect(bytes.every((byte) => byte === 0)).toBe(true);
});
