/**
 * Unsubscribe links in e-mails, which need no sign-in (RFC 8058). They contain whose and which e-mails to end,
 * authenticated with the secret key. Nothing is stored for them, and they do not expire.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { db } from "#lib/core/db.ts";
import { keyFor } from "#lib/core/encryption.ts";
import { settings } from "#lib/core/env.ts";
import { Refusal } from "#lib/core/errors.ts";
import { atomicHousekeeping } from "#lib/core/housekeeping.ts";
import type { Channels } from "./catalogue.ts";
import { kindsOf, type Unsubscribable, type Unsubscribing, unsubscribables } from "./schema.ts";
import { defaultsFrom, lockChosen } from "./settings.ts";

interface Link {
  organizationId: string;
  userId: string;
  what: Unsubscribable;
}

const purpose = "link that unsubscribes";

const proofOf = (payload: string, secretKey?: string) =>
  createHmac("sha256", keyFor(purpose, secretKey)).update(payload).digest();

export function unsubscribeToken({ organizationId, userId, what }: Link): string {
  const payload = Buffer.from(JSON.stringify([organizationId, userId, what])).toString("base64url");
  return `${payload}.${proofOf(payload).toString("base64url")}`;
}

/** The page for people, and the address that mail programs post to. */
export const unsubscribePage = (token: string) => `${settings().BASE_URL}/unsubscribe/${token}`;
export const unsubscribeAddress = (token: string) => `${settings().BASE_URL}/api/unsubscribe/${token}`;

/** Verifies and reads a link. Also accepts one that was signed with the previous secret key. */
function readLink(token: string): Link {
  const [payload = "", proof = ""] = token.split(".");
  const given = Buffer.from(proof, "base64url");
  const { SECRET_KEY_PREVIOUS } = settings();
  const proofs = [proofOf(payload), ...(SECRET_KEY_PREVIOUS ? [proofOf(payload, SECRET_KEY_PREVIOUS)] : [])];
  if (!proofs.some((proved) => proved.length === given.length && timingSafeEqual(proved, given))) {
    throw invalidLink();
  }
  const [organizationId, userId, said] = JSON.parse(Buffer.from(payload, "base64url").toString());
  const what = unsubscribables.find((each) => each === said);
  if (!what) throw invalidLink();
  return { organizationId, userId, what };
}

function invalidLink(): Refusal {
  return new Refusal("not_found", "This link is not complete. Copy all of it from the e-mail.");
}

export async function findUnsubscribing(token: string): Promise<Unsubscribing> {
  const { organizationId, userId, what } = readLink(token);
  const [member, defaults, row] = await Promise.all([
    db.member.findUnique({
      where: { organizationId_userId: { organizationId, userId } },
      select: { user: { select: { email: true } }, organization: { select: { name: true } } },
    }),
    db.notificationDefaults.findUnique({ where: { organizationId } }),
    db.notificationSettings.findUnique({
      where: { organizationId_userId: { organizationId, userId } },
    }),
  ]);
  if (!member) throw invalidLink();
  const channels = {
    ...defaultsFrom(defaults).channels,
    ...(row?.channels as Partial<Channels> | undefined),
  };
  const isOver = kindsOf[what].every((kind) => channels[kind] !== "EMAIL");
  return { workspaceName: member.organization.name, email: member.user.email, what, isOver };
}

/** Ends e-mails of these kinds. The inbox stays on: someone who has the e-mail can only end such e-mails. */
export async function unsubscribe(token: string, now: Date): Promise<void> {
  const link = readLink(token);
  const { isOver } = await findUnsubscribing(token);
  if (isOver) return;
  const { organizationId, userId, what } = link;
  await atomicHousekeeping(async (tx) => {
    const { chosen } = await lockChosen(tx, { organizationId, userId }, now);
    const defaults = defaultsFrom(await tx.notificationDefaults.findUnique({ where: { organizationId } }));
    const mailed = kindsOf[what].filter((kind) => (chosen[kind] ?? defaults.channels[kind]) === "EMAIL");
    const channels = { ...chosen, ...Object.fromEntries(mailed.map((kind) => [kind, "APP"])) };
    const where = { organizationId_userId: { organizationId, userId } };
    await tx.notificationSettings.update({ where, data: { channels, updatedAt: now } });
  });
}
