/** The e-mails about an envelope. Each has a row that records its state, and a job that sends it. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { change, skipAudit } from "#lib/core/change.ts";
import { type Context, own, systemContext } from "#lib/core/context.ts";
import { db, type Prisma, type Transaction } from "#lib/core/db.ts";
import { atomicHousekeeping, housekeeping } from "#lib/core/housekeeping.ts";
import { deliverMail, type Mail } from "#lib/mail/deliver.ts";
import { deferIfOverLimit, maxAttempts, queueSealedMail } from "#lib/mail/queue.ts";
import { forgetMail, openCarried, openMail } from "#lib/mail/sealed-mails.ts";
import { addEvent } from "./events.ts";
import { isOutForSignature, isWaiting } from "./lifecycle.ts";

interface Addressed {
  /** The id of the rate limit's turn, if one was taken. */
  id?: string;
  envelopeId: string;
  signerId?: string;
  linkId?: string;
  mail: Mail;
}

/** Sends an e-mail if and only if the transaction commits. */
export async function queueSigningMail(tx: Transaction, ctx: Context, to: Addressed): Promise<void> {
  const { id = randomUUID(), envelopeId, signerId = null, linkId = null, mail } = to;
  const { template } = mail;
  await tx.signingMail.create({
    data: {
      ...own(ctx),
      ...{ id, envelopeId, signerId, linkId, template, address: mail.to.address, createdAt: ctx.now },
    },
  });
  const { organizationId } = ctx;
  const job = { organizationId, mailId: id, at: ctx.now.toISOString() };
  await queueSealedMail(tx, "signatures.mail", job, { id, mail, share: organizationId });
}

const Queued = z.object({
  organizationId: z.string(),
  mailId: z.string(),
  at: z.string(),
  letter: z.string().optional(),
});

/** The job: sends one e-mail and records the result. */
export async function deliverSigningMail(
  payload: unknown,
  job: { attempts: number; max_attempts: number } = { attempts: 1, max_attempts: maxAttempts },
): Promise<void> {
  const { organizationId, mailId, at, letter: carried } = Queued.parse(payload);
  const where = { organizationId_id: { organizationId, id: mailId } };
  const row = await db.signingMail.findUnique({ where, include: asksWhom });
  if (row?.state !== "QUEUED") return;
  if (isTooLate(row)) return forget(row);
  const note = (data: Prisma.SigningMailUpdateInput) =>
    housekeeping((store) => store.signingMail.update({ where, data }));
  const { attempts } = await note({ attempts: { increment: 1 } });
  try {
    const mail = carried ? openCarried("signatures.mail", carried) : await openMail(mailId);
    if (!mail) return await giveUp(row, "What it said is gone.");
    const turn = { id: mailId, address: mail.to.address, template: mail.template };
    if (await deferIfOverLimit("signatures.mail", payload as object, turn)) {
      await note({ attempts: row.attempts });
      return;
    }
    const fate = await deliverMail({ id: mailId, at, organizationId, ...mail });
    if (!fate.sent) return await giveUp(row, fate.reason);
    const isReminder = mail.template === "signing-request" && mail.data.isReminder;
    await recordSent(systemContext(organizationId, "mail"), row, { isReminder });
  } catch (error) {
    const reason = (error as Error).message;
    // A job that failed permanently would stay in the queue together with its mail: the last attempt gives up
    // instead.
    if (attempts >= maxAttempts || job.attempts >= job.max_attempts) return await giveUp(row, reason);
    await note({ error: reason });
    throw error;
  }
}

const asksWhom = {
  link: { select: { revokedAt: true } },
  signer: { select: { signedAt: true, declinedAt: true, delegatedAt: true } },
  envelope: { select: { status: true } },
} as const;

type Asking = Prisma.SigningMailGetPayload<{ include: typeof asksWhom }>;

/** Whether a request to sign waited so long that the signer can no longer sign with it. */
const isTooLate = ({ template, link, signer, envelope }: Asking): boolean =>
  template === "signing-request" &&
  (link?.revokedAt != null || !isOutForSignature(envelope.status) || (signer !== null && !isWaiting(signer)));

/** Deletes a mail that was never sent: nobody is notified, and nothing is added to the evidence. */
async function forget({ organizationId, id }: Row): Promise<void> {
  await atomicHousekeeping(async (tx) => {
    await tx.signingMail.delete({ where: { organizationId_id: { organizationId, id } } });
    await forgetMail(tx, id);
  });
}

/** Records that the mail server accepted an e-mail: only then does a signer count as notified or reminded. */
export async function recordSent(
  ctx: Context,
  row: Row & { address: string },
  { isReminder }: { isReminder: boolean },
): Promise<void> {
  const { organizationId, id, envelopeId, signerId, template, address } = row;
  await change(ctx, async (tx) => {
    await tx.signingMail.update({
      where: { organizationId_id: { organizationId, id } },
      data: { state: "SENT", sentAt: ctx.now, error: null },
    });
    await forgetMail(tx, id);
    if (template !== "signing-request") return skipAudit();
    const type = isReminder ? "REMINDED" : "NOTIFIED";
    await addEvent(tx, ctx, { envelopeId, signerId, type, details: { email: address } });
  });
}

interface Row {
  organizationId: string;
  id: string;
  envelopeId: string;
  signerId: string | null;
  template: string;
}

async function giveUp(row: Row, reason: string): Promise<void> {
  const ctx = systemContext(row.organizationId, "mail");
  await change(ctx, async (tx) => {
    await tx.signingMail.update({
      where: { organizationId_id: { ...own(ctx), id: row.id } },
      data: { state: "FAILED", error: reason },
    });
    await forgetMail(tx, row.id);
    const { envelopeId, signerId, template } = row;
    await addEvent(tx, ctx, {
      envelopeId,
      signerId,
      type: "DELIVERY_FAILED",
      details: { mail: template, reason },
    });
  });
}
