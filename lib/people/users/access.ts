/** A person's means of access besides the password, and how to end them. */
import { change } from "#lib/core/change.ts";
import { systemContext } from "#lib/core/context.ts";
import { db, type Transaction } from "#lib/core/db.ts";
import { Refusal } from "#lib/core/errors.ts";
import { atomicHousekeeping } from "#lib/core/housekeeping.ts";

interface Grant {
  organizationId: string;
  id: string;
  clientName: string;
  scopes: string[];
}

/** A fixed order, so that two such changes do not deadlock. */
const byWorkspace = (one: Grant, other: Grant) => (one.organizationId < other.organizationId ? -1 : 1);

interface Holder {
  id: string;
  email: string;
}

/**
 * Ends every session but one, the calendar feed, connected assistants and password reset links: anyone who got hold
 * of one of them loses access.
 */
export async function endAccess(
  tx: Transaction,
  { id, email }: Holder,
  now: Date,
  { exceptSession }: { exceptSession?: string } = {},
): Promise<{ sessions: number }> {
  // Waits for a sign-in in progress (expectPassword), so that its session ends too.
  await tx.$queryRaw`SELECT 1 FROM users WHERE id = ${id} FOR NO KEY UPDATE`;
  const { count } = await tx.session.updateMany({
    where: {
      ...{ userId: id, revokedAt: null, expiresAt: { gt: now } },
      ...(exceptSession ? { id: { not: exceptSession } } : {}),
    },
    data: { revokedAt: now },
  });
  await tx.calendarFeed.deleteMany({ where: { userId: id } });
  const grants = await tx.assistantGrant.updateManyAndReturn({
    where: { userId: id, revokedAt: null },
    data: { revokedAt: now },
  });
  await recordRevoked(grants.filter(({ expiresAt }) => expiresAt > now).sort(byWorkspace), now);
  await tx.$executeRaw`UPDATE email_tokens SET used_at = ${now}
    WHERE purpose = 'password_reset' AND lower(email) = lower(${email}) AND used_at IS NULL`;
  return { sessions: count };
}

/** Records in each workspace that assistants lost access. The open change belongs to one workspace of the person. */
async function recordRevoked(grants: Grant[], now: Date): Promise<void> {
  for (const { organizationId, id, clientName, scopes } of grants) {
    const changes = { name: { from: clientName, to: null }, scopes: { from: scopes, to: null } };
    const entry = { action: "ASSISTANT_REVOKED", target: { type: "assistant", id }, changes } as const;
    const ctx = systemContext(organizationId, "accounts", now);
    await change(ctx, async (_, record) => record({ ...entry, reason: "The person ended all other access" }));
  }
}

/** Ends all access but one session's, for a person who has not just changed their password. */
export async function endOtherAccess(
  person: Holder,
  now: Date,
  exceptSession: string,
): Promise<{ sessions: number }> {
  const end = (tx: Transaction) => endAccess(tx, person, now, { exceptSession });
  const living = { userId: person.id, revokedAt: null, expiresAt: { gt: now } };
  const grant = await db.assistantGrant.findFirst({ where: living, orderBy: { organizationId: "asc" } });
  if (!grant) return atomicHousekeeping(end);
  return change(systemContext(grant.organizationId, "accounts", now), end);
}

/**
 * Throws if the password has changed since it was verified: the session would survive the end of all others. Nobody
 * can change it until the commit.
 */
export async function expectPassword(
  tx: Transaction,
  { id, passwordHash }: { id: string; passwordHash: string },
): Promise<void> {
  const [same] = await tx.$queryRaw<object[]>`SELECT 1 FROM users
    WHERE id = ${id} AND password_hash = ${passwordHash} FOR SHARE`;
  if (!same) throw new Refusal("forbidden", "Your password has just been changed. Sign in with the new one.");
}

/**
 * Gives an account to the person who has verified its address. Until then anyone may have created it in their name,
 * so every other means of access is revoked, above all the password.
 */
export async function claimAccount(
  tx: Transaction,
  holder: Holder,
  { passwordHash, name, now }: { passwordHash: string | null; name?: string; now: Date },
): Promise<void> {
  await endAccess(tx, holder, now);
  if (name !== undefined) await recordName(tx, holder, name, now);
  await tx.user.update({
    where: { id: holder.id },
    data: { passwordHash, emailVerifiedAt: now, updatedAt: now, ...(name === undefined ? {} : { name }) },
  });
}

/** Recorded in every workspace that shows the name, so that responses cached with the previous name become stale. */
async function recordName(tx: Transaction, { id: userId }: Holder, name: string, now: Date): Promise<void> {
  const members = await tx.member.findMany({
    where: { userId, user: { is: { name: { not: name } } } },
    select: { organizationId: true, id: true, user: { select: { name: true } } },
    orderBy: { organizationId: "asc" },
  });
  for (const { organizationId, id, user } of members) {
    const changes = { name: { from: user.name, to: name } };
    await change(systemContext(organizationId, "accounts", now), async (_, record) =>
      record({ action: "MEMBER_UPDATED", target: { type: "member", id }, changes }),
    );
  }
}
