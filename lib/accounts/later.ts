/**
 * What is done after the answer, by a job: so the same is done, in the same time, whether or not there is an
 * account, and nobody can tell from outside.
 */
import { query } from "#lib/db.ts";

export type Later = "accounts.failed" | "accounts.reset" | "accounts.signUp";

export async function later(task: Later, payload: object): Promise<void> {
  await query("SELECT id::text FROM graphile_worker.add_job($1::text, $2::json, max_attempts => 5)", [
    task,
    JSON.stringify(payload),
  ]);
}
