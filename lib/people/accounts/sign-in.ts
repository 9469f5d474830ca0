/** Signs in with a password, and lets signed-in people confirm and change theirs. */
import { z } from "zod";
import { change } from "#lib/core/change.ts";
import { type SignedIn, systemContext, type Visit } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { invalid, Refusal } from "#lib/core/errors.ts";
import { housekeeping } from "#lib/core/housekeeping.ts";
import { queueMail } from "#lib/mail/queue.ts";
import { endAccess } from "#lib/people/users/access.ts";
import { hashPassword, verifyPassword } from "#lib/people/users/passwords.ts";
import { lastUsed, openSession, type Person } from "#lib/people/users/sessions.ts";
import { findUser, type User } from "#lib/people/users/users.ts";
import { changeAccount, passwordChanged } from "./change-account.ts";
import { defer } from "./deferred.ts";
import { linkTo } from "./mailed-links.ts";
import type { PasswordChange, SignIn } from "./schema.ts";
import { countGuess, countSignIn, type Guesser } from "./throttle.ts";

/**
 * Signs in with a password and returns the session's id. A wrong password, an unknown address and an account without a
 * password are rejected with the same message after the same work.
 */
export async function signIn({ email, password }: SignIn, visit: Visit): Promise<string> {
  const user = await provePassword(email, password, visit);
  if (user) {
    await countSignIn(user.id);
    return openSession(user, visit, visit.now, user.passwordHash);
  }
  const { requestId, ip, userAgent, now } = visit;
  await defer("accounts.failed", { email, requestId, ip, userAgent, now });
  throw new Refusal("forbidden", "The e-mail address or the password is wrong.");
}

/** Returns the account if this is its password. Only wrong passwords count against the limit. */
export async function provePassword(
  email: string,
  password: string,
  visit: Guesser,
): Promise<User | undefined> {
  const takeBack = await countGuess("password", visit, email);
  try {
    const user = await findUser(email);
    const isRight = await verifyPassword(user?.passwordHash ?? null, password);
    if (!isRight) return undefined;
    await takeBack();
    return user;
  } catch (error) {
    // The password was not found to be wrong.
    await takeBack();
    throw error;
  }
}

const Failed = z.object({
  email: z.string(),
  requestId: z.string().nullable(),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  now: z.coerce.date(),
});

/** The job that records a failed sign-in in the audit log of the account's last used workspace, if there is one. */
export async function recordFailedSignIn(payload: unknown): Promise<void> {
  const { email, ...visit } = Failed.parse(payload);
  const user = await findUser(email);
  const membership = user && (await lastUsed(user.id));
  if (!user || !membership) return;
  const ctx = { ...systemContext(membership.organizationId, "sign-in"), ...visit };
  await change(ctx, async (_, record) => {
    record({ action: "USER_SIGN_IN_FAILED", target: { type: "user", id: user.id } });
  });
}

/** Confirms the password of a signed-in person. For ten minutes, operations that require this are then allowed. */
export async function confirmPassword(person: SignedIn, { password }: { password: string }): Promise<void> {
  const { user, session, now } = person;
  if (!(await provePassword(user.email, password, person))) throw wrongPassword("password");
  await housekeeping((store) =>
    store.session.update({ where: { id: session.id }, data: { passwordConfirmedAt: now } }),
  );
}

/** Changes the person's password and ends all their other access. */
export async function changePassword(person: SignedIn, input: PasswordChange): Promise<void> {
  const { user, session, now } = person;
  const known = await provePassword(user.email, input.currentPassword, person);
  if (!known) throw wrongPassword("currentPassword");
  const use = { path: "newPassword", about: [user.email, user.name] };
  const passwordHash = await hashPassword(input.newPassword, use);
  await changeAccount(user, person, passwordChanged(user), async (tx) => {
    const { count } = await tx.user.updateMany({
      // Of two concurrent changes, the second no longer has the right current password.
      where: { id: user.id, passwordHash: known.passwordHash },
      data: { passwordHash, updatedAt: now },
    });
    if (count === 0) throw wrongPassword("currentPassword");
    await endAccess(tx, user, now, { exceptSession: session.id });
    await notifyOfNewPassword(tx, user, now);
  });
}

/** Mails a notice of the new password, so that the owner of a stolen account finds out. */
export async function notifyOfNewPassword(tx: Transaction, user: Person, now: Date): Promise<void> {
  const to = { address: user.email, name: user.name };
  const data = { url: linkTo("/forgotten-password") };
  await queueMail(tx, { organizationId: null, now }, { template: "password-changed", to, data });
}

const wrongPassword = (path: string) => invalid({ path, message: "is not your password" });
