/** What lets someone in as a person besides the password, and the end of it. */
import type { Transaction } from "#lib/core/db.ts";

interface Holder {
  id: string;
  email: string;
}

/**
 * Ends every sign-in but one, the calendar feed and the links for a new password: whoever got hold of any of them
 * is out.
 */
export async function endAccess(
  tx: Transaction,
  { id, email }: Holder,
  now: Date,
  { exceptSession }: { exceptSession?: string } = {},
): Promise<{ sessions: number }> {
  const { count } = await tx.session.updateMany({
    where: {
      ...{ userId: id, revokedAt: null, expiresAt: { gt: now } },
      ...(exceptSession ? { id: { not: exceptSession } } : {}),
    },
    data: { revokedAt: now },
  });
  await tx.calendarFeed.deleteMany({ where: { userId: id } });
  await tx.$executeRaw`UPDATE email_tokens SET used_at = ${now}
    WHERE purpose = 'password_reset' AND lower(email) = lower(${email}) AND used_at IS NULL`;
  return { sessions: count };
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
  await tx.user.update({
    where: { id: holder.id },
    data: { passwordHash, emailVerifiedAt: now, updatedAt: now, ...(name === undefined ? {} : { name }) },
  });
}
