/** Who is notified when: the signers whose turn it is, and everyone when a request ends. */
import { type Context, own } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { settings } from "#lib/core/env.ts";
import { type EnvelopeStatus, signersOnTurn } from "./lifecycle.ts";
import { createLink } from "./links.ts";
import { queueSigningMail } from "./mails.ts";
import type { EnvelopeRow, SignerRow } from "./rows.ts";

/** The sender of an envelope, as named in its mails and on its screens. */
export interface Sender {
  workspaceName: string;
  senderName: string;
  senderEmail: string;
}

/** The sender of an envelope; for a draft, the member who created it. */
export async function senderOf(
  tx: Pick<Transaction, "$queryRaw">,
  row: Pick<EnvelopeRow, "organizationId" | "sentById" | "createdById">,
): Promise<Sender> {
  const [found] = await tx.$queryRaw<Sender[]>`
    SELECT o.name AS "workspaceName", u.name AS "senderName", u.email AS "senderEmail"
    FROM organizations o JOIN users u ON u.id = ${row.sentById ?? row.createdById}
    WHERE o.id = ${row.organizationId}`;
  if (!found) throw new Error(`The sender of ${row.organizationId} is unknown.`);
  return found;
}

/** The page where members see an envelope. */
export const pageOf = (row: Pick<EnvelopeRow, "id">) => `${settings().BASE_URL}/signatures/${row.id}`;

const moments = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "long",
  timeStyle: "short",
  timeZone: "UTC",
});

/** A moment as shown to people: `1 March 2026 at 12:00 UTC`. */
const inWords = (moment: Date) => `${moments.format(moment)} UTC`;

/** Sends the request to the signers whose turn it is and who have not received it yet. */
export async function notifyTurn(tx: Transaction, ctx: Context, row: EnvelopeRow): Promise<void> {
  for (const signer of signersOnTurn(row)) {
    if (!signer.notifiedAt) await notifySigner(tx, ctx, row, signer);
  }
}

/** Sends the request to one signer, with a link of their own. */
export async function notifySigner(
  tx: Transaction,
  ctx: Context,
  row: EnvelopeRow,
  signer: SignerRow,
): Promise<void> {
  await sendLink(tx, ctx, row, signer, false);
  const where = { organizationId_id: { ...own(ctx), id: signer.id } };
  // A new request starts a new count of reminders.
  const { notifiedAt } = await tx.signer.update({
    where,
    data: { notifiedAt: ctx.now, remindedAt: null, reminderCount: 0 },
  });
  signer.notifiedAt = notifiedAt;
}

/** Reminds one signer. */
export async function remindSigner(
  tx: Transaction,
  ctx: Context,
  row: EnvelopeRow,
  signer: SignerRow,
): Promise<void> {
  await sendLink(tx, ctx, row, signer, true);
  await tx.signer.update({
    where: { organizationId_id: { ...own(ctx), id: signer.id } },
    data: { remindedAt: ctx.now, reminderCount: { increment: 1 } },
  });
}

async function sendLink(
  tx: Transaction,
  ctx: Context,
  row: EnvelopeRow,
  signer: SignerRow,
  isReminder: boolean,
) {
  const link = await createLink(tx, ctx, signer.id);
  const sender = await senderOf(tx, row);
  const delegatedBy = row.signers.find(({ delegatedToId }) => delegatedToId === signer.id)?.name ?? null;
  await queueSigningMail(tx, ctx, {
    ...{ envelopeId: row.id, signerId: signer.id, linkId: link.id },
    mail: {
      template: "signing-request",
      to: { address: signer.email, name: signer.name },
      data: {
        ...sender,
        isSender: isSame(sender, signer.email),
        subject: row.subject,
        message: row.message,
        deadline: row.deadline && inWords(row.deadline),
        ...{ delegatedBy, isReminder, url: link.url },
      },
    },
  });
}

/** Whether this address is the sender's, who also signs or requested only their own signature. */
const isSame = ({ senderEmail }: Sender, email: string) => senderEmail.toLowerCase() === email.toLowerCase();

/** Tells a signer that someone else copied a link of theirs. */
export async function notifyOfCopiedLink(
  tx: Transaction,
  ctx: Context,
  row: EnvelopeRow,
  signer: SignerRow,
  by: { name: string },
): Promise<void> {
  const sender = await senderOf(tx, row);
  const isSender = isSame(sender, signer.email);
  await queueSigningMail(tx, ctx, {
    ...{ envelopeId: row.id, signerId: signer.id },
    mail: {
      template: "signing-link-copied",
      to: { address: signer.email, name: signer.name },
      data: { ...sender, isSender, subject: row.subject, by: by.name },
    },
  });
}

type Person = { id: string; name: string; email: string };

/** Who gets the sender's notifications: the sender, or every owner of the workspace once the sender has left. */
async function senderOrOwners(tx: Transaction, row: EnvelopeRow): Promise<Person[]> {
  return tx.$queryRaw<Person[]>`
    WITH sender AS (SELECT user_id FROM members WHERE organization_id = ${row.organizationId}
      AND user_id = ${row.sentById ?? row.createdById} AND removed_at IS NULL)
    SELECT u.id, u.name, u.email FROM members m JOIN users u ON u.id = m.user_id
    WHERE m.organization_id = ${row.organizationId} AND m.removed_at IS NULL
      AND (m.user_id IN (SELECT user_id FROM sender) OR m.role = 'owner' AND NOT EXISTS (SELECT FROM sender))
    ORDER BY u.id`;
}

/** Notifies the sender, or the owners in their place, except those who know already. */
async function notifySender(
  tx: Transaction,
  ctx: Context,
  row: EnvelopeRow,
  mailFor: (sender: Sender) => UnaddressedMail,
  knows: (person: Person) => boolean = () => false,
) {
  const sender = await senderOf(tx, row);
  for (const person of await senderOrOwners(tx, row)) {
    if (knows(person)) continue;
    const to = { address: person.email, name: person.name };
    await queueSigningMail(tx, ctx, { envelopeId: row.id, mail: { ...mailFor(sender), to } });
  }
}

type MailOf = Parameters<typeof queueSigningMail>[2]["mail"];
type UnaddressedMail = MailOf extends infer M ? (M extends MailOf ? Omit<M, "to"> : never) : never;

/** Tells the sender and all notified signers that a request has ended, except the person who ended it. */
export async function notifyOfEnd(
  tx: Transaction,
  ctx: Context,
  row: EnvelopeRow,
  end: { status: EnvelopeStatus; by: string; reason: string },
): Promise<void> {
  const { by, reason } = end;
  const url = pageOf(row);
  const { subject } = row;
  if (end.status === "EXPIRED") {
    const deadline = row.deadline && inWords(row.deadline);
    return notifySender(tx, ctx, row, () => ({
      template: "signing-expired",
      data: { subject, deadline, url },
    }));
  }
  const template = end.status === "DECLINED" ? "signing-declined" : "signing-voided";
  const isActor = ({ id }: { id: string | null }) => id === ctx.actor.id;
  await notifySender(
    tx,
    ctx,
    row,
    (sender) => ({ template, data: { ...sender, isSender: true, subject, by, reason, url } }),
    isActor,
  );
  const sender = await senderOf(tx, row);
  for (const signer of row.signers) {
    if (!signer.notifiedAt || signer.delegatedAt || isActor(signer) || isActor({ id: signer.userId }))
      continue;
    const to = { address: signer.email, name: signer.name };
    // The sender has been told already, or ended it.
    if (isSame(sender, signer.email)) continue;
    const data = { ...sender, isSender: false, subject, by, reason, url: null };
    await queueSigningMail(tx, ctx, {
      envelopeId: row.id,
      signerId: signer.id,
      mail: { template, to, data },
    });
  }
}

/** Tells the sender who delegated to whom. */
export async function notifyOfDelegation(
  tx: Transaction,
  ctx: Context,
  row: EnvelopeRow,
  between: { from: string; to: string },
): Promise<void> {
  const data = { subject: row.subject, ...between, url: pageOf(row) };
  await notifySender(tx, ctx, row, () => ({ template: "signing-delegated", data }));
}

/** Sends the signers and the sender a mail each; the signers' mails link to the signed PDF. */
export async function notifyOfCompletion(tx: Transaction, ctx: Context, row: EnvelopeRow): Promise<void> {
  const { subject } = row;
  const sender = await senderOf(tx, row);
  for (const signer of row.signers) {
    if (!signer.signedAt) continue;
    const link = await createLink(tx, ctx, signer.id);
    const to = { address: signer.email, name: signer.name };
    await queueSigningMail(tx, ctx, {
      ...{ envelopeId: row.id, signerId: signer.id, linkId: link.id },
      mail: {
        template: "signing-completed",
        to,
        data: { ...sender, isSender: isSame(sender, signer.email), subject, url: link.url },
      },
    });
  }
  const isSigner = ({ email }: Person) =>
    row.signers.some((signer) => signer.signedAt && signer.email.toLowerCase() === email.toLowerCase());
  await notifySender(
    tx,
    ctx,
    row,
    () => ({ template: "signing-completed", data: { ...sender, isSender: true, subject, url: pageOf(row) } }),
    isSigner,
  );
}
