/** Accepts an invitation, for a new person or with the account of the invited address. */
import type { Visitor } from "#lib/core/context.ts";
import { type Issue, invalid, Refusal } from "#lib/core/errors.ts";
import { housekeeping } from "#lib/core/housekeeping.ts";
import { type FoundInvitation, findInvitation, joinAsInvited } from "#lib/people/members/invitations.ts";
import { hashPassword } from "#lib/people/users/passwords.ts";
import { type Account, claimed, findUser, newAccount, type User } from "#lib/people/users/users.ts";
import { type Acceptance, NewPassword } from "./schema.ts";
import { provePassword } from "./sign-in.ts";

/** Reads what the page of an invitation shows and asks for. */
export async function readInvitation(visitor: Visitor, { token }: { token: string }) {
  const found = await findInvitation(token, visitor.now);
  const user = await findUser(found.email);
  return { ...found, hasAccount: isProved(user), isSignedIn: isSignedIn(visitor, user) };
}

/** An account with an unverified address counts as none: anyone may have created it. */
const isProved = (user: User | undefined): user is User =>
  user !== undefined && user.emailVerifiedAt !== null;

const isSignedIn = ({ signedIn }: Visitor, user: User | undefined) =>
  isProved(user) && signedIn?.user.id === user.id;

export async function acceptAsVisitor(
  visitor: Visitor,
  input: Acceptance,
): Promise<{ organizationId: string; email: string }> {
  const found = await findInvitation(input.token, visitor.now);
  if (found.status !== "pending") throw new Refusal("conflict", `This invitation is ${found.status}.`);
  const account = await accountFor(found, visitor, input);
  const { organizationId } = await joinAsInvited(found, account, visitor);
  const { signedIn } = visitor;
  if (signedIn) {
    await housekeeping((store) =>
      store.session.update({
        where: { id: signedIn.session.id },
        data: { organizationId },
      }),
    );
  }
  return { organizationId, email: account.email };
}

async function accountFor({ email }: FoundInvitation, visitor: Visitor, input: Acceptance): Promise<Account> {
  const user = await findUser(email);
  if (user && isSignedIn(visitor, user)) return { ...user, isNew: false };
  if (visitor.signedIn && visitor.signedIn.user.id !== user?.id) {
    const { email: other } = visitor.signedIn.user;
    throw new Refusal("forbidden", `The invitation is for ${email}, and you are ${other}. Sign out first.`);
  }
  const { name, password } = isProved(user) ? { name: "", password: input.password } : newPerson(input);
  if (password === undefined) throw invalid({ path: "password", message: "is required" });
  if (isProved(user)) {
    const proved = await provePassword(email, password, visitor);
    if (!proved) throw invalid({ path: "password", message: "is not the password of this account" });
    return { ...proved, isNew: false };
  }
  const passwordHash = await hashPassword(password, { about: [email, name] });
  // The link was mailed, so whoever has it receives the address's mail.
  return user ? claimed(user, { name, passwordHash }) : newAccount({ email, name, passwordHash });
}

/** Requires a new person's name and password, and reports all issues at once. */
function newPerson({ name, password }: Acceptance): { name: string; password: string } {
  const chosen = NewPassword.safeParse(password);
  const missing: Issue[] = [];
  if (name === undefined) missing.push({ path: "name", message: "is required" });
  for (const { message } of chosen.error?.issues ?? []) missing.push({ path: "password", message });
  if (name === undefined || !chosen.success) throw invalid(...missing);
  return { name, password: chosen.data };
}
