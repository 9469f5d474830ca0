/** A forgotten password: a link is mailed, and with it a new one can be set. */

import { z } from "zod";
import { clock } from "#lib/clock.ts";
import type { Visitor } from "#lib/context.ts";
import { database } from "#lib/db.ts";
import { queueMail } from "#lib/mail.ts";
import { hashPassword } from "#lib/members/passwords.ts";
import { findUser } from "#lib/members/users.ts";
import { later } from "./later.ts";
import { findLink, followLink, keepLink, linkTo, newToken } from "./mailed-links.ts";
import { tellOfNewPassword } from "./sign-in.ts";
import { countTry } from "./throttle.ts";

/** Answers the same, after the same work, whether or not there is such an account: a job looks. */
export async function requestReset(visitor: Visitor, { email }: { email: string }): Promise<void> {
  await countTry("reset", visitor, email);
  await later("accounts.reset", { email });
}

/** The job. */
export async function mailReset(payload: unknown, now = clock()): Promise<void> {
  const { email } = z.object({ email: z.string() }).parse(payload);
  const user = await findUser(email);
  if (!user) return;
  const token = newToken();
  await database().prisma.$transaction(async (tx) => {
    await keepLink(tx, { token, purpose: "password_reset", email: user.email, now });
    const to = { address: user.email, name: user.name };
    const data = { url: linkTo(`/reset-password/${token}`) };
    await queueMail(tx, { organizationId: null, now }, { template: "password-reset", to, data });
  });
}

/** Sets the password that a mailed link allows to set. All sessions end, and all other such links. */
export async function resetPassword(
  { now }: Visitor,
  { token, password }: { token: string; password: string },
): Promise<{ email: string }> {
  const { email } = await findLink("password_reset", token, now);
  const passwordHash = await hashPassword(password);
  await followLink("password_reset", token, now, async (tx) => {
    const user = await tx.user.findFirstOrThrow({ where: { email } });
    await tx.user.update({
      where: { id: user.id },
      // Who reads the address's mail, it belongs to.
      data: { passwordHash, emailVerifiedAt: user.emailVerifiedAt ?? now, updatedAt: now },
    });
    // Until now it may have been somebody else's account in this name: see handOver in elsewhere.ts.
    if (user.emailVerifiedAt === null) await tx.calendarFeed.deleteMany({ where: { userId: user.id } });
    await tx.session.updateMany({ where: { userId: user.id, revokedAt: null }, data: { revokedAt: now } });
    await tx.emailToken.updateMany({
      where: { email, purpose: "password_reset", usedAt: null },
      data: { usedAt: now },
    });
    await tellOfNewPassword(tx, user, now);
  });
  return { email };
}
