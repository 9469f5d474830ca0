import { expect, test } from "@playwright/test";
import { compareVersions } from "./documents.ts";
import type { Caller } from "./tool.ts";

test("of two books that differ in every clause, only the clauses with room in the result are formatted", async () => {
  let formatted = 0;
  const clauses = Array.from({ length: 20_000 }, (_, page) => ({
    ...{ kind: "removed", heading: "Delivery", from: { page, label: "1" } },
    get words() {
      formatted++;
      return [{ kind: "removed", text: "The supplier delivers what was ordered." }];
    },
  }));
  const summary = {
    same: 0,
    changed: 0,
    added: 0,
    removed: 20_000,
    moved: 0,
    wordsAdded: 0,
    wordsRemoved: 0,
  };
  const versions = ["ver_b", "ver_a"].map((id, at) => ({
    ...{ id, contractId: "ctr_a", versionNumber: 2 - at, fileName: "book.pdf" },
  }));
  const ask = async (_: unknown, input: object) =>
    "from" in input ? { clauses, summary } : { data: versions };
  const { data } = await compareVersions.run({ ask } as unknown as Caller, { contractId: "ctr_a" });
  expect(data.nextCursor).toBe(String((data.clauses as object[]).length));
  expect(formatted).toBeLessThan(200);
});
