/**
 * Runs a batch as one statement and, if the database rejects that, each item on its own, so that a failure affects only
 * its own item.
 */
import { wasRejected } from "#lib/core/db.ts";

/** The `run` of a Batcher: `all` handles several items in one statement, `one` a single item. */
export async function runBatchOrEach<Item, Result>(
  batch: Item[],
  all: (batch: Item[]) => Promise<(() => Result)[]>,
  one: (item: Item) => Promise<Result>,
): Promise<(() => Result)[]> {
  try {
    if (batch.length > 1) return await all(batch);
  } catch (error) {
    if (!wasRejected(error)) throw error;
  }
  return Promise.all(batch.map((item) => settle(one(item))));
}

/** The outcome of `work` as a function that returns the result or throws the error. */
export const settle = <Result>(work: Promise<Result>): Promise<() => Result> =>
  work.then(
    (result) => () => result,
    (error) => () => {
      throw error;
    },
  );
