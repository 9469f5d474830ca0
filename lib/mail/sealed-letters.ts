/**
 * What the e-mails that wait say and to whom, with their links and codes: encrypted, in a row of its own and nowhere
 * else, for as long as the mail has a job.
 */
import { db, query, type Transaction } from "#lib/core/db.ts";
import { reseal, seal, unseal } from "#lib/core/encryption.ts";
import { housekeeping } from "#lib/core/housekeeping.ts";
import type { Mail } from "./deliver.ts";

/** The tasks that send letters, and what those are encrypted for. */
const purposes = { "mail.send": "mail", "signatures.mail": "signing mail" } as const;

export type MailTask = keyof typeof purposes;
export const mailTasks = Object.keys(purposes) as MailTask[];

/** The queue's name for a mail's job: however often it is put off, one job waits. */
export const jobKeyOf = (id: string) => `mail ${id}`;

export async function keepLetter(tx: Transaction, id: string, task: MailTask, mail: Mail): Promise<void> {
  await tx.letter.create({ data: { id, task, sealed: seal(JSON.stringify(mail), purposes[task]) } });
}

/** Null where there is none any more: the mail was sent, or given up. */
export async function openLetter(id: string): Promise<Mail | null> {
  const row = await db.letter.findUnique({ where: { id } });
  return row && unsealLetter(row.task as MailTask, row.sealed);
}

export function unsealLetter(task: MailTask, sealed: Uint8Array): Mail {
  return JSON.parse(unseal(sealed, purposes[task]));
}

/** A letter that a server of the version before put into the job itself: it may wait while servers are replaced. */
export function openCarried(task: MailTask, letter: string): Mail {
  return unsealLetter(task, Buffer.from(letter, "base64"));
}

export async function forgetLetter(tx: Pick<Transaction, "letter">, id: string): Promise<void> {
  await tx.letter.deleteMany({ where: { id } });
}

/** Encrypts the letters that wait with SECRET_KEY; answers how many were not. */
export async function resealLetters(): Promise<number> {
  let count = 0;
  for (const { id, task, sealed } of await db.letter.findMany()) {
    const anew = reseal(sealed, purposes[task as MailTask]);
    if (!anew) continue;
    // One that was sent meanwhile is gone.
    const { count: changed } = await housekeeping((store) =>
      store.letter.updateMany({ where: { id }, data: { sealed: anew } }),
    );
    count += changed;
  }
  return count;
}

/** Removes mails' jobs whose last attempt died with its worker, and letters that no job is left for. */
export async function forgetDeadLetters(): Promise<void> {
  await query(
    `SELECT graphile_worker.complete_jobs(array_agg(id)) FROM graphile_worker.jobs
     WHERE task_identifier = ANY($1) AND attempts >= max_attempts HAVING count(*) > 0`,
    [mailTasks],
  );
  await query(
    `DELETE FROM letters WHERE NOT EXISTS (
       SELECT 1 FROM graphile_worker.jobs WHERE task_identifier = letters.task AND key = 'mail ' || letters.id)`,
    [],
  );
}
