/**
 * Work of the same kind, done together: what comes in the same turn of the event loop is one batch of its share, and so
 * is what comes while as many batches are under way as may be. Nothing waits longer for company.
 */

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Of changes: the log of a workspace takes one commit after the other, and those that come meanwhile are one. The second
 * batch prepares its rows while the first commits.
 */
export const commits = { atOnce: 2, most: 50 };

interface Line<Item, Result> {
  running: number;
  /** Of those that are running, one that begins when this turn ends. */
  isBeginning: boolean;
  waiting: Waiting<Item, Result>[];
}

export class Gatherer<Item, Result> {
  readonly #run: (items: Item[]) => Promise<(() => Result)[]>;
  readonly #atOnce: number;
  readonly #most: number;
  /** By share. A share that is not here has nothing under way. */
  readonly #lines = new Map<string, Line<Item, Result>>();

  /**
   * `run` answers for each item, in their order, a function that gives its result or throws what went wrong with it
   * alone. If it throws itself, all of the batch fail. `atOnce` batches of a share run side by side, of `most` items.
   */
  constructor(
    run: (items: Item[]) => Promise<(() => Result)[]>,
    { atOnce, most }: { atOnce: number; most: number },
  ) {
    this.#run = run;
    this.#atOnce = atOnce;
    this.#most = most;
  }

  add(share: string, item: Item): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const line = this.#lines.get(share) ?? { running: 0, isBeginning: false, waiting: [] };
    this.#lines.set(share, line);
    line.waiting.push({ item, resolve, reject });
    this.#begin(share, line);
    return promise;
  }

  #begin(share: string, line: Line<Item, Result>): void {
    if (line.isBeginning || line.running >= this.#atOnce) return;
    line.running++;
    line.isBeginning = true;
    process.nextTick(async () => {
      line.isBeginning = false;
      const batch = line.waiting.splice(0, this.#most);
      if (line.waiting.length > 0) this.#begin(share, line);
      await this.#settle(batch);
      line.running--;
      if (line.waiting.length > 0) this.#begin(share, line);
      else if (line.running === 0) this.#lines.delete(share);
    });
  }

  async #settle(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#run(batch.map(({ item }) => item));
      for (const [index, { resolve, reject }] of batch.entries()) {
        try {
          resolve(results[index]!());
        } catch (error) {
          reject(error);
        }
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
