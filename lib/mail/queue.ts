/** Queues e-mails and sends them. An e-mail whose last attempt fails is given up. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Context } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { atomicHousekeeping, housekeeping } from "#lib/core/housekeeping.ts";
import { enqueue } from "#lib/jobs/queue.ts";
import { deliverMail, giveUp, type Mail } from "./deliver.ts";
import { forgetTurns, type Turn, takeTurn } from "./quota.ts";
import {
  forgetDeadMails,
  forgetMail,
  jobKeyOf,
  type MailTask,
  openCarried,
  openMail,
  sealMail,
} from "./sealed-mails.ts";

/** With the queue's growing delays, 12 attempts take 16 hours, longer than a nightly outage of a mail server. */
export const maxAttempts = 12;

/** People wait for codes and links, so e-mails, in all rounds of the queue, run before jobs of the default priority. */
const mailPriority = -30_000;

/** The workspace that sends a mail, for the log; null if no workspace sends it. */
type Sender = Pick<Context, "now"> & { organizationId: string | null };

/** Queues a mail, which is sent if and only if the transaction commits. `id`: that of the turn taken for it, if any. */
export async function queueMail(
  tx: Transaction,
  ctx: Sender,
  mail: Mail,
  id: string = randomUUID(),
): Promise<void> {
  const { organizationId } = ctx;
  const job = { id, at: ctx.now.toISOString(), organizationId, template: mail.template };
  await queueSealedMail(tx, "mail.send", job, { id, mail, share: organizationId ?? "nobody" });
}

/** Enqueues a mail's job and stores the mail for it. */
export async function queueSealedMail(
  tx: Transaction,
  task: MailTask,
  payload: object,
  { id, mail, share }: { id: string; mail: Mail; share: string },
): Promise<void> {
  await sealMail(tx, id, task, mail);
  await enqueue(tx, task, payload, { maxAttempts, priority: mailPriority, share, jobKey: jobKeyOf(id) });
}

/** The payload of a job. The message gets its id and time, so that a second copy can be recognized. */
const Queued = z.object({
  id: z.uuid(),
  at: z.iso.datetime(),
  organizationId: z.string().nullable(),
  template: z.string(),
  /** The mail itself, where a server of the previous version queued it. */
  letter: z.string().optional(),
});

/** The job that sends a mail. After its last attempt the mail is deleted: its links and codes must not outlive it. */
export async function sendQueuedMail(
  payload: unknown,
  { attempts, max_attempts: most }: { attempts: number; max_attempts: number },
): Promise<void> {
  try {
    const { letter: carried, ...queued } = Queued.parse(payload);
    const mail = carried ? openCarried("mail.send", carried) : await openMail(queued.id);
    if (!mail) return;
    const turn = { id: queued.id, address: mail.to.address, template: mail.template };
    if (await deferIfOverLimit("mail.send", payload as object, turn)) return;
    await deliverMail({ ...queued, ...mail });
    await housekeeping((store) => forgetMail(store, queued.id));
  } catch (error) {
    if (attempts < most) throw error;
    giveUp(payload, (error as Error).message);
    const { id } = Object(payload);
    if (typeof id === "string") await housekeeping((store) => forgetMail(store, id));
  }
}

/**
 * Returns whether a mail is over its address's limit. If so, it enqueues the job again for the time when there is room,
 * under the mail's own key: however often this is tried, only one job waits.
 */
export async function deferIfOverLimit(task: MailTask, payload: object, turn: Turn): Promise<boolean> {
  return atomicHousekeeping(async (tx) => {
    const { dueAt, mustWait } = await takeTurn(tx, turn);
    if (mustWait) {
      const jobKey = jobKeyOf(turn.id);
      await enqueue(tx, task, payload, { maxAttempts, priority: mailPriority, runAt: dueAt, jobKey });
    }
    return mustWait;
  });
}

/** Deletes mails that no job will send, and turns that no longer count. */
export async function forgetOldMails(): Promise<void> {
  await forgetDeadMails();
  await housekeeping(forgetTurns);
}
