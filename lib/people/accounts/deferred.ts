/**
 * What is done after the answer, by a job: so the same is done, in the same time, whether or not there is an
 * account, and no one can tell from outside.
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
 * Whether the address has had its share of mail: the job is then in the queue again, for when there is room. It
 * makes its link only then, so that no link has run out before it is sent.
 */
export async function putOffForQuota(task: Deferred, payload: object, turn: Turn): Promise<boolean> {
  return atomicHousekeeping(async (tx) => {
    const { dueAt, mustWait } = await takeTurn(tx, turn);
    if (mustWait)
      await enqueue(tx, task, payload, { maxAttempts, runAt: dueAt, jobKey: `${task} ${turn.id}` });
    return mustWait;
  });
}
