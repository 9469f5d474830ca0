/**
 * The way of an e-mail through the queue. What it says, with its links and tokens, lies encrypted in the job and
 * nowhere else, and goes with the job: when it was sent, and when it is given up.
 */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Context } from "#lib/core/context.ts";
import { query, type Transaction } from "#lib/core/db.ts";
import { reseal, seal, unseal } from "#lib/core/encryption.ts";
import { atomicHousekeeping, housekeeping } from "#lib/core/housekeeping.ts";
import { enqueue } from "#lib/jobs/queue.ts";
import { deliverMail, giveUp, type Mail } from "./deliver.ts";
import { forgetTurns, type Turn, takeTurn } from "./quota.ts";

/** With the queue's growing pauses, 12 attempts take 16 hours: longer than a mail server's bad night. */
export const maxAttempts = 12;

/** People wait for their codes and links: e-mail, in all its rounds, goes before what time alone asks for. */
export const mailPriority = -30_000;

/** The tasks whose jobs carry a letter, and what it is encrypted for. */
const purposes = { "mail.send": "mail", "signatures.mail": "signing mail" } as const;
type Task = keyof typeof purposes;

/** What an e-mail says and to whom, as a job carries it. */
export function sealLetter(task: Task, mail: Mail): string {
  return Buffer.from(seal(JSON.stringify(mail), purposes[task])).toString("base64");
}

export function openLetter(task: Task, letter: string): Mail {
  return JSON.parse(unseal(Buffer.from(letter, "base64"), purposes[task]));
}

/** Whose mail it is, for the log: a workspace's, or no one's but the recipient's. */
type Sender = Pick<Context, "now"> & { organizationId: string | null };

/** Sends a mail if and only if the transaction commits. `id`: of the turn that was taken for it. */
export async function queueMail(
  tx: Transaction,
  ctx: Sender,
  mail: Mail,
  id: string = randomUUID(),
): Promise<void> {
  const { organizationId } = ctx;
  const letter = sealLetter("mail.send", mail);
  const job = { id, at: ctx.now.toISOString(), organizationId, template: mail.template, letter };
  const share = organizationId ?? "nobody";
  await enqueue(tx, "mail.send", job, { maxAttempts, priority: mailPriority, share });
}

/** Its id and time are the message's, so that a second copy can be recognised. */
const Queued = z.object({
  id: z.uuid(),
  at: z.iso.datetime(),
  organizationId: z.string().nullable(),
  template: z.string(),
  letter: z.string(),
});

/** The job. Nothing is left of it after the last attempt: what it carried must not outlive its use. */
export async function sendQueuedMail(
  payload: unknown,
  { attempts, max_attempts: most }: { attempts: number; max_attempts: number },
): Promise<void> {
  try {
    const { letter, ...queued } = Queued.parse(payload);
    const mail = openLetter("mail.send", letter);
    const turn = { id: queued.id, address: mail.to.address, template: mail.template };
    if (await putOff("mail.send", payload as object, turn)) return;
    await deliverMail({ ...queued, ...mail });
  } catch (error) {
    if (attempts < most) throw error;
    giveUp(payload, (error as Error).message);
  }
}

/**
 * Whether a mail comes too soon for its address: its job is then in the queue again, for when there is room. Under
 * the mail's own key: however often this is tried, one job waits.
 */
export async function putOff(task: Task, payload: object, turn: Turn): Promise<boolean> {
  return atomicHousekeeping(async (tx) => {
    const { dueAt, mustWait } = await takeTurn(tx, turn);
    if (mustWait) {
      const jobKey = `mail ${turn.id}`;
      await enqueue(tx, task, payload, { maxAttempts, priority: mailPriority, runAt: dueAt, jobKey });
    }
    return mustWait;
  });
}

/** Encrypts the letters that wait with SECRET_KEY; answers how many were not. */
export async function resealLetters(): Promise<number> {
  // The queue has no way of its own to change what a job carries and nothing else of it.
  const waiting = await query<{ id: string; task: Task; letter: string }>(
    `SELECT job.id::text, task.identifier AS task, job.payload ->> 'letter' AS letter
     FROM graphile_worker._private_jobs AS job JOIN graphile_worker._private_tasks AS task ON task.id = job.task_id
     WHERE task.identifier = ANY($1) AND job.payload ->> 'letter' IS NOT NULL`,
    [Object.keys(purposes)],
  );
  let count = 0;
  for (const { id, task, letter } of waiting) {
    const anew = reseal(Buffer.from(letter, "base64"), purposes[task]);
    if (!anew) continue;
    const updated = await query(
      `UPDATE graphile_worker._private_jobs SET payload = (payload::jsonb || jsonb_build_object('letter', $2::text))::json
       WHERE id = $1::bigint RETURNING id::text`,
      [id, Buffer.from(anew).toString("base64")],
    );
    count += updated.length;
  }
  return count;
}

/** Removes jobs with letters whose last attempt died with its worker, and what counts no more. */
export async function forgetOldMails(): Promise<void> {
  await query(
    `SELECT graphile_worker.complete_jobs(array_agg(id)) FROM graphile_worker.jobs
     WHERE task_identifier = ANY($1) AND attempts >= max_attempts HAVING count(*) > 0`,
    [Object.keys(purposes)],
  );
  await housekeeping(forgetTurns);
}
