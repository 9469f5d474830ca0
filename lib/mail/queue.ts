/** Queues e-mails and sends them; after the last attempt they are given up. */
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

/** With the queue's growing pauses, 12 attempts take 16 hours: longer than a mail server's bad night. */
export const maxAttempts = 12;

/** People wait for their codes and links: e-mail, in all its rounds, goes before what time alone asks for. */
const mailPriority = -30_000;

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
  const job = { id, at: ctx.now.toISOString(), organizationId, template: mail.template };
  await queueSealedMail(tx, "mail.send", job, { id, mail, share: organizationId ?? "nobody" });
}

/** Enqueues a mail's job, and stores the mail where the job will find it. */
export async function queueSealedMail(
  tx: Transaction,
  task: MailTask,
  payload: object,
  { id, mail, share }: { id: string; mail: Mail; share: string },
): Promise<void> {
  await sealMail(tx, id, task, mail);
  await enqueue(tx, task, payload, { maxAttempts, priority: mailPriority, share, jobKey: jobKeyOf(id) });
}

/** Its id and time are the message's, so that a second copy can be recognized. */
const Queued = z.object({
  id: z.uuid(),
  at: z.iso.datetime(),
  organizationId: z.string().nullable(),
  template: z.string(),
  /** The mail itself, where a server of the previous version queued it. */
  letter: z.string().optional(),
});

/** The job. Nothing is left of it after the last attempt: what it carried must not outlive its use. */
export async function sendQueuedMail(
  payload: unknown,
  { attempts, max_attempts: most }: { attempts: number; max_attempts: number },
): Promise<void> {
  try {
    const { letter: carried, ...queued } = Queued.parse(payload);
    const mail = carried ? openCarried("mail.send", carried) : await openMail(queued.id);
    if (!mail) return;
    const turn = { id: queued.id, address: mail.to.address, template: mail.template };
    if (await putOff("mail.send", payload as object, turn)) return;
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
 * Whether a mail comes too soon for its address: its job is then in the queue again, for when there is room. Under
 * the mail's own key: however often this is tried, one job waits.
 */
export async function putOff(task: MailTask, payload: object, turn: Turn): Promise<boolean> {
  return atomicHousekeeping(async (tx) => {
    const { dueAt, mustWait } = await takeTurn(tx, turn);
    if (mustWait) {
      const jobKey = jobKeyOf(turn.id);
      await enqueue(tx, task, payload, { maxAttempts, priority: mailPriority, runAt: dueAt, jobKey });
    }
    return mustWait;
  });
}

/** Removes what is left of mails that nothing will send any more, and turns that count no more. */
export async function forgetOldMails(): Promise<void> {
  await forgetDeadMails();
  await housekeeping(forgetTurns);
}
