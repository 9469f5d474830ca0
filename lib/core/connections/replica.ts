/** The state of this process's replica: whether to use it, and how many reads went where. */

/** Where reads that a replica may answer were sent, and why not to the replica. */
export type Where = "replica" | "primary_behind" | "primary_unreachable";

/** How long the replica is not used after a failure, so that no request waits for it in vain. */
const restMs = 5000;

/** A working replica reports within this time how far it has caught up. */
const longestFirstAnswerMs = 1000;

/** The longest wait for a read on the replica; it may stop in the middle of one. */
export const longestReadMs = 20_000;

export class ReplicaState {
  readonly counts: Record<Where, number> = { replica: 0, primary_behind: 0, primary_unreachable: 0 };
  #restsUntil = 0;

  /**
   * Returns the result of `read`; undefined, without an error, if that is null (the replica is behind), fails, or is
   * not tried.
   */
  async ask<T>(
    read: (hasAnswered: () => void) => Promise<{ result: T } | null>,
    isAnswer: (error: unknown) => boolean,
  ) {
    if (performance.now() < this.#restsUntil) return this.#note("primary_unreachable", undefined);
    const silent = Promise.withResolvers<never>();
    const giveUpAfter = (ms: number) =>
      setTimeout(() => silent.reject(new Error("The replica does not respond.")), ms);
    let timer = giveUpAfter(longestFirstAnswerMs);
    try {
      const reading = read(() => {
        clearTimeout(timer);
        timer = giveUpAfter(longestReadMs);
      });
      reading.catch(() => undefined);
      const answer = await Promise.race([reading, silent.promise]);
      return answer ? this.#note("replica", answer) : this.#note("primary_behind", undefined);
    } catch (error) {
      if (isAnswer(error)) {
        this.#note("replica", undefined);
        throw error;
      }
      this.#restsUntil = performance.now() + restMs;
      return this.#note("primary_unreachable", undefined);
    } finally {
      clearTimeout(timer);
    }
  }

  #note<Answer>(where: Where, answer: Answer): Answer {
    this.counts[where] += 1;
    return answer;
  }
}
