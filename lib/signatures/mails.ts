/**
 * The e-mails about an envelope. Each has a row that says what became of it, and a job that brings it; what it
 * says, with its link or code, lies sealed in the job and nowhere else.
 */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { change } from "#lib/change.ts";
import { clock } from "#lib/clock.ts";
import { type Context, own, systemContext } from "#lib/context.ts";
import { database, query, type Transaction } from "#lib/db.ts";
import { deliverMail, type Mail, mailPriority, maxAttempts } from "#lib/mail.ts";
import { enqueue } from "#lib/queue.ts";
import { reseal, seal, unseal } from "#lib/sealed.ts";
import { addEvent } from "./events.ts";

const purpose = "signing mail";

interface Addressed {
  envelopeId: string;
  signerId?: string;
  linkId?: string;
  mail: Mail;
}

/** Sends an e-mail if and only if the change commits. */
export async function queueSigningMail(tx: Transaction, ctx: Context, to: Addressed): Promise<void> {
  const id = randomUUID();
  const { envelopeId, signerId = null, linkId = null, mail } = to;
  const { template } = mail;
  await tx.signingMail.create({
    data: {
      ...own(ctx),
      ...{ id, envelopeId, signerId, linkId, template, address: mail.to.address, createdAt: ctx.now },
    },
  });
  const letter = Buffer.from(seal(JSON.stringify(mail), purpose)).toString("base64");
  const { organizationId } = ctx;
  await enqueue(
    tx,
    "signatures.mail",
    { organizationId, mailId: id, at: ctx.now.toISOString(), letter },
    { maxAttempts, priority: mailPriority },
  );
}

const Queued = z.object({
  organizationId: z.string(),
  mailId: z.string(),
  at: z.string(),
  letter: z.string(),
});

/** The job: brings one e-mail, and writes down what became of it. */
export async function deliverSigningMail(payload: unknown): Promise<void> {
  const { organizationId, mailId, at, letter } = Queued.parse(payload);
  const { signingMail } = database().prisma;
  const where = { organizationId_id: { organizationId, id: mailId } };
  const row = await signingMail.findUnique({ where });
  if (row?.state !== "QUEUED") return;
  const { attempts } = await signingMail.update({ where, data: { attempts: { increment: 1 } } });
  try {
    const mail = JSON.parse(unseal(Buffer.from(letter, "base64"), purpose)) as Mail;
    const fate = await deliverMail({ id: mailId, at, organizationId, ...mail });
    if (!fate.sent) return await giveUp(row, fate.reason);
    await signingMail.update({ where, data: { state: "SENT", sentAt: clock(), error: null } });
  } catch (error) {
    const reason = (error as Error).message;
    if (attempts >= maxAttempts) return await giveUp(row, reason);
    await signingMail.update({ where, data: { error: reason } });
    throw error;
  }
}

/** Encrypts the letters that wait with SECRET_KEY; answers how many were not. */
export async function resealLetters(): Promise<number> {
  // The queue has no way of its own to change what a job carries and nothing else of it.
  const waiting = await query<{ id: string; letter: string }>(
    `SELECT job.id::text, job.payload ->> 'letter' AS letter
     FROM graphile_worker._private_jobs AS job JOIN graphile_worker._private_tasks AS task ON task.id = job.task_id
     WHERE task.identifier = 'signatures.mail'`,
    [],
  );
  let count = 0;
  for (const { id, letter } of waiting) {
    const anew = reseal(Buffer.from(letter, "base64"), purpose);
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
    const { envelopeId, signerId, template } = row;
    await addEvent(tx, ctx, {
      envelopeId,
      signerId,
      type: "DELIVERY_FAILED",
      details: { mail: template, reason },
    });
  });
}
