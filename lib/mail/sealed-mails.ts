/**
 * Stores queued e-mails: their text, links, codes and recipients are encrypted in their own row and nowhere else, for
 * as long as the mail has a job.
 */
import { db, query, type Transaction } from "#lib/core/db.ts";
import { reseal, seal, unseal } from "#lib/core/encryption.ts";
import { housekeeping } from "#lib/core/housekeeping.ts";
import type { Mail } from "./deliver.ts";

/** The tasks that send e-mail, and the purpose that each encrypts its mails for. */
const purposes = { "mail.send": "mail", "signatures.mail": "signing mail" } as const;

export type MailTask = keyof typeof purposes;
const mailTasks = Object.keys(purposes) as MailTask[];

/** The queue's key of a mail's job, so that only one job waits, however often it is put off. */
export const jobKeyOf = (id: string) => `mail ${id}`;

/** Stores a mail, encrypted, until its job has sent it. */
export async function sealMail(tx: Transaction, id: string, task: MailTask, mail: Mail): Promise<void> {
  await tx.letter.create({ data: { id, task, sealed: seal(JSON.stringify(mail), purposes[task]) } });
}

/** Reads a queued mail; null if it has been sent or given up. */
export async function openMail(id: string): Promise<Mail | null> {
  const row = await db.letter.findUnique({ where: { id } });
  return row && unsealMail(row.task as MailTask, row.sealed);
}

export function unsealMail(task: MailTask, sealed: Uint8Array): Mail {
  return JSON.parse(unseal(sealed, purposes[task]));
}

/** Reads a mail that a server of the previous version put into the job itself, which may wait during an upgrade. */
export function openCarried(task: MailTask, sealed: string): Mail {
  return unsealMail(task, Buffer.from(sealed, "base64"));
}

export async function forgetMail(tx: Pick<Transaction, "letter">, id: string): Promise<void> {
  await tx.letter.deleteMany({ where: { id } });
}

/** Re-encrypts queued mails with the current SECRET_KEY; returns how many needed it. */
export async function resealMails(): Promise<number> {
  let count = 0;
  for (const { id, task, sealed } of await db.letter.findMany()) {
    const anew = reseal(sealed, purposes[task as MailTask]);
    if (!anew) continue;
    // A mail that was sent in the meantime is gone.
    const { count: changed } = await housekeeping((store) =>
      store.letter.updateMany({ where: { id }, data: { sealed: anew } }),
    );
    count += changed;
  }
  return count;
}

/** Deletes jobs of mails whose last attempt died with its worker, and mails without a job. */
export async function forgetDeadMails(): Promise<void> {
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
