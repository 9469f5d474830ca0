/** Accepting an invitation: as a new person, or with the account that the address has. */
import type { Visitor } from "#lib/context.ts";
import { database } from "#lib/db.ts";
import { type Issue, invalid, Refusal } from "#lib/errors.ts";
import { type FoundInvitation, findInvitation, takeUp } from "#lib/members/invitations.ts";
import { hashPassword } from "#lib/members/passwords.ts";
import { type Account, findUser, newAccount, type User } from "#lib/members/users.ts";
import type { Acceptance } from "./schema.ts";
import { provePassword } from "./sign-in.ts";

/** What the page of an invitation shows and asks for. */
export async function readInvitation(visitor: Visitor, { token }: { token: string }) {
  const found = await findInvitation(token, visitor.now);
  const user = await findUser(found.email);
  return { ...found, hasAccount: user !== undefined, isSignedIn: isSignedIn(visitor, user) };
}

const isSignedIn = ({ signedIn }: Visitor, user: User | undefined) =>
  user !== undefined && signedIn?.user.id === user.id;

export async function acceptAsVisitor(
  visitor: Visitor,
  input: Acceptance,
): Promise<{ organizationId: string; email: string }> {
  const found = await findInvitation(input.token, visitor.now);
  if (found.status !== "pending") throw new Refusal("conflict", `This invitation is ${found.status}.`);
  const account = await accountFor(found, visitor, input);
  const { organizationId } = await takeUp(found, account, visitor);
  const { prisma } = database();
  // The link was mailed: who has it reads the address's mail.
  if (account.emailVerifiedAt === null && !account.isNew) {
    await prisma.user.update({ where: { id: account.id }, data: { emailVerifiedAt: visitor.now } });
  }
  if (visitor.signedIn) {
    await prisma.session.update({ where: { id: visitor.signedIn.session.id }, data: { organizationId } });
  }
  return { organizationId, email: account.email };
}

async function accountFor({ email }: FoundInvitation, visitor: Visitor, input: Acceptance): Promise<Account> {
  const user = await findUser(email);
  if (isSignedIn(visitor, user)) return { ...user!, isNew: false };
  if (visitor.signedIn) {
    const { email: other } = visitor.signedIn.user;
    throw new Refusal("forbidden", `The invitation is for ${email}, and you are ${other}. Sign out first.`);
  }
  const { name, password } = input;
  const missing: Issue[] = [];
  if (!user && name === undefined) missing.push({ path: "name", message: "is required" });
  if (password === undefined) missing.push({ path: "password", message: "is required" });
  if (missing.length > 0 || password === undefined) throw invalid(...missing);
  if (!user) return newAccount({ email, name: name ?? "", passwordHash: await hashPassword(password) });
  const proved = await provePassword(email, password, visitor);
  if (!proved) throw invalid({ path: "password", message: "is not the password of this account" });
  return { ...proved, isNew: false };
}
