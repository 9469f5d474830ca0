/**
 * Work that a job does after the response, so that a request does the same in the same time whether or not an account
 * exists, and no one can find out from outside.
 */
import { atomicHousekeeping, housekeeping } from "#lib/core/housekeeping.ts";
import { enqueue } from "#lib/jobs/queue.ts";
import { type Turn, takeTurn } from "#lib/mail/quota.ts";

export type Deferred = "accounts.failed" | "accounts.reset" | "accounts.signUp";

const maxAttempts = 5;

export async function defer(task: Deferred, payload: object): Promise<void> {
  await housekeeping((store) => enqueue(store, task, payload, { maxAttempts }));
}

/**
 * Returns whether the address is over its limit of mails. If so, it enqueues the job again for the time when there is
 * room. The job creates its link only then, so that no link expires before it is sent.
 */
export async function deferForQuota(task: Deferred, payload: object, turn: Turn): Promise<boolean> {
  return atomicHousekeeping(async (tx) => {
    const { dueAt, mustWait } = await takeTurn(tx, turn);
    if (mustWait)
      await enqueue(tx, task, payload, { maxAttempts, runAt: dueAt, jobKey: `${task} ${turn.id}` });
    return mustWait;
  });
}
