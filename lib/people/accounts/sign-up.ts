/**
 * Signing up creates a person and a workspace that they own. If the server sends mail, the address is confirmed first:
 * nothing is created and no password is set until someone who receives its mail follows the link, and the response is
 * the same whether or not it has an account. If it does not (a first look on one machine), the account is created at
 * once, and the response reveals an existing account.
 */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { clock } from "#lib/core/clock.ts";
import type { Visit, Visitor } from "#lib/core/context.ts";
import { settings } from "#lib/core/env.ts";
import { invalid, Refusal } from "#lib/core/errors.ts";
import { atomicHousekeeping } from "#lib/core/housekeeping.ts";
import { queueMail } from "#lib/mail/queue.ts";
import { maySendNow } from "#lib/mail/quota.ts";
import { insertWorkspace } from "#lib/people/members/workspaces.ts";
import { hashPassword } from "#lib/people/users/passwords.ts";
import { memberContext } from "#lib/people/users/sessions.ts";
import { findUser, newAccount } from "#lib/people/users/users.ts";
import { defer, deferForQuota } from "./deferred.ts";
import { consumeLink, findLink, linkTo, newToken, storeLink } from "./mailed-links.ts";
import type { NewAccount, SignUpFound } from "./schema.ts";
import { countGuess } from "./throttle.ts";

/** What is stored until the address is confirmed. */
const Pending = z.object({ name: z.string(), workspaceName: z.string() });
type Pending = z.output<typeof Pending>;

/** Whether people who sign up confirm their address and set the password with a mailed link. */
export const confirmsAddresses = () => settings().SMTP_URL !== undefined;

export async function signUp(visitor: Visitor, input: NewAccount): Promise<{ state: "ready" | "mailed" }> {
  if (settings().SIGN_UP === "closed") {
    throw new Refusal("forbidden", "Signing up is closed here. Ask for an invitation.");
  }
  const { email, name, workspaceName, password } = input;
  if (confirmsAddresses()) {
    if (password !== undefined) {
      throw invalid({ path: "password", message: "is set on the page that the e-mail leads to" });
    }
    await countGuess("sign-up", visitor, email);
    await defer("accounts.signUp", { email, name, workspaceName, mailId: randomUUID() });
    return { state: "mailed" };
  }
  if (password === undefined) throw invalid({ path: "password", message: "is required" });
  await countGuess("sign-up", visitor, email);
  if (await findUser(email)) throw alreadyRegistered(email);
  await createAccount(email, { name, workspaceName, password }, visitor, { isVerified: false });
  return { state: "ready" };
}

const Job = Pending.extend({ email: z.string(), mailId: z.uuid() });

/**
 * The job that mails a link, or to an existing account, that it exists. The latter is sent at most once an hour and
 * never delayed, so that a stranger who signs up repeatedly cannot delay the owner's link for a new password.
 */
export async function mailSignUp(payload: unknown, now = clock()): Promise<void> {
  const job = Job.parse(payload);
  const { email, mailId, ...data } = job;
  const user = await findUser(email);
  const turn = { id: mailId, address: email };
  const isLeftOut = user
    ? !(await atomicHousekeeping((tx) => maySendNow(tx, { ...turn, template: "sign-up-known" })))
    : await deferForQuota("accounts.signUp", job, { ...turn, template: "sign-up" });
  if (isLeftOut) return;
  const token = newToken();
  const [template, path] = user
    ? (["sign-up-known", "/sign-in"] as const)
    : (["sign-up", `/confirm/${token}`] as const);
  await atomicHousekeeping(async (tx) => {
    if (!user) await storeLink(tx, { token, purpose: "sign_up", email, data, now });
    const to = { address: user?.email ?? email, name: user?.name ?? data.name };
    const sender = { organizationId: null, now };
    await queueMail(tx, sender, { template, to, data: { url: linkTo(path) } }, mailId);
  });
}

/** Reads what the page of the mailed link shows: whose account it will create. */
export async function readSignUp(visitor: Visitor, { token }: { token: string }): Promise<SignUpFound> {
  const { email, data } = await findLink("sign_up", token, visitor.now);
  return { email, ...Pending.parse(data) };
}

/** Confirms the address: creates the account, with the password that is set now, and the workspace. */
export async function confirmSignUp(
  visitor: Visitor,
  { token, password }: { token: string; password: string },
): Promise<{ email: string }> {
  const { email, data } = await findLink("sign_up", token, visitor.now);
  if (await findUser(email)) throw alreadyRegistered(email);
  await createAccount(email, { ...Pending.parse(data), password }, visitor, { isVerified: true });
  await atomicHousekeeping((tx) => consumeLink(tx, "sign_up", token, visitor.now));
  return { email };
}

/** Creates the account and the workspace. Of two concurrent calls, the unique address lets only one succeed. */
async function createAccount(
  email: string,
  { name, workspaceName, password }: Pending & { password: string },
  visit: Visit,
  { isVerified }: { isVerified: boolean },
) {
  const passwordHash = await hashPassword(password, { about: [email, name, workspaceName] });
  const owner = newAccount({ email, name, passwordHash });
  await insertWorkspace({ name: workspaceName, owner, isVerified, at: visit.now }, (id) =>
    memberContext(owner, id, "owner", visit),
  );
}

function alreadyRegistered(email: string): Refusal {
  return new Refusal("conflict", `${email} already has an account. Sign in, and create the workspace there.`);
}
