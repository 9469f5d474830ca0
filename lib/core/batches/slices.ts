/** Long work in slices, between which other requests are served. */
import { setImmediate } from "node:timers/promises";

interface Slices<Item> {
  weightOf(item: Item): number;
  most: number;
}

/** Divides items in order. A slice ends before its items weigh more than `most`; one item is never divided. */
export function* slicesOf<Item>(
  items: readonly Item[],
  { weightOf, most }: Slices<NoInfer<Item>>,
): Generator<Item[]> {
  let slice: Item[] = [];
  let weight = 0;
  for (const item of items) {
    const added = weightOf(item);
    if (slice.length > 0 && weight + added > most) {
      yield slice;
      [slice, weight] = [[], 0];
    }
    slice.push(item);
    weight += added;
  }
  if (slice.length > 0) yield slice;
}

/** Maps items in order. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  slices: Slices<NoInfer<Item>>,
  work: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const slice of slicesOf(items, slices)) {
    if (results.length > 0) await setImmediate();
    for (const item of slice) results.push(work(item, results.length));
  }
  return results;
}
