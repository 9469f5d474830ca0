/**
 * Signing up: a person, and a workspace that they own. Where mail is sent, the address is confirmed first, and
 * the answer is the same whether or not it has an account. Where none is (a first look on one machine), the
 * account is there at once, and that it was there already cannot be hidden.
 */

import { z } from "zod";
import { clock } from "#lib/clock.ts";
import type { Visit, Visitor } from "#lib/context.ts";
import { database } from "#lib/db.ts";
import { settings } from "#lib/env.ts";
import { Refusal } from "#lib/errors.ts";
import { queueMail } from "#lib/mail.ts";
import { hashPassword } from "#lib/members/passwords.ts";
import { findUser, newAccount } from "#lib/members/users.ts";
import { makeWorkspace } from "#lib/members/workspaces.ts";
import { later } from "./later.ts";
import { findLink, followLink, keepLink, linkTo, newToken } from "./mailed-links.ts";
import type { NewAccount } from "./schema.ts";
import { memberContext } from "./sessions.ts";
import { countTry } from "./throttle.ts";

/** What is kept until the address is confirmed. */
const Pending = z.object({ name: z.string(), workspaceName: z.string(), passwordHash: z.string() });
type Pending = z.output<typeof Pending>;

export async function signUp(visitor: Visitor, input: NewAccount): Promise<{ state: "ready" | "mailed" }> {
  if (settings().SIGN_UP === "closed") {
    throw new Refusal("forbidden", "Signing up is closed here. Ask for an invitation.");
  }
  await countTry("sign-up", visitor, input.email);
  const { email, name, workspaceName, password } = input;
  const pending = { name, workspaceName, passwordHash: await hashPassword(password) };
  if (settings().SMTP_URL) {
    await later("accounts.signUp", { email, ...pending });
    return { state: "mailed" };
  }
  if (await findUser(email)) throw known(email);
  await makeAccount(email, pending, visitor, { isVerified: false });
  return { state: "ready" };
}

/** The job: mails a link, or, where there is an account, that there is one. */
export async function mailSignUp(payload: unknown, now = clock()): Promise<void> {
  const { email, ...data } = Pending.extend({ email: z.string() }).parse(payload);
  const user = await findUser(email);
  const token = newToken();
  const [template, path] = user
    ? (["sign-up-known", "/sign-in"] as const)
    : (["sign-up", `/confirm/${token}`] as const);
  await database().prisma.$transaction(async (tx) => {
    if (!user) await keepLink(tx, { token, purpose: "sign_up", email, data, now });
    const to = { address: user?.email ?? email, name: user?.name ?? data.name };
    await queueMail(tx, { organizationId: null, now }, { template, to, data: { url: linkTo(path) } });
  });
}

/** The address is confirmed: makes the account and the workspace. */
export async function confirmSignUp(
  visitor: Visitor,
  { token }: { token: string },
): Promise<{ email: string }> {
  const { email, data } = await findLink("sign_up", token, visitor.now);
  if (await findUser(email)) throw known(email);
  await makeAccount(email, Pending.parse(data), visitor, { isVerified: true });
  await followLink("sign_up", token, visitor.now, async () => undefined);
  return { email };
}

/** Of two at once, the unique address lets one through. */
async function makeAccount(
  email: string,
  pending: Pending,
  visit: Visit,
  { isVerified }: { isVerified: boolean },
) {
  const { name, workspaceName, passwordHash } = pending;
  const owner = newAccount({ email, name, passwordHash });
  await makeWorkspace({ name: workspaceName, owner, isVerified, at: visit.now }, (id) =>
    memberContext(owner, id, "owner", visit),
  );
}

function known(email: string): Refusal {
  return new Refusal("conflict", `${email} has an account already. Sign in, and make the workspace there.`);
}
