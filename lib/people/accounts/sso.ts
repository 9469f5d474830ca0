/** Single sign-on: evaluates what another service states about a person. */
import type { Visit } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { settings } from "#lib/core/env.ts";
import { atomicHousekeeping, housekeeping } from "#lib/core/housekeeping.ts";
import { pendingInvitations } from "#lib/people/members/invitations.ts";
import { claimAccount } from "#lib/people/users/access.ts";
import { openSession } from "#lib/people/users/sessions.ts";
import { findUser, newAccount, saveAccount, type User } from "#lib/people/users/users.ts";
import { changeAccount, passwordChanged } from "./change-account.ts";
import { confirmsAddresses } from "./sign-up.ts";

/** What the other service states about a person. */
export interface Profile {
  /** When the person last entered their password there, if it says so. */
  authenticatedAt: Date | null;
  email: string | null;
  isEmailVerified: boolean;
  name: string | null;
}

/** The services that the operator has configured. */
function configuredProviders(): { id: "oidc" | "google"; name: string }[] {
  const { OIDC_ISSUER, OIDC_NAME, GOOGLE_CLIENT_ID } = settings();
  return [
    ...(OIDC_ISSUER ? [{ id: "oidc" as const, name: OIDC_NAME }] : []),
    ...(GOOGLE_CLIENT_ID ? [{ id: "google" as const, name: "Google" }] : []),
  ];
}

/** The ways to sign in and sign up, for the pages before signing in. */
export function signInMethods() {
  return {
    signUp: settings().SIGN_UP,
    confirmsAddresses: confirmsAddresses(),
    providers: configuredProviders(),
  };
}

/** Why someone whom the other service has signed in is rejected here, as a code for the sign-in page. */
export class SignInRejected extends Error {
  readonly code: "email_not_verified" | "no_account" | "other_account" | "not_asked_again";

  constructor(code: SignInRejected["code"]) {
    super(code);
    this.code = code;
  }
}

/**
 * Signs in with a verified address: to its account, or to a new one if someone has invited the address or signing up is
 * open. Rejects an unverified address, because anyone can claim one. Accepts no invitations for the person, because
 * anyone can send one.
 */
export async function signInWithSso(profile: Profile, visit: Visit): Promise<string> {
  const { email } = profile;
  if (!email || !profile.isEmailVerified) throw new SignInRejected("email_not_verified");
  const known = await findUser(email);
  if (known) {
    if (known.emailVerifiedAt === null) await handOver(known, visit);
    return openSession(known, visit, provedAt(profile, visit));
  }
  const invited = await pendingInvitations(email, visit.now);
  if (invited.length === 0 && settings().SIGN_UP === "closed") throw new SignInRejected("no_account");
  const account = newAccount({ email, name: nameFrom(profile), passwordHash: null });
  await atomicHousekeeping((tx: Transaction) => saveAccount(tx, account, visit.now));
  return openSession(account, visit, provedAt(profile, visit));
}

/**
 * When the person last proved their identity, if the service states it. Signing in alone proves nothing for operations
 * that require a confirmation: the service may have recognized a browser that it has known for weeks.
 */
function provedAt({ authenticatedAt }: Profile, { now }: Visit): Date | null {
  return authenticatedAt && authenticatedAt <= now ? authenticatedAt : null;
}

/** How far the clocks of two services may differ. */
const skewMs = 60_000;

/**
 * Confirms the identity of someone without a password, whom the service that they sign in with has just asked to prove
 * it. A service that does not state when they did (`saysWhen` false: Google) is trusted to have asked.
 */
export async function confirmWithSso(
  profile: Profile,
  session: { id: string; user: { email: string } },
  { begunAt, saysWhen, now }: { begunAt: Date; saysWhen: boolean; now: Date },
): Promise<void> {
  if (!profile.isEmailVerified || profile.email?.toLowerCase() !== session.user.email.toLowerCase()) {
    throw new SignInRejected("other_account");
  }
  const since = begunAt.getTime() - skewMs;
  const at = profile.authenticatedAt?.getTime() ?? (saysWhen ? 0 : now.getTime());
  if (at < since) throw new SignInRejected("not_asked_again");
  await housekeeping((store) =>
    store.session.update({ where: { id: session.id }, data: { passwordConfirmedAt: now } }),
  );
}

/** Gives an account that was created without proving its address to the person who has now proved it. */
async function handOver(user: User, visit: Visit): Promise<void> {
  const entry = passwordChanged(user, "The address was proved by signing in elsewhere: no password is set");
  await changeAccount(user, visit, entry, (tx) =>
    claimAccount(tx, user, { passwordHash: null, now: visit.now }),
  );
}

function nameFrom({ name, email }: Profile): string {
  return (name?.replace(/[\p{Cc}\s]+/gu, " ").trim() || email?.split("@")[0] || "New member").slice(0, 200);
}
