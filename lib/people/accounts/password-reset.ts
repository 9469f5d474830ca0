/** Resets a forgotten password with a mailed link. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { clock } from "#lib/core/clock.ts";
import type { Visitor } from "#lib/core/context.ts";
import { atomicHousekeeping } from "#lib/core/housekeeping.ts";
import { queueMail } from "#lib/mail/queue.ts";
import { maySendNow } from "#lib/mail/quota.ts";
import { claimAccount, endAccess } from "#lib/people/users/access.ts";
import { hashPassword } from "#lib/people/users/passwords.ts";
import { findUser } from "#lib/people/users/users.ts";
import { changeAccount, passwordChanged } from "./change-account.ts";
import { defer } from "./deferred.ts";
import { consumeLink, findLink, linkTo, newToken, storeLink } from "./mailed-links.ts";
import { notifyOfNewPassword } from "./sign-in.ts";
import { countGuess } from "./throttle.ts";

/** Requests a link. A job looks up the account, so the response and its time do not reveal whether one exists. */
export async function requestReset(visitor: Visitor, { email }: { email: string }): Promise<void> {
  await countGuess("reset", visitor, email);
  await defer("accounts.reset", { email, mailId: randomUUID() });
}

/**
 * The job that mails the link. Sends nothing if the address has reached its limit for the hour: the links already sent
 * within it still work, and repeated requests leave nothing waiting.
 */
export async function mailReset(payload: unknown, now = clock()): Promise<void> {
  const { email, mailId } = z.object({ email: z.string(), mailId: z.uuid() }).parse(payload);
  const user = await findUser(email);
  if (!user) return;
  const turn = { id: mailId, address: user.email, template: "password-reset" as const };
  if (!(await atomicHousekeeping((tx) => maySendNow(tx, turn)))) return;
  const token = newToken();
  await atomicHousekeeping(async (tx) => {
    await storeLink(tx, { token, purpose: "password_reset", email: user.email, now });
    const to = { address: user.email, name: user.name };
    const data = { url: linkTo(`/reset-password/${token}`) };
    await queueMail(tx, { organizationId: null, now }, { template: "password-reset", to, data }, mailId);
  });
}

/** Sets a new password with a mailed link. Ends all sessions and all other such links. */
export async function resetPassword(
  visitor: Visitor,
  { token, password }: { token: string; password: string },
): Promise<{ email: string }> {
  const { now } = visitor;
  const { email } = await findLink("password_reset", token, now);
  const user = await findUser(email);
  if (!user) throw new Error(`A link for a new password names ${email}, which has no account.`);
  const passwordHash = await hashPassword(password, { about: [user.email, user.name] });
  const entry = passwordChanged(user, "by a link that was mailed");
  await changeAccount(user, visitor, entry, async (tx) => {
    await consumeLink(tx, "password_reset", token, now);
    // The link proves that the account's address belongs to whoever has it.
    if (user.emailVerifiedAt === null) await claimAccount(tx, user, { passwordHash, now });
    else {
      await tx.user.update({ where: { id: user.id }, data: { passwordHash, updatedAt: now } });
      await endAccess(tx, user, now);
    }
    await notifyOfNewPassword(tx, user, now);
  });
  return { email };
}
