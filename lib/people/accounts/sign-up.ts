/**
 * Signing up: a person, and a workspace that they own. Where mail is sent, the address is confirmed first: nothing
 * is made, and no password is set, before whoever reads its mail says so; and the answer is the same whether or not
 * it has an account. Where none is (a first look on one machine), the account is there at once, and that it was
 * there already cannot be hidden.
 */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { clock } from "#lib/core/clock.ts";
import type { Visit, Visitor } from "#lib/core/context.ts";
import { settings } from "#lib/core/env.ts";
import { invalid, Refusal } from "#lib/core/errors.ts";
import { atomicHousekeeping } from "#lib/core/housekeeping.ts";
import { queueMail } from "#lib/mail/queue.ts";
import { mayLeaveNow } from "#lib/mail/quota.ts";
import { insertWorkspace } from "#lib/people/members/workspaces.ts";
import { hashPassword } from "#lib/people/users/passwords.ts";
import { memberContext } from "#lib/people/users/sessions.ts";
import { findUser, newAccount } from "#lib/people/users/users.ts";
import { defer, putOffForQuota } from "./deferred.ts";
import { consumeLink, findLink, keepLink, linkTo, newToken } from "./mailed-links.ts";
import type { NewAccount, SignUpFound } from "./schema.ts";
import { countTry } from "./throttle.ts";

/** What is kept until the address is confirmed. */
const Pending = z.object({ name: z.string(), workspaceName: z.string() });
type Pending = z.output<typeof Pending>;

/** Whether the password is set by a link that is mailed, or at once. */
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
    await countTry("sign-up", visitor, email);
    await defer("accounts.signUp", { email, name, workspaceName, mailId: randomUUID() });
    return { state: "mailed" };
  }
  if (password === undefined) throw invalid({ path: "password", message: "is required" });
  await countTry("sign-up", visitor, email);
  if (await findUser(email)) throw known(email);
  await makeAccount(email, { name, workspaceName, password }, visitor, { isVerified: false });
  return { state: "ready" };
}

const Job = Pending.extend({ email: z.string(), mailId: z.uuid() });

/**
 * The job: mails a link, or, where there is an account, that there is one: once an hour at most, and never later, so that
 * no stranger who signs up again and again keeps its owner's link for a new password waiting.
 */
export async function mailSignUp(payload: unknown, now = clock()): Promise<void> {
  const job = Job.parse(payload);
  const { email, mailId, ...data } = job;
  const user = await findUser(email);
  const turn = { id: mailId, address: email };
  const isLeftOut = user
    ? !(await atomicHousekeeping((tx) => mayLeaveNow(tx, { ...turn, template: "sign-up-known" })))
    : await putOffForQuota("accounts.signUp", job, { ...turn, template: "sign-up" });
  if (isLeftOut) return;
  const token = newToken();
  const [template, path] = user
    ? (["sign-up-known", "/sign-in"] as const)
    : (["sign-up", `/confirm/${token}`] as const);
  await atomicHousekeeping(async (tx) => {
    if (!user) await keepLink(tx, { token, purpose: "sign_up", email, data, now });
    const to = { address: user?.email ?? email, name: user?.name ?? data.name };
    const sender = { organizationId: null, now };
    await queueMail(tx, sender, { template, to, data: { url: linkTo(path) } }, mailId);
  });
}

/** What the page of the mailed link shows: whose account it is going to be. */
export async function readSignUp(visitor: Visitor, { token }: { token: string }): Promise<SignUpFound> {
  const { email, data } = await findLink("sign_up", token, visitor.now);
  return { email, ...Pending.parse(data) };
}

/** The address is confirmed: makes the account, with the password that is set now, and the workspace. */
export async function confirmSignUp(
  visitor: Visitor,
  { token, password }: { token: string; password: string },
): Promise<{ email: string }> {
  const { email, data } = await findLink("sign_up", token, visitor.now);
  if (await findUser(email)) throw known(email);
  await makeAccount(email, { ...Pending.parse(data), password }, visitor, { isVerified: true });
  await atomicHousekeeping((tx) => consumeLink(tx, "sign_up", token, visitor.now));
  return { email };
}

/** Of two at once, the unique address lets one through. */
async function makeAccount(
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

function known(email: string): Refusal {
  return new Refusal("conflict", `${email} already has an account. Sign in, and create the workspace there.`);
}
