/** What all of a signer's actions share: who they are, whether they may act now, and the lock they take. */
import { change, type Recorder, reader } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { Refusal } from "#lib/core/errors.ts";
import type { Turn } from "#lib/core/lanes.ts";
import { addEvent } from "#lib/signatures/events.ts";
import { type Obstacle, signersOnTurn, whyCannotAct } from "#lib/signatures/lifecycle.ts";
import {
  auditSubject,
  type EnvelopeRow,
  envelopeFrom,
  findRow,
  lockRow,
  type SignerRow,
  signerOf,
} from "#lib/signatures/rows.ts";
import { isLocked } from "./screens.ts";
import { refuseEnded } from "./sessions.ts";

/** The signer that the context represents. */
export function requireSigner(ctx: Context): { id: string; session: string } {
  if (ctx.actor.kind === "signer") return ctx.actor;
  throw new Refusal("forbidden", "Only a signer can do this, with the link in their e-mail.");
}

/** Work done for one signer counts against that signer's own share. */
export function turnOfSigner(ctx: Context): Turn {
  return { share: requireSigner(ctx).id, signal: ctx.gone?.() };
}

/** The id of the signer's envelope. */
export async function envelopeIdOf(ctx: Context): Promise<string> {
  const { id } = requireSigner(ctx);
  const { envelopeId } = await reader().signer.findUniqueOrThrow({
    where: { organizationId_id: { ...own(ctx), id } },
    select: { envelopeId: true },
  });
  return envelopeId;
}

/** Throws if a signer may not act now, saying why and whom to contact. */
function refuseHindered(row: EnvelopeRow, signer: SignerRow, now: Date): void {
  const obstacle = whyCannotAct(row, signer.id, now);
  if (obstacle) throw new Refusal("invalid_transition", inWords(obstacle, row, signer));
}

function inWords(obstacle: Obstacle, row: EnvelopeRow, signer: SignerRow): string {
  if (obstacle === "over") return `Nothing can be signed any more: the request is ${row.status}.`;
  if (obstacle === "late") return "The deadline has passed. Ask the sender to extend it.";
  if (obstacle === "acted") {
    return signer.signedAt
      ? "You have already signed."
      : signer.declinedAt
        ? "You have declined."
        : "You have delegated this to someone else.";
  }
  const before = signersOnTurn(row).map(({ name }) => name);
  return `It is not your turn yet: ${before.join(" and ")} must sign first. You will get an e-mail when it is your turn.`;
}

/** The envelope, locked, for a signer whose visit is still valid at that point. */
export async function lockForSigner(tx: Transaction, ctx: Context, envelopeId: string): Promise<EnvelopeRow> {
  const row = await lockRow(tx, ctx, envelopeId);
  const { id, session } = requireSigner(ctx);
  await refuseEnded(ctx, session, signerOf(row, id));
  return row;
}

/** The visit of the context. */
export async function visitOf(ctx: Context) {
  const { session } = requireSigner(ctx);
  return reader().signerSession.findUniqueOrThrow({
    where: { organizationId_id: { ...own(ctx), id: session } },
  });
}

/** Whether the context's visit is locked. Reads the visit only if the sender requires a code. */
const isVisitLocked = async (ctx: Context, signer: SignerRow): Promise<boolean> =>
  signer.codeRequired && isLocked(signer, await visitOf(ctx));

/** Throws if the sender requires a code and this visit has not been unlocked with one. */
export async function requireCode(ctx: Context, signer: SignerRow): Promise<void> {
  if (!(await isVisitLocked(ctx, signer))) return;
  throw new Refusal("invalid_transition", "Enter the code from your e-mail first.");
}

export interface InTurn {
  tx: Transaction;
  record: Recorder;
  row: EnvelopeRow;
  signer: SignerRow;
}

/**
 * Performs one action of the signer under the envelope's lock, if they may act now. Whatever they do in two tabs
 * therefore happens once, in order and in time. `consented`: only after their consent.
 */
export async function inTurn<T>(
  ctx: Context,
  { consented }: { consented: boolean },
  work: (inTurn: InTurn) => Promise<T>,
): Promise<T> {
  const envelopeId = await envelopeIdOf(ctx);
  return change(ctx, async (tx, record) => {
    const row = await lockForSigner(tx, ctx, envelopeId);
    const signer = await signerInTurn(ctx, row, consented);
    return work({ tx, record, row, signer });
  });
}

/** Throws early, before expensive work, if the signer may not act now; `inTurn` decides under the lock. */
export async function refuseUnlessInTurn(ctx: Context, { consented }: { consented: boolean }): Promise<void> {
  await signerInTurn(ctx, await findRow(ctx, await envelopeIdOf(ctx)), consented);
}

async function signerInTurn(ctx: Context, row: EnvelopeRow, consented: boolean): Promise<SignerRow> {
  const signer = signerOf(row, requireSigner(ctx).id);
  // First, because the errors below name other people.
  await requireCode(ctx, signer);
  refuseHindered(row, signer, ctx.now);
  if (consented && !signer.consentAt) {
    throw new Refusal("invalid_transition", "Agree to sign electronically first.");
  }
  return signer;
}

/**
 * Records that the signer has opened the document: once, and only when it is their turn. Returns the envelope,
 * updated if it was changed.
 */
export async function recordViewed(ctx: Context, found?: EnvelopeRow): Promise<EnvelopeRow> {
  const { id } = requireSigner(ctx);
  const before = found ?? (await findRow(ctx, await envelopeIdOf(ctx)));
  const envelopeId = before.id;
  const signer = signerOf(before, id);
  if (signer.viewedAt || whyCannotAct(before, id, ctx.now)) return before;
  if (await isVisitLocked(ctx, signer)) return before;
  return change(ctx, async (tx, record) => {
    const row = await lockForSigner(tx, ctx, envelopeId);
    if (signerOf(row, id).viewedAt || whyCannotAct(row, id, ctx.now)) return row;
    const where = { organizationId_id: { ...own(ctx), id } };
    await tx.signer.update({ where, data: { viewedAt: ctx.now } });
    await addEvent(tx, ctx, { envelopeId, signerId: id, type: "VIEWED" });
    const viewed = await findRow(ctx, envelopeId);
    record({
      action: "SIGNATURE_REQUEST_VIEWED",
      ...auditSubject(row),
      resource: { envelope: envelopeFrom(viewed) },
    });
    return viewed;
  });
}
