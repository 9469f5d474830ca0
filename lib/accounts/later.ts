/**
 * What is done after the answer, by a job: so the same is done, in the same time, whether or not there is an
 * account, and nobody can tell from outside.
 */
import { database } from "#lib/db.ts";
import { enqueue } from "#lib/queue.ts";

export type Later = "accounts.failed" | "accounts.reset" | "accounts.signUp";

export async function later(task: Later, payload: object): Promise<void> {
  await enqueue(database().prisma, task, payload, { maxAttempts: 5 });
}
