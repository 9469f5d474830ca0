/** Signing up, forgotten passwords, invitations; and what strangers cannot find out. */
import { randomUUID } from "node:crypto";
import { database } from "#lib/db.ts";
import { setPlan } from "#lib/members/workspaces.ts";
import { expect, test } from "../fixtures.ts";
import { code, newMember, openBrowser, signedIn } from "../members.ts";
import { mailsTo, tokenIn } from "../outbox.ts";
import { startServer } from "../server.ts";

const address = () => `${randomUUID()}@test.example`;
const password = "a password of mine";

const issuePaths = (reply: { body: { error: { details: { issues: { path: string }[] } } } }) =>
  reply.body.error.details.issues.map(({ path }) => path);

test("whoever signs up owns a workspace and can begin", async () => {
  const browser = openBrowser();
  const email = address();
  const person = { name: "Nia New", email, password, workspaceName: "Newco" };
  const short = await browser.call("account.signUp", { ...person, password: "short", name: " " });
  expect(issuePaths(short)).toEqual(["name", "password"]);
  expect((await browser.call("account.signUp", person)).body).toEqual({ state: "ready" });
  expect(await browser.signIn(email, password)).toEqual({ status: 200, error: null });
  const { workspace } = (await browser.call("workspace.read")).body;
  expect(workspace).toMatchObject({ name: "Newco", seatsUsed: 1, subscriptionStatus: "active" });
  expect((await browser.call("contracts.list")).body.total).toBe(0);
  const again = await openBrowser().call("account.signUp", { ...person, email: email.toUpperCase() });
  expect(code(again)).toBe("409 conflict");
});

test("where mail is sent, signing up answers the same for an address that has an account", async ({
  workspace,
}) => {
  // It sends nothing itself: the worker of the run's server does, into the outbox.
  const server = await startServer({ SMTP_URL: "smtp://127.0.0.1:9", WORKER: "off" });
  try {
    const known = await newMember(workspace, "member");
    const email = address();
    const browser = openBrowser(server.url);
    const person = { name: "Nia New", password, workspaceName: "Newco" };
    const ofKnown = await browser.call("account.signUp", { ...person, email: known.email });
    const ofNew = await browser.call("account.signUp", { ...person, email });
    expect([ofKnown.status, ofKnown.text]).toEqual([ofNew.status, ofNew.text]);
    expect(ofNew.body).toEqual({ state: "mailed" });
    expect((await browser.signIn(email, password)).error).toBe("CredentialsSignin");
    const [told] = await mailsTo(known.email);
    expect(told?.subject).toBe("You have a Countersign account already");
    const token = tokenIn((await mailsTo(email))[0]);
    const confirmed = await browser.call("account.confirmSignUp", { token });
    expect(confirmed.body).toEqual({ email });
    expect((await browser.signIn(email, password)).error).toBeNull();
    expect(code(await browser.call("account.confirmSignUp", { token }))).toMatch(/^4(04|09) /);
  } finally {
    await server.stop();
  }
});

test("a forgotten password is set anew by a mailed link, once, and every session ends", async ({
  workspace,
}) => {
  const member = await signedIn(workspace, "member");
  const stranger = openBrowser();
  const answers = [];
  for (const email of [member.email, address()]) {
    const reply = await stranger.call("account.requestPasswordReset", { email });
    answers.push([reply.status, reply.text, [...reply.headers.keys()].sort().join()]);
  }
  expect(answers[0]).toEqual(answers[1]);
  const [mail] = await mailsTo(member.email);
  expect(mail?.subject).toBe("A new password for Countersign");
  const token = tokenIn(mail);
  const other = `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`;
  expect(code(await stranger.call("account.resetPassword", { token: other, password }))).toBe(
    "404 not_found",
  );
  const reset = { token, password: "an entirely new one" };
  const both = await Promise.all([
    stranger.call("account.resetPassword", reset),
    stranger.call("account.resetPassword", reset),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
  expect(code(await member.call("contracts.list"))).toBe("401 signed_out");
  expect((await stranger.signIn(member.email, member.password)).error).toBe("CredentialsSignin");
  expect((await stranger.signIn(member.email, reset.password)).error).toBeNull();
  const mails = await mailsTo(member.email, 2);
  expect(mails.map(({ subject }) => subject)).toContain("Your Countersign password was changed");
});

test("an unknown address, a wrong password and an account without one take the same time", async ({
  workspace,
}) => {
  const member = await newMember(workspace, "member");
  const elsewhere = await newMember(workspace, "member");
  await database().prisma.user.update({ where: { id: elsewhere.userId }, data: { passwordHash: null } });
  const server = await startServer({ WORKER: "off", SIGN_IN_ATTEMPTS: "0" });
  try {
    const browser = openBrowser(server.url);
    const took: Record<string, number[]> = { known: [], unknown: [], without: [] };
    for (let round = 0; round < 12; round++) {
      const emails = { known: member.email, unknown: address(), without: elsewhere.email };
      for (const [name, email] of Object.entries(emails)) {
        const started = performance.now();
        const { error } = await browser.signIn(email, "not this one");
        took[name]!.push(performance.now() - started);
        expect(error).toBe("CredentialsSignin");
      }
    }
    const median = (name: string) => took[name]!.sort((a, b) => a - b)[6]!;
    // Without the same work the quicker one would take a few milliseconds: argon2id alone takes twenty.
    for (const name of ["unknown", "without"]) {
      expect(median(name) / median("known"), name).toBeGreaterThan(0.5);
      expect(median(name) / median("known"), name).toBeLessThan(2);
    }
  } finally {
    await server.stop();
  }
});

test("guessing a password ends after ten tries, and says how long", async ({ workspace }) => {
  const member = await newMember(workspace, "member");
  const bystander = await newMember(workspace, "member");
  const browser = openBrowser();
  const tries = await Promise.all(
    Array.from({ length: 12 }, (_, at) => openBrowser().signIn(member.email, `guess ${at}`)),
  );
  const refused = tries.filter(({ error }) => /^rate_limited \d+$/.test(error ?? ""));
  expect(refused).toHaveLength(2);
  expect((await browser.signIn(member.email, member.password)).error).toMatch(/^rate_limited \d+$/);
  expect((await browser.signIn(bystander.email, bystander.password)).error).toBeNull();
  for (let count = 0; count < 12; count++) {
    expect(
      (await browser.signIn(bystander.email, bystander.password)).error,
      "right ones count not",
    ).toBeNull();
  }
});

test("signing up can be closed", async () => {
  const server = await startServer({ WORKER: "off", SIGN_UP: "closed" });
  try {
    const browser = openBrowser(server.url);
    expect((await browser.call("account.ways")).body).toEqual({ signUp: "closed", providers: [] });
    const person = { name: "Nia New", email: address(), password, workspaceName: "Newco" };
    expect(code(await browser.call("account.signUp", person))).toBe("403 forbidden");
  } finally {
    await server.stop();
  }
});

test("an invited person gets a mail, sees what it is for, and is in", async ({ workspace }) => {
  const admin = await signedIn(workspace, "admin");
  const email = address();
  const { invitation } = (await admin.call("invitations.create", { email, role: "viewer" })).body;
  const first = tokenIn((await mailsTo(email))[0]);
  expect((await admin.call("invitations.resend", { id: invitation.id })).status).toBe(200);
  const mails = await mailsTo(email, 2);
  expect(mails[0]?.subject).toBe("You are invited to Test workspace");
  const token = mails.map(tokenIn).find((one) => one !== first)!;
  const guest = openBrowser();
  expect(code(await guest.call("account.readInvitation", { token: first }))).toBe("404 not_found");
  const found = (await guest.call("account.readInvitation", { token })).body;
  expect(found).toEqual({
    ...{ workspaceName: "Test workspace", email, role: "viewer", status: "pending" },
    ...{ hasAccount: false, isSignedIn: false },
  });
  expect(issuePaths(await guest.call("account.acceptInvitation", { token }))).toEqual(["name", "password"]);
  const accepted = await guest.call("account.acceptInvitation", { token, name: "Gus Guest", password });
  expect(accepted.body).toEqual({ organizationId: workspace.organizationId, email });
  const again = await guest.call("account.acceptInvitation", { token, name: "Gus Guest", password });
  expect(code(again)).toBe("409 conflict");
  expect((await guest.signIn(email, password)).error).toBeNull();
  expect((await guest.call("contracts.list")).status).toBe(200);
  expect(code(await admin.call("invitations.resend", { id: invitation.id }))).toBe("409 conflict");
});

test("who has an account accepts with its password, or as who is signed in", async ({ workspace, other }) => {
  const admin = await signedIn(workspace, "admin");
  const [one, two] = [await newMember(other, "member"), await signedIn(other, "member")];
  const invite = async (email: string) => {
    expect((await admin.call("invitations.create", { email })).status).toBe(201);
    return tokenIn((await mailsTo(email))[0]);
  };
  const token = await invite(one.email);
  const guest = openBrowser();
  expect((await guest.call("account.readInvitation", { token })).body.hasAccount).toBe(true);
  const wrong = await guest.call("account.acceptInvitation", { token, password: "not this one" });
  expect(issuePaths(wrong)).toEqual(["password"]);
  expect(code(await two.call("account.acceptInvitation", { token }))).toBe("403 forbidden");
  const right = await guest.call("account.acceptInvitation", { token, password: one.password });
  expect(right.status).toBe(200);
  const mine = await invite(two.email);
  expect((await two.call("account.readInvitation", { token: mine })).body.isSignedIn).toBe(true);
  expect((await two.call("account.acceptInvitation", { token: mine })).status).toBe(200);
  expect((await two.call("workspace.read")).body.workspace.id).toBe(workspace.organizationId);
});

test("an invitation that outlived its seat is refused, and nothing is made", async ({ workspace }) => {
  const admin = await signedIn(workspace, "admin");
  const email = address();
  await admin.call("invitations.create", { email });
  const token = tokenIn((await mailsTo(email))[0]);
  await setPlan(workspace.ctx, { seats: 2 });
  expect(code(await admin.call("invitations.create", { email: address() }))).toBe("402 seat_limit_reached");
  const guest = openBrowser();
  const refused = await guest.call("account.acceptInvitation", { token, name: "Gus", password });
  expect(code(refused)).toBe("402 seat_limit_reached");
  expect((await guest.signIn(email, password)).error).toBe("CredentialsSignin");
});
