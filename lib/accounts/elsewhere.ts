/** Signing in elsewhere: what another service says of a person, and what that is good for here. */
import type { Visit } from "#lib/context.ts";
import { database, type Transaction } from "#lib/db.ts";
import { settings } from "#lib/env.ts";
import { Refusal } from "#lib/errors.ts";
import { pendingInvitations, takeUp } from "#lib/members/invitations.ts";
import { findUser, newAccount, saveAccount, type User } from "#lib/members/users.ts";
import { openSession } from "./sessions.ts";

/** What the other service vouches for. */
export interface Profile {
  email: string | null;
  isEmailVerified: boolean;
  name: string | null;
}

/** The services that the operator has set up. */
export function configuredProviders(): { id: "oidc" | "google"; name: string }[] {
  const { OIDC_ISSUER, OIDC_NAME, GOOGLE_CLIENT_ID } = settings();
  return [
    ...(OIDC_ISSUER ? [{ id: "oidc" as const, name: OIDC_NAME }] : []),
    ...(GOOGLE_CLIENT_ID ? [{ id: "google" as const, name: "Google" }] : []),
  ];
}

/** How people come in here: what the pages before signing in show. */
export function waysIn() {
  return { signUp: settings().SIGN_UP, providers: configuredProviders() };
}

/** Why somebody who was let in there is not let in here: codes for the sign-in page. */
export class NotLetIn extends Error {
  readonly code: "email_not_verified" | "no_account";

  constructor(code: NotLetIn["code"]) {
    super(code);
    this.code = code;
  }
}

/**
 * Signs in by a verified address: the account that has it; a new one where somebody invited the address, or
 * where signing up is open. An address that is not verified proves nothing: anybody can claim one.
 */
export async function signInElsewhere(profile: Profile, visit: Visit): Promise<string> {
  const { email } = profile;
  if (!email || !profile.isEmailVerified) throw new NotLetIn("email_not_verified");
  const known = await findUser(email);
  if (known) {
    if (known.emailVerifiedAt === null) await handOver(known, visit);
    return openSession(known, visit);
  }
  const invited = await pendingInvitations(email, visit.now);
  if (invited.length === 0 && settings().SIGN_UP === "closed") throw new NotLetIn("no_account");
  const account = newAccount({ email, name: nameFrom(profile), passwordHash: null });
  if (invited.length === 0) {
    await database().prisma.$transaction((tx: Transaction) => saveAccount(tx, account, visit.now));
  }
  for (const [index, invitation] of invited.entries()) {
    await takeUp(invitation, { ...account, isNew: index === 0 }, visit).catch((error) => {
      // A seat that is gone keeps out of one workspace, not out of the others.
      if (index === 0 || !(error instanceof Refusal)) throw error;
    });
  }
  return openSession(account, visit);
}

/**
 * Somebody made the account without proving the address, and here is who it belongs to: what the other one could
 * come back with is void.
 */
async function handOver({ id }: User, { now }: Visit): Promise<void> {
  await database().prisma.$transaction([
    database().prisma.user.update({
      where: { id },
      data: { passwordHash: null, emailVerifiedAt: now, updatedAt: now },
    }),
    database().prisma.session.updateMany({
      where: { userId: id, revokedAt: null },
      data: { revokedAt: now },
    }),
    database().prisma.calendarFeed.deleteMany({ where: { userId: id } }),
  ]);
}

function nameFrom({ name, email }: Profile): string {
  return (name?.trim() || email?.split("@")[0] || "New member").slice(0, 200);
}
