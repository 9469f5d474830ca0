/** Long work in slices, between which other requests are served. */
import { setImmediate } from "node:timers/promises";

/** A slice ends before the items in it weigh more than `most`; one item is never divided. */
interface Slices<Item> {
  weightOf(item: Item): number;
  most: number;
}

/** Maps items in order. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  { weightOf, most }: Slices<NoInfer<Item>>,
  work: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  let weight = 0;
  for (const [index, item] of items.entries()) {
    const added = weightOf(item);
    if (index > 0 && weight + added > most) {
      await setImmediate();
      weight = 0;
    }
    weight += added;
    results.push(work(item, index));
  }
  return results;
}
