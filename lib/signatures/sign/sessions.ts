/** Signers' sessions: a link is exchanged for a visit, identified by a cookie. Only hashes of both are stored. */
import { randomUUID } from "node:crypto";
import { select } from "#lib/core/change.ts";
import { asOrganization, type Context } from "#lib/core/context.ts";
import { db } from "#lib/core/db.ts";
import { Refusal } from "#lib/core/errors.ts";
import { atomicHousekeeping, housekeeping } from "#lib/core/housekeeping.ts";
import { limiter, refuseOverLimit } from "#lib/core/limits/limiter.ts";
import { newToken, tokenHash } from "#lib/signatures/links.ts";
import { departedSigners } from "#lib/signatures/membership.ts";

/** Long enough to read a long contract; afterwards the link opens it again. */
const lifetimeMs = 12 * 60 * 60 * 1000;

/** Where a signer's request comes from. */
export type Visit = Pick<Context, "requestId" | "ip" | "userAgent" | "now" | "gone">;

type Person = { id: string; name: string; email: string };

function contextOf(
  visit: Visit,
  organizationId: string,
  { id, name, email }: Person,
  session: string,
): Context {
  const { requestId, ip, userAgent, now, gone } = visit;
  return {
    organizationId: asOrganization(organizationId),
    actor: { kind: "signer", id, name, email, session },
    scopes: [],
    ...{ requestId, ip, userAgent, now, gone, seq: null, ifMatch: null },
  };
}

const deadLink = () =>
  new Refusal(
    "not_found",
    "This link does not work, or no longer does. Use the link in the latest e-mail, or ask the sender for a new one.",
  );

/** Begins a visit. The returned cookie value exists nowhere else. */
export async function openVisit(token: string, visit: Visit): Promise<{ ctx: Context; cookie: string }> {
  const link = await db.signerLink.findUnique({
    where: { tokenHash: tokenHash(token) },
    include: { signer: true },
  });
  if (!link || link.revokedAt || link.expiresAt <= visit.now || (await hasLostAccess(link.signer)))
    throw deadLink();
  const { organizationId, id: linkId, signerId, signer } = link;
  await refuseTooMany(linkId);
  const [id, cookie, now] = [randomUUID(), newToken(), visit.now];
  const expiresAt = new Date(now.getTime() + lifetimeMs);
  await atomicHousekeeping(async (tx) => {
    await tx.signerSession.create({
      data: {
        organizationId,
        id,
        signerId,
        linkId,
        cookieHash: tokenHash(cookie),
        createdAt: now,
        expiresAt,
      },
    });
    await tx.signerLink.updateMany({
      where: { organizationId, id: linkId, exchangedAt: null },
      data: { exchangedAt: now },
    });
  });
  return { ctx: contextOf(visit, organizationId, signer, id), cookie };
}

/** A visit is a row that stays for days, so one link opens a limited number per hour, regardless of who uses it. */
const maxVisits = 120;

const refuseTooMany = (linkId: string): Promise<void> =>
  refuseOverLimit(limiter("visits", maxVisits, 3600), linkId, (seconds) => {
    const minutes = Math.ceil(seconds / 60);
    return `This link was opened too often. Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`;
  });

/** Continues a visit: the cookie must belong to this signer's visit, and its link must not be revoked. */
export async function findVisit(signerId: string, cookie: string, visit: Visit): Promise<Context> {
  const found = await db.signerSession.findUnique({
    where: { cookieHash: tokenHash(cookie) },
    include: { signer: true, link: { select: { revokedAt: true } } },
  });
  if (found?.signerId !== signerId || found.link.revokedAt || found.expiresAt <= visit.now)
    throw sessionEnded();
  if (await hasLostAccess(found.signer)) throw sessionEnded();
  return contextOf(visit, found.organizationId, found.signer, found.id);
}

/**
 * Throws if a visit has ended since it was found. Called under the envelope's lock, as revoking links is, so that a
 * request which waited for the lock cannot act on a link that has been revoked.
 */
export async function refuseEnded(
  { organizationId, now }: Context,
  session: string,
  signer: Signing,
): Promise<void> {
  const [visit] = await select<{ holds: boolean }>(
    `SELECT l.revoked_at IS NULL AND v.expires_at > $3::timestamptz AS holds
     FROM signer_sessions v JOIN signer_links l ON l.organization_id = v.organization_id AND l.id = v.link_id
     WHERE v.organization_id = $1 AND v.id = $2`,
    [organizationId, session, now.toISOString()],
  );
  if (!visit?.holds || (await hasLostAccess(signer))) throw sessionEnded();
}

const sessionEnded = () =>
  new Refusal("forbidden", "Your session has ended. Open the link in your latest e-mail again.");

interface Signing {
  organizationId: string;
  id: string;
  userId: string | null;
  signedAt: Date | null;
}

/** A member who has left the workspace cannot sign for it; they can still read what they signed before. */
async function hasLostAccess({ organizationId, signedAt, ...signer }: Signing): Promise<boolean> {
  if (signedAt) return false;
  return (await departedSigners({ organizationId: asOrganization(organizationId) }, [signer])).size > 0;
}

/** Deletes visits that ended a week ago. */
export async function forgetOldVisits(now: Date): Promise<void> {
  const before = new Date(now.getTime() - 7 * 24 * 60 * 60 * 1000);
  await housekeeping((store) => store.signerSession.deleteMany({ where: { expiresAt: { lt: before } } }));
}
