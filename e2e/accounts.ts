/** The accounts of the people in tests. */
import { hashPassword } from "#lib/people/users/passwords.ts";
import { type Account, newAccount, type User } from "#lib/people/users/users.ts";

export const memberPassword = "correct horse battery";

let hash: Promise<string> | undefined;

/** Returns an account that is not saved yet. All share one password hash, because hashing is slow by design. */
export async function accountOf({ email, name }: Pick<User, "email" | "name">): Promise<Account> {
  hash ??= hashPassword(memberPassword);
  return newAccount({ email, name, passwordHash: await hash });
}
