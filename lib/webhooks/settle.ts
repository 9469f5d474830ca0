/**
 * Settles deliveries: what became of them is written, as many of a workspace at once as have come, and then acted on.
 * While one statement is being committed the next outcomes gather, so the busier, the fewer commits each costs.
 */
import { systemContext } from "#lib/core/context.ts";
import type { Result } from "./attempt.ts";
import { disableFailing, disableUnwanted } from "./disable.ts";
import { type Claim, endpointOf, failingDays, type Outcome, outcomeOf, writeOutcomes } from "./outcome.ts";

const mostAtOnce = 200;
/** Each in a transaction of its own. */
const workspacesAtOnce = 4;

interface Waiting {
  outcome: Outcome;
  written: PromiseWithResolvers<Set<string>>;
}

/** Wrong data, a broken rule, a deadlock: not that the database is away. */
const isAboutOne = (error: unknown) => /^(22|23|40)/.test(String((error as { code?: unknown }).code));

/** Settles in a worker's name. */
export class Settler {
  readonly #worker: string;
  #waiting: Waiting[] = [];
  #isWriting = false;

  constructor(worker: string) {
    this.#worker = worker;
  }

  /** Ends when it is committed. Answers in how many seconds the next attempt is due, or null. */
  async settle(claim: Claim, result: Result): Promise<number | null> {
    const outcome = outcomeOf(claim, result);
    const written = Promise.withResolvers<Set<string>>();
    this.#waiting.push({ outcome, written });
    if (!this.#isWriting) this.#write();
    const failing = await written.promise;
    const ctx = systemContext(claim.organizationId, "webhooks");
    if (result.statusCode === 410) await disableUnwanted(ctx, claim.endpointId);
    else if (failing.has(endpointOf(claim))) await disableFailing(ctx, claim.endpointId, failingDays);
    return outcome.delay;
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      // What ends in the same moment goes along.
      await new Promise(setImmediate);
      const batch = this.#waiting.splice(0, mostAtOnce);
      const ofEach = [...Map.groupBy(batch, ({ outcome }) => outcome.claim.organizationId)];
      const write = async () => {
        for (let one = ofEach.pop(); one; one = ofEach.pop()) await this.#writeTogether(...one);
      };
      await Promise.all(Array.from({ length: workspacesAtOnce }, write));
    }
    this.#isWriting = false;
  }

  async #writeTogether(organizationId: string, batch: Waiting[]): Promise<void> {
    const outcomes = batch.map(({ outcome }) => outcome);
    try {
      const failing = await writeOutcomes(this.#worker, organizationId, outcomes);
      for (const { written } of batch) written.resolve(failing);
    } catch (error) {
      // One that cannot be written must not take the others with it.
      if (batch.length > 1 && isAboutOne(error)) {
        for (const one of batch) await this.#writeTogether(organizationId, [one]);
      } else for (const { written } of batch) written.reject(error);
    }
  }
}
