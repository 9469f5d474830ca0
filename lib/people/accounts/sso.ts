/** Signing in elsewhere: what another service says of a person, and what that is good for here. */
import type { Visit } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { settings } from "#lib/core/env.ts";
import { atomicHousekeeping, housekeeping } from "#lib/core/housekeeping.ts";
import { pendingInvitations } from "#lib/people/members/invitations.ts";
import { claimAccount } from "#lib/people/users/access.ts";
import { openSession } from "#lib/people/users/sessions.ts";
import { findUser, newAccount, saveAccount, type User } from "#lib/people/users/users.ts";
import { changeAccount, passwordChanged } from "./everywhere.ts";
import { confirmsAddresses } from "./sign-up.ts";

/** What the other service vouches for. */
export interface Profile {
  /** When the person last entered their password there, if it says so. */
  authenticatedAt: Date | null;
  email: string | null;
  isEmailVerified: boolean;
  name: string | null;
}

/** The services that the operator has set up. */
function configuredProviders(): { id: "oidc" | "google"; name: string }[] {
  const { OIDC_ISSUER, OIDC_NAME, GOOGLE_CLIENT_ID } = settings();
  return [
    ...(OIDC_ISSUER ? [{ id: "oidc" as const, name: OIDC_NAME }] : []),
    ...(GOOGLE_CLIENT_ID ? [{ id: "google" as const, name: "Google" }] : []),
  ];
}

/** How people come in here: what the pages before signing in show. */
export function signInMethods() {
  return {
    signUp: settings().SIGN_UP,
    confirmsAddresses: confirmsAddresses(),
    providers: configuredProviders(),
  };
}

/** Why someone who was let in there is not let in here: codes for the sign-in page. */
export class NotLetIn extends Error {
  readonly code: "email_not_verified" | "no_account" | "other_account" | "not_asked_again";

  constructor(code: NotLetIn["code"]) {
    super(code);
    this.code = code;
  }
}

/**
 * Signs in by a verified address: the account that has it; a new one where someone invited the address, or
 * where signing up is open. An address that is not verified proves nothing: anyone can claim one. Invitations wait
 * until the person says yes to them: anyone can send one.
 */
export async function signInWithSso(profile: Profile, visit: Visit): Promise<string> {
  const { email } = profile;
  if (!email || !profile.isEmailVerified) throw new NotLetIn("email_not_verified");
  const known = await findUser(email);
  if (known) {
    if (known.emailVerifiedAt === null) await handOver(known, visit);
    return openSession(known, visit, provedAt(profile, visit));
  }
  const invited = await pendingInvitations(email, visit.now);
  if (invited.length === 0 && settings().SIGN_UP === "closed") throw new NotLetIn("no_account");
  const account = newAccount({ email, name: nameFrom(profile), passwordHash: null });
  await atomicHousekeeping((tx: Transaction) => saveAccount(tx, account, visit.now));
  return openSession(account, visit, provedAt(profile, visit));
}

/**
 * Coming in is not proving who one is: the other service may have let a browser in that it has known for weeks. That
 * counts for what has to be confirmed only as far as the service says when the person proved it there.
 */
function provedAt({ authenticatedAt }: Profile, { now }: Visit): Date | null {
  return authenticatedAt && authenticatedAt <= now ? authenticatedAt : null;
}

/** How far the clocks of two services may be apart. */
const skewMs = 60_000;

/**
 * Someone without a password confirms that it is them: they have just been asked to prove it at the service that
 * they sign in with. A service that does not say when they did (`saysWhen` false: Google) is believed that it asked.
 */
export async function confirmWithSso(
  profile: Profile,
  session: { id: string; user: { email: string } },
  { begunAt, saysWhen, now }: { begunAt: Date; saysWhen: boolean; now: Date },
): Promise<void> {
  if (!profile.isEmailVerified || profile.email?.toLowerCase() !== session.user.email.toLowerCase()) {
    throw new NotLetIn("other_account");
  }
  const since = begunAt.getTime() - skewMs;
  const at = profile.authenticatedAt?.getTime() ?? (saysWhen ? 0 : now.getTime());
  if (at < since) throw new NotLetIn("not_asked_again");
  await housekeeping((store) =>
    store.session.update({ where: { id: session.id }, data: { passwordConfirmedAt: now } }),
  );
}

/** Someone made the account without proving the address, and here is who it belongs to. */
async function handOver(user: User, visit: Visit): Promise<void> {
  const entry = passwordChanged(user, "The address was proved by signing in elsewhere: no password is set");
  await changeAccount(user, visit, entry, (tx) =>
    claimAccount(tx, user, { passwordHash: null, now: visit.now }),
  );
}

function nameFrom({ name, email }: Profile): string {
  return (name?.replace(/[\p{Cc}\s]+/gu, " ").trim() || email?.split("@")[0] || "New member").slice(0, 200);
}
