/** The demo's signature requests: the counterparty signs first, then a member of the company countersigns. */
import { randomUUID } from "node:crypto";
import { change, reader, skipAudit } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import { createDraft, updateDraft } from "#lib/signatures/draft/drafts.ts";
import type { NewField } from "#lib/signatures/draft/schema.ts";
import { createLink, newToken, tokenHash } from "#lib/signatures/links.ts";
import { recordSent } from "#lib/signatures/mails.ts";
import { sendDraft } from "#lib/signatures/send/send.ts";
import { adoptSignature, decline, finish, giveConsent } from "#lib/signatures/sign/actions.ts";
import { consentHash } from "#lib/signatures/sign/consent.ts";
import { recordViewed } from "#lib/signatures/sign/turn.ts";
import { signatureBlocks } from "./paper.ts";
import type { Signing, SigningAct } from "./story.ts";

interface Request {
  envelopeId: string;
  theirs: string;
  ours: string;
}

/** Sends a contract's only document for signature, with a signature, a position and a date for each signer. */
export async function sendOut(
  ctx: Context,
  { contractId, userId, message }: { contractId: string; userId: string; message?: Signing["message"] },
): Promise<Request> {
  const tx = reader();
  const { counterpartyId } = await tx.contract.findFirstOrThrow({ where: { ...own(ctx), id: contractId } });
  const contact = await tx.contact.findFirstOrThrow({
    where: { ...own(ctx), counterpartyId: counterpartyId!, isPrimary: true },
  });
  const version = await tx.documentVersion.findFirstOrThrow({ where: { ...own(ctx), contractId } });
  const envelopeId = await createDraft(ctx, { contractId, message: message ?? null });
  await updateDraft(ctx, {
    envelopeId,
    signers: [
      { counterpartyContactId: contact.id, orderIndex: 0, codeRequired: false },
      { userId, orderIndex: 1, codeRequired: false },
    ],
  });
  const signers = await tx.signer.findMany({
    where: { ...own(ctx), envelopeId },
    orderBy: { orderIndex: "asc" },
  });
  const [theirs, ours] = signers.map(({ id }) => id) as [string, string];
  const pageIndex = version.pageCount! - 1;
  await updateDraft(ctx, {
    envelopeId,
    fields: [...fieldsOf(ours, pageIndex, "ours"), ...fieldsOf(theirs, pageIndex, "theirs")],
  });
  await sendDraft(ctx, envelopeId);
  await handOver(ctx, envelopeId);
  return { envelopeId, theirs, ours };
}

/** Marks the queued e-mails as sent at the time of the story, so that none of them is sent today. */
async function handOver(ctx: Context, envelopeId: string): Promise<void> {
  const queued = await reader().signingMail.findMany({
    where: { ...own(ctx), envelopeId, state: "QUEUED" },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  for (const mail of queued) await recordSent(ctx, mail, { isReminder: false });
}

function fieldsOf(signerId: string, pageIndex: number, side: "ours" | "theirs"): NewField[] {
  const { xPct, yPct, wPct } = signatureBlocks[side];
  const field = { signerId, pageIndex, xPct, wPct, required: true, options: [], coversText: false };
  return [
    { ...field, type: "SIGNATURE", yPct, hPct: 5.5 },
    { ...field, type: "TEXT", yPct: yPct + 8, hPct: 2.2, label: "Position" },
    { ...field, type: "DATE_SIGNED", yPct: yPct + 11.5, hPct: 2.2 },
  ];
}

const phone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1";
const desktop =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/154.0.0.0 Safari/537.36";

/** Creates a link for a signer and a session opened with it. */
function visit(ctx: Context, signerId: string): Promise<string> {
  return change(ctx, async (tx) => {
    skipAudit();
    const { id: linkId } = await createLink(tx, ctx, signerId);
    const id = randomUUID();
    const expiresAt = new Date(ctx.now.getTime() + 60 * 60 * 1000);
    const cookieHash = tokenHash(newToken());
    await tx.signerSession.create({
      data: { ...own(ctx), id, signerId, linkId, cookieHash, createdAt: ctx.now, expiresAt },
    });
    return id;
  });
}

/** Performs a signer's act at the context's time. */
export async function act(
  ctx: Context,
  request: Request,
  { who, does, as, reason }: SigningAct,
): Promise<void> {
  const signer = await reader().signer.findFirstOrThrow({ where: { ...own(ctx), id: request[who] } });
  const { id, name, email } = signer;
  const place =
    who === "theirs" ? { ip: "203.0.113.58", userAgent: phone } : { ip: "198.51.100.14", userAgent: desktop };
  const signing: Context = {
    ...ctx,
    ...place,
    actor: { kind: "signer", id, name, email, session: await visit(ctx, id) },
  };
  await recordViewed(signing);
  if (does === "declines") await decline(signing, reason ?? "");
  if (does === "signs") await sign(signing, name, as ?? "Director");
  await handOver(ctx, request.envelopeId);
}

async function sign(signing: Context, name: string, position: string): Promise<void> {
  await giveConsent(signing, consentHash);
  await adoptSignature(signing, { kind: "typed", text: name });
  const fields = await reader().signatureField.findMany({
    where: { ...own(signing), signerId: signing.actor.id },
  });
  await finish(signing, {
    values: fields
      .filter(({ type }) => type !== "DATE_SIGNED")
      .map(({ id: fieldId, type }) => ({ fieldId, value: type === "SIGNATURE" || position })),
  });
}
