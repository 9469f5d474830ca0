/**
 * Batches work of the same kind: items of a share that arrive in the same turn of the event loop, or while the maximum
 * number of its batches is running, become one batch. No item waits just to fill a batch.
 */

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * For changes: a workspace's log takes one commit at a time, so changes that arrive meanwhile are batched. The second
 * batch prepares its rows while the first commits.
 */
export const commitBatching = { atOnce: 2, most: 50 };

interface Line<Item, Result> {
  running: number;
  /** One of the running batches has not started yet: it starts at the end of this turn of the event loop. */
  isBeginning: boolean;
  waiting: Waiting<Item, Result>[];
}

export class Batcher<Item, Result> {
  readonly #run: (items: Item[]) => Promise<(() => Result)[]>;
  readonly #atOnce: number;
  readonly #most: number;
  /** By share. A share without an entry has no batch running. */
  readonly #lines = new Map<string, Line<Item, Result>>();

  /**
   * `run` returns, for each item in order, a function that returns its result or throws its own error. If `run` itself
   * throws, the whole batch fails. At most `atOnce` batches of a share run in parallel, each of at most `most` items.
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
    // After the callbacks of all sockets that have something to read: what they ask for shares the batch.
    setImmediate(async () => {
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
