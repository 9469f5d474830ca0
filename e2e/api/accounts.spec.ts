/** Signing up, forgotten passwords, invitations; and what strangers must not learn. */
import { randomUUID } from "node:crypto";
import { database } from "#lib/core/db.ts";
import { signIn } from "#lib/people/accounts/sign-in.ts";
import { setPlan } from "#lib/people/members/workspaces.ts";
import { expect, test } from "../fixtures.ts";
import { code, newMember, openBrowser, signedInByPassword } from "../members.ts";
import { mailsTo, tokenIn } from "../outbox.ts";
import { startServer } from "../server.ts";

const address = () => `${randomUUID()}@test.example`;
const password = "a password of mine";

const issuePaths = (reply: { body: { error: { details: { issues: { path: string }[] } } } }) =>
  reply.body.error.details.issues.map(({ path }) => path);

test("signing up creates an account that can sign in and an active workspace, once per e-mail address", async () => {
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

test("with SMTP configured, sign-up responses do not reveal whether an address has an account", async ({
  workspace,
}) => {
  // This server sends nothing itself: the worker of the run's server writes the mails to the outbox.
  const server = await startServer({ SMTP_URL: "smtp://127.0.0.1:9", WORKER: "off" });
  try {
    const known = await newMember(workspace, "member");
    const email = address();
    const browser = openBrowser(server.url);
    const person = { name: "Nia New", workspaceName: "Newco" };
    const ofKnown = await browser.call("account.signUp", { ...person, email: known.email });
    const ofNew = await browser.call("account.signUp", { ...person, email });
    expect([ofKnown.status, ofKnown.text]).toEqual([ofNew.status, ofNew.text]);
    expect(ofNew.body).toEqual({ state: "mailed" });
    const [told] = await mailsTo(known.email);
    expect(told?.subject).toBe("You already have a Countersign account");
    const token = tokenIn((await mailsTo(email))[0]);
    const found = (await browser.call("account.readSignUp", { token })).body;
    expect(found).toEqual({ email, name: "Nia New", workspaceName: "Newco" });
    const confirmed = await browser.call("account.confirmSignUp", { token, password });
    expect(confirmed.body).toEqual({ email });
    expect((await browser.signIn(email, password)).error).toBeNull();
    const again = await browser.call("account.confirmSignUp", { token, password });
    expect(code(again)).toMatch(/^4(04|09) /);
  } finally {
    await server.stop();
  }
});

test("with SMTP configured, only the recipient of the sign-up e-mail can set the account's password", async () => {
  const server = await startServer({ SMTP_URL: "smtp://127.0.0.1:9", WORKER: "off" });
  try {
    const email = address();
    const squatter = openBrowser(server.url);
    const person = { name: "Sly", email, workspaceName: "Trap" };
    const withPassword = await squatter.call("account.signUp", { ...person, password: "the squatter's own" });
    expect(issuePaths(withPassword)).toEqual(["password"]);
    await squatter.call("account.signUp", person);
    const token = tokenIn((await mailsTo(email))[0]);
    expect(await database().prisma.user.findFirst({ where: { email } }), "nothing is made before").toBeNull();
    const row = await database().prisma.emailToken.findFirstOrThrow({ where: { email } });
    expect(Object.keys(row.data as object).sort()).toEqual(["name", "workspaceName"]);
    const owner = openBrowser(server.url);
    expect(issuePaths(await owner.call("account.confirmSignUp", { token, password: "short" }))).toEqual([
      "password",
    ]);
    expect((await owner.call("account.confirmSignUp", { token, password })).status).toBe(200);
    expect((await squatter.signIn(email, "the squatter's own")).error).toBe("CredentialsSignin");
    expect((await owner.signIn(email, password)).error).toBeNull();
  } finally {
    await server.stop();
  }
});

test("verifying an address revokes the password, sessions and calendar feed set up before", async ({
  workspace,
}) => {
  const squat = async () => {
    const email = address();
    const squatter = openBrowser();
    const person = { name: "Sly", email, password: "the squatter's own", workspaceName: "Trap" };
    expect((await squatter.call("account.signUp", person)).body).toEqual({ state: "ready" });
    await squatter.signIn(email, person.password);
    const { url } = (await squatter.call("calendarFeed.create")).body;
    return { email, squatter, feed: url as string, stolen: person.password };
  };
  const expectOut = async ({ email, squatter, feed, stolen }: Awaited<ReturnType<typeof squat>>) => {
    expect(code(await squatter.call("profile.read"))).toBe("401 signed_out");
    expect((await squatter.signIn(email, stolen)).error).toBe("CredentialsSignin");
    expect((await fetch(feed)).status).toBe(404);
    expect((await openBrowser().signIn(email, password)).error).toBeNull();
  };
  await test.step("by an invitation", async () => {
    const squatted = await squat();
    const admin = await signedInByPassword(workspace, "admin");
    await admin.call("invitations.create", { email: squatted.email });
    const token = tokenIn((await mailsTo(squatted.email))[0]);
    const guest = openBrowser();
    expect((await guest.call("account.readInvitation", { token })).body).toMatchObject({
      ...{ hasAccount: false, isSignedIn: false },
    });
    const accepted = await guest.call("account.acceptInvitation", { token, name: "Vic Victim", password });
    expect(accepted.status).toBe(200);
    await expectOut(squatted);
  });
  await test.step("by the operator", async () => {
    const squatted = await squat();
    const { addMember } = await import("#lib/people/members/workspaces.ts");
    await addMember(workspace.ctx, { email: squatted.email, name: "Vic", password, role: "member" });
    await expectOut(squatted);
  });
  await test.step("by a password reset link", async () => {
    const squatted = await squat();
    const victim = openBrowser();
    await victim.call("account.requestPasswordReset", { email: squatted.email });
    const token = tokenIn((await mailsTo(squatted.email))[0]);
    expect((await victim.call("account.resetPassword", { token, password })).status).toBe(200);
    await expectOut(squatted);
  });
});

test("changing a password revokes reset links and the calendar feed, and is logged without the hash", async ({
  workspace,
}) => {
  const member = await signedInByPassword(workspace, "member");
  const linkOf = async (count: number) => {
    await openBrowser().call("account.requestPasswordReset", { email: member.email });
    const resets = (await mailsTo(member.email, count)).filter(({ subject }) =>
      subject?.startsWith("Reset your"),
    );
    return tokenIn(resets.at(-1));
  };
  const first = await linkOf(1);
  const feed = (await member.call("calendarFeed.create")).body.url;
  expect((await fetch(feed)).status).toBe(200);
  const change = { currentPassword: member.password, newPassword: "another battery" };
  expect((await member.call("profile.changePassword", change)).status).toBe(204);
  expect((await fetch(feed)).status).toBe(404);
  const spent = await openBrowser().call("account.resetPassword", { token: first, password });
  expect(code(spent)).toBe("404 not_found");
  expect((await openBrowser().signIn(member.email, change.newPassword)).error).toBeNull();
  const log = await workspace.api("GET /audit-events?action=PASSWORD_CHANGED");
  expect(log.body.data).toMatchObject([
    { actor: { id: member.userId }, payload: { target: { type: "user", id: member.userId }, reason: null } },
  ]);
  expect(JSON.stringify(log.body)).not.toContain("argon2");
});

test("common and predictable passwords are refused at sign-up and on password change", async ({
  workspace,
}) => {
  const member = await signedInByPassword(workspace, "member");
  const weak = [
    ...["1234567890", "Qwertyuiop", "password2026!", "aaaaaaaaaaaaaaaa", "ababababababab"],
    ...["ILOVEYOU!!!!", member.email, "countersign1!"],
  ];
  for (const newPassword of weak) {
    const change = { currentPassword: member.password, newPassword };
    const refused = await member.call("profile.changePassword", change);
    expect(issuePaths(refused), newPassword).toEqual(["newPassword"]);
  }
  const person = { name: "Nia New", email: address(), workspaceName: "Newco" };
  const signUp = await openBrowser().call("account.signUp", { ...person, password: "1234567890" });
  expect(issuePaths(signUp)).toEqual(["password"]);
  let currentPassword = member.password;
  for (const newPassword of ["three little words", "密码是一个很长的句子", "Tr0ub4dor&3x"]) {
    expect((await member.call("profile.changePassword", { currentPassword, newPassword })).status).toBe(204);
    currentPassword = newPassword;
  }
});

test("a password reset reveals no accounts, and its e-mailed link works once and ends existing sessions", async ({
  workspace,
}) => {
  const member = await signedInByPassword(workspace, "member");
  const stranger = openBrowser();
  const answers = [];
  for (const email of [member.email, address()]) {
    const reply = await stranger.call("account.requestPasswordReset", { email });
    answers.push([reply.status, reply.text, [...reply.headers.keys()].sort().join()]);
  }
  expect(answers[0]).toEqual(answers[1]);
  const [mail] = await mailsTo(member.email);
  expect(mail?.subject).toBe("Reset your Countersign password");
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

test("unknown addresses, wrong passwords and passwordless accounts fail with the same message and CPU time", async ({
  workspace,
}) => {
  const member = await newMember(workspace, "member");
  const elsewhere = await newMember(workspace, "member");
  await database().prisma.user.update({ where: { id: elsewhere.userId }, data: { passwordHash: null } });
  const cpuMs: Record<string, number> = { known: Infinity, unknown: Infinity, without: Infinity };
  const said = new Set<string>();
  for (let round = 0; round < 9; round++) {
    const emails = { known: member.email, unknown: address(), without: elsewhere.email };
    for (const [name, email] of Object.entries(emails)) {
      // Measures processor time, because elapsed time says nothing on a busy machine. The least of nine is without
      // compilation, garbage collection and caches that other processes emptied.
      const before = process.cpuUsage();
      const visit = { requestId: null, ip: null, userAgent: null, now: new Date() };
      const error = await signIn({ email, password: "not this one" }, visit).catch((reason) => reason);
      const { user, system } = process.cpuUsage(before);
      said.add(`${error.code} ${error.message}`);
      cpuMs[name] = Math.min(cpuMs[name]!, (user + system) / 1000);
    }
  }
  expect([...said]).toEqual(["forbidden The e-mail address or the password is wrong."]);
  // Without argon2id's 20 ms, the work would be a fifth of this.
  for (const name of ["unknown", "without"]) {
    expect(cpuMs[name]! / cpuMs.known!, name).toBeGreaterThan(0.6);
    expect(cpuMs[name]! / cpuMs.known!, name).toBeLessThan(1.7);
  }
});

test("sign-in to an account is rate limited after ten failed attempts, and the error says how long to wait", async ({
  workspace,
}) => {
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

test("an invitation shows its workspace and role, and only its latest e-mailed link works, once", async ({
  workspace,
}) => {
  const admin = await signedInByPassword(workspace, "admin");
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

test("an existing user accepts an invitation with the account's password or while signed in to it", async ({
  workspace,
  other,
}) => {
  const admin = await signedInByPassword(workspace, "admin");
  const [one, two] = [await newMember(other, "member"), await signedInByPassword(other, "member")];
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

test("accepting an invitation without a free seat is refused and creates no account", async ({
  workspace,
}) => {
  const admin = await signedInByPassword(workspace, "admin");
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
