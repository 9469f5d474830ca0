/** What lets someone in as a person besides the password, and the end of it. */
import { change } from "#lib/core/change.ts";
import { systemContext } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { Refusal } from "#lib/core/errors.ts";

interface Holder {
  id: string;
  email: string;
}

/**
 * Ends every sign-in but one, the calendar feed, connected assistants and the links for a new password: whoever got
 * hold of any of them is out.
 */
export async function endAccess(
  tx: Transaction,
  { id, email }: Holder,
  now: Date,
  { exceptSession }: { exceptSession?: string } = {},
): Promise<{ sessions: number }> {
  // A sign-in that is under way is waited for (expectPassword), so that its session ends too.
  await tx.$queryRaw`SELECT 1 FROM users WHERE id = ${id} FOR NO KEY UPDATE`;
  const { count } = await tx.session.updateMany({
    where: {
      ...{ userId: id, revokedAt: null, expiresAt: { gt: now } },
      ...(exceptSession ? { id: { not: exceptSession } } : {}),
    },
    data: { revokedAt: now },
  });
  await tx.calendarFeed.deleteMany({ where: { userId: id } });
  await tx.assistantGrant.updateMany({
    where: { userId: id, revokedAt: null },
    data: { revokedAt: now },
  });
  await tx.$executeRaw`UPDATE email_tokens SET used_at = ${now}
    WHERE purpose = 'password_reset' AND lower(email) = lower(${email}) AND used_at IS NULL`;
  return { sessions: count };
}

/**
 * Refuses a sign-in by a password that is another one by now: it was proved before, and its session would outlive the
 * end of all others. Until the commit no one sets another.
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
 * Hands an account to whoever has proved its address. Until then anyone may have made it in their name: what they
 * could come back with is void, the password above all.
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

/** In every workspace that shows the name, so that answers which were cached with the one before are known to be old. */
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
