/**
 * Work on which others wait, done together: while one batch of a share is under way, what comes gathers and is the next
 * batch. Nothing waits for company: what comes when nothing is under way begins at once.
 */

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

export class Gatherer<Item, Result> {
  readonly #run: (items: Item[]) => Promise<(() => Result)[]>;
  readonly #atOnce: number;
  readonly #most: number;
  /** By share. A share that is not here has nothing under way. */
  readonly #lines = new Map<string, { running: number; waiting: Waiting<Item, Result>[] }>();

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
    const line = this.#lines.get(share) ?? { running: 0, waiting: [] };
    this.#lines.set(share, line);
    line.waiting.push({ item, resolve, reject });
    if (line.running < this.#atOnce) this.#begin(share, line);
    return promise;
  }

  #begin(share: string, line: { running: number; waiting: Waiting<Item, Result>[] }): void {
    const batch = line.waiting.splice(0, this.#most);
    line.running++;
    this.#settle(batch).finally(() => {
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
