/** Many in one statement, and where that is refused each by itself: one that fails fails alone. */
import { wasRefused } from "#lib/core/db.ts";

/** A batch for a Gatherer: `all` has one statement for several items, `one` has one for each. */
export async function together<Item, Result>(
  batch: Item[],
  all: (batch: Item[]) => Promise<(() => Result)[]>,
  one: (item: Item) => Promise<Result>,
): Promise<(() => Result)[]> {
  try {
    if (batch.length > 1) return await all(batch);
  } catch (error) {
    if (!wasRefused(error)) throw error;
  }
  return Promise.all(batch.map((item) => settled(one(item))));
}

/** How it ended, to be told later. */
export const settled = <Result>(work: Promise<Result>): Promise<() => Result> =>
  work.then(
    (result) => () => result,
    (error) => () => {
      throw error;
    },
  );
