/** The accounts of the people in tests. */
import { hashPassword } from "#lib/people/users/passwords.ts";
import { type Account, newAccount, type User } from "#lib/people/users/users.ts";

export const memberPassword = "correct horse battery";

let hash: Promise<string> | undefined;

/** One that is yet to be saved. The password of all is hashed once: that is made to be slow. */
export async function accountOf({ email, name }: Pick<User, "email" | "name">): Promise<Account> {
  hash ??= hashPassword(memberPassword);
  return newAccount({ email, name, passwordHash: await hash });
}
