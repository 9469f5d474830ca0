/** Users: the people behind memberships, each identified by one e-mail address. */

import { select } from "#lib/core/change.ts";
import type { Transaction } from "#lib/core/db.ts";
import { Refusal } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { claimAccount } from "./access.ts";
import { hashPassword, verifyPassword } from "./passwords.ts";

export type User = {
  id: string;
  email: string;
  name: string;
  passwordHash: string | null;
  /** When the address was verified. */
  emailVerifiedAt: string | null;
};

/**
 * An account to attach to a workspace: an existing one, a new one not saved yet, or one with an unverified address,
 * which is taken over by the person who now verifies it.
 */
export type Account = User & { isNew: boolean; isClaimed?: boolean };

export type Person = { email: string; name: string; password: string };

/** Finds a user by e-mail address, ignoring case. */
export async function findUser(email: string): Promise<User | undefined> {
  const [found] = await select<User>(
    `SELECT id, email, name, password_hash AS "passwordHash", email_verified_at AS "emailVerifiedAt"
     FROM users WHERE lower(email) = lower($1)`,
    [email],
  );
  return found;
}

/** The person's account; an existing one only with its password. */
export async function openAccount(person: Person): Promise<Account> {
  const account = await anyAccount(person);
  if (account.isNew || account.isClaimed) return account;
  if (await verifyPassword(account.passwordHash, person.password)) return account;
  throw new Refusal("forbidden", `${account.email} already has an account, and this is not its password.`);
}

/** The person's account as it is, without checking its password. Hashing is slow: do not call it in a transaction. */
export async function anyAccount({ email, name, password }: Person): Promise<Account> {
  const found = await findUser(email);
  if (found && found.emailVerifiedAt !== null) return { ...found, isNew: false };
  const passwordHash = await hashPassword(password, { about: [email, name] });
  return found ? claimed(found, { name, passwordHash }) : newAccount({ email, name, passwordHash });
}

/** The account of an address that is only now verified: name and password set earlier are replaced. */
export function claimed(user: User, { name, passwordHash }: Pick<User, "name" | "passwordHash">): Account {
  return { ...user, name, passwordHash, isNew: false, isClaimed: true };
}

/** A new account, not saved yet. */
export function newAccount(person: Pick<User, "email" | "name" | "passwordHash">): Account {
  return { ...person, id: newId("user"), emailVerifiedAt: null, isNew: true };
}

/**
 * Saves an account if it is new or taken over. A new account's address counts as verified unless the caller says
 * otherwise.
 */
export async function saveAccount(
  tx: Transaction,
  account: Account,
  now: Date,
  { isVerified = true } = {},
): Promise<void> {
  const { isNew, isClaimed, ...fields } = account;
  if (isClaimed) await claimAccount(tx, account, { ...fields, now });
  if (!isNew) return;
  const user = { ...fields, emailVerifiedAt: isVerified ? now : null };
  const data = [{ ...user, createdAt: now, updatedAt: now }];
  const { count } = await tx.user.createMany({ data, skipDuplicates: true });
  if (count === 0)
    throw new Refusal("conflict", `An account for ${account.email} has just been created. Try again.`);
}
