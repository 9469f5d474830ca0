/**
 * Settles deliveries: writes their outcomes, all that are waiting of a workspace at once, and then acts on them. While
 * one statement commits, further outcomes gather: the higher the load, the fewer commits per outcome.
 */
import { systemContext } from "#lib/core/context.ts";
import type { Result } from "./attempt.ts";
import { disableFailing, disableUnwanted } from "./disable.ts";
import { type Claim, endpointOf, failingDays, type Outcome, outcomeOf, writeOutcomes } from "./outcome.ts";

const maxBatchSize = 200;
/** How many workspaces to write at once, each in its own transaction. */
const workspacesAtOnce = 4;

interface Waiting {
  outcome: Outcome;
  written: PromiseWithResolvers<Set<string>>;
}

/** Whether an error may concern a single outcome: invalid data, a violated constraint or a deadlock, not an outage. */
const mayConcernOneOutcome = (error: unknown) =>
  /^(22|23|40)/.test(String((error as { code?: unknown }).code));

/** Settles deliveries in a worker's name. */
export class Settler {
  readonly #worker: string;
  #waiting: Waiting[] = [];
  #isWriting = false;

  constructor(worker: string) {
    this.#worker = worker;
  }

  /** Waits for the commit. Resolves to the seconds until the next attempt, or null if there is none. */
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
      // Includes outcomes that arrive in the same turn of the event loop.
      await new Promise(setImmediate);
      const batch = this.#waiting.splice(0, maxBatchSize);
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
      // An outcome that cannot be written must not keep the others from being written.
      if (batch.length > 1 && mayConcernOneOutcome(error)) {
        for (const one of batch) await this.#writeTogether(organizationId, [one]);
      } else for (const { written } of batch) written.reject(error);
    }
  }
}
