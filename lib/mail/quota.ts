/**
 * Limits the e-mails that one address gets in an hour, whether strangers type it into a form, workspaces invite it or
 * ask for its signature, or a signer asks for codes. A mail over the limit waits until there is room; only one that
 * repeats an earlier mail is dropped (maySendNow).
 */
import { createHash } from "node:crypto";
import { clock } from "#lib/core/clock.ts";
import type { Transaction } from "#lib/core/db.ts";
import { settings } from "#lib/core/env.ts";
import type { Template } from "./templates.ts";

/**
 * `account`: anyone can cause it without signing in. `hint`: the same, but it contains nothing new. `code`: a signer
 * waits for it. `guest`: any workspace can send it to any address. `member`: a workspace sends it only to its members.
 */
type Kind = "account" | "hint" | "code" | "guest" | "member";

const kinds: Record<Template, Kind> = {
  "sign-up": "account",
  "sign-up-known": "hint",
  "password-reset": "account",
  "signing-code": "code",
  invitation: "guest",
  "signing-request": "guest",
  "signing-delegated": "member",
  "signing-declined": "guest",
  "signing-voided": "guest",
  "signing-expired": "guest",
  "signing-completed": "guest",
  "signing-link-copied": "guest",
  notice: "member",
  "password-changed": "member",
  "admin-by-key": "member",
  "webhook-disabled": "member",
  "audit-checkpoint": "member",
  "audit-broken": "member",
};

/**
 * The limits that a mail counts against, per hour. No kind delays another, except that a hint, at most one an hour,
 * takes a place of the account mails. So inviting an address a hundred times delays neither the mails of its own
 * workspaces nor the link for a new password.
 */
function limitsOf(kind: Kind, quota: number): { kinds: Kind[]; most: number }[] {
  if (kind === "member" || kind === "guest") return [{ kinds: [kind], most: quota }];
  if (kind === "code") return [{ kinds: ["code"], most: Math.ceil(quota / 2) }];
  // At least two: the other one is left for a link when a hint has taken its place.
  const strangers = { kinds: ["account", "hint"] satisfies Kind[], most: Math.max(2, Math.ceil(quota / 4)) };
  return kind === "hint" ? [strangers, { kinds: ["hint"], most: 1 }] : [strangers];
}

/** One mail: its id, recipient and kind. */
export interface Turn {
  id: string;
  address: string;
  template: Template;
}

/**
 * Returns when this mail may be sent: now, or an hour after the mail whose place it takes. Repeated calls for the same
 * id return the same. Locks the address until the commit, so a transaction with other locks must use only one address.
 */
export async function takeTurn(tx: Transaction, turn: Turn): Promise<{ dueAt: Date; mustWait: boolean }> {
  const quota = settings().MAILS_PER_ADDRESS_PER_HOUR;
  if (quota === 0) return { dueAt: clock(), mustWait: false };
  const kind = kinds[turn.template];
  const address = createHash("sha256").update(turn.address.trim().toLowerCase()).digest();
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${address.toString("hex")}, 0))`;
  // Uses the database's clock, which is the same for all servers and the queue.
  const [{ now } = { now: new Date() }] = await tx.$queryRaw<{ now: Date }[]>`SELECT now()`;
  const known = await tx.mailTurn.findUnique({ where: { id: turn.id } });
  if (known) return { dueAt: known.dueAt, mustWait: known.dueAt > now };
  let dueAt = now;
  for (const { kinds: counted, most } of limitsOf(kind, quota)) {
    const [last] = await tx.mailTurn.findMany({
      where: { addressHash: address, kind: { in: counted } },
      orderBy: { dueAt: "desc" },
      skip: most - 1,
      take: 1,
    });
    if (last) dueAt = new Date(Math.max(dueAt.getTime(), last.dueAt.getTime() + hourMs));
  }
  await tx.mailTurn.create({ data: { id: turn.id, addressHash: address, kind, dueAt } });
  return { dueAt, mustWait: dueAt > now };
}

const hourMs = 60 * 60 * 1000;

/**
 * Whether this mail may be sent now. If not, it takes no place, because a waiting mail would only make later ones wait
 * as well.
 */
export async function maySendNow(tx: Transaction, turn: Turn): Promise<boolean> {
  const { mustWait } = await takeTurn(tx, turn);
  if (mustWait) await tx.mailTurn.deleteMany({ where: { id: turn.id } });
  return !mustWait;
}

/** Deletes turns that no longer count. */
export async function forgetTurns(tx: Transaction): Promise<void> {
  await tx.$executeRaw`DELETE FROM mail_turns WHERE due_at < now() - interval '1 day'`;
}
