/** Batched work: when items wait, and whose failure affects whom. */
import { expect, test } from "@playwright/test";
import { Batcher } from "./batcher.ts";

/** Batches that run until the test ends them. */
function held(atOnce = 1, most = 3) {
  const begun: { items: string[]; end(error?: Error): void }[] = [];
  const gatherer = new Batcher<string, string>(
    async (items) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      begun.push({ items, end: (error) => (error ? reject(error) : resolve()) });
      await promise;
      return items.map((item) => () => {
        if (item === "bad") throw new Error("bad alone");
        return item.toUpperCase();
      });
    },
    { atOnce, most },
  );
  const batches = () => begun.map(({ items }) => items.join(" "));
  return { gatherer, begun, batches };
}

/** Until every batch that can begin has begun: the second batch of what came at once begins a turn after the first. */
async function turn(): Promise<void> {
  for (let count = 0; count < 3; count++) await new Promise(setImmediate);
}

test("items added together or during a batch form one batch, up to its limit, separately for each share", async () => {
  const { gatherer, begun, batches } = held();
  const results = ["a", "b"].map((item) => gatherer.add("one", item));
  const other = gatherer.add("two", "z");
  await turn();
  expect(batches()).toEqual(["a b", "z"]);
  begun[1]!.end();
  expect(await other).toBe("Z");
  results.push(...["c", "d", "e", "f"].map((item) => gatherer.add("one", item)));
  await turn();
  expect(batches()).toEqual(["a b", "z"]);
  begun[0]!.end();
  await turn();
  expect(batches()).toEqual(["a b", "z", "c d e"]);
  begun[2]!.end();
  await turn();
  begun[3]!.end();
  expect(await Promise.all(results)).toEqual(["A", "B", "C", "D", "E", "F"]);
  const again = gatherer.add("one", "g");
  await turn();
  begun[4]!.end();
  expect(await again).toBe("G");
});

test("items from several sockets in one turn of the event loop form one batch", async () => {
  const { gatherer, begun, batches } = held();
  const results: Promise<string>[] = [];
  // Node runs microtasks and ticks between these two, as it does between the callbacks of two sockets.
  for (const item of ["a", "b"]) setImmediate(() => results.push(gatherer.add("one", item)));
  await turn();
  expect(batches()).toEqual(["a b"]);
  begun[0]!.end();
  expect(await Promise.all(results)).toEqual(["A", "B"]);
});

test("a failing item fails alone, and a failing batch fails its own items but none after it", async () => {
  const { gatherer, begun, batches } = held(2);
  const outcome = (work: Promise<string>) => work.catch((error: Error) => error.message);
  const results = ["a", "b", "c", "d", "bad", "e"].map((item) => outcome(gatherer.add("one", item)));
  await turn();
  expect(batches()).toEqual(["a b c", "d bad e"]);
  results.push(outcome(gatherer.add("one", "f")));
  begun[0]!.end(new Error("all of them"));
  await turn();
  expect(batches()).toEqual(["a b c", "d bad e", "f"]);
  begun[2]!.end();
  begun[1]!.end();
  const lost = ["all of them", "all of them", "all of them"];
  expect(await Promise.all(results)).toEqual([...lost, "D", "bad alone", "E", "F"]);
});
