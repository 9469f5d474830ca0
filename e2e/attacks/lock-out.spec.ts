/** The real owner of an account while someone else guesses its password. */
import { randomUUID } from "node:crypto";
import { signIn } from "#lib/people/accounts/sign-in.ts";
import { expect, test } from "../fixtures.ts";
import { code, newMember, openBrowser } from "../members.ts";
import { mailsTo, tokenIn } from "../outbox.ts";
import { type RunningServer, startServer } from "../server.ts";

/** All requests come from one address, as behind a reverse proxy that the server was not told about. */
let server: RunningServer;
test.beforeAll(async () => {
  server = await startServer({ WORKER: "off", SIGN_IN_ATTEMPTS: "3" });
});
test.afterAll(() => server?.stop());

/** The wrong guesses allowed per address: ten times as many as per account. */
const perAddress = 30;

async function guess(email: string, times: number, browser = openBrowser(server.url)) {
  const errors = [];
  for (let at = 0; at < times; at++) errors.push(await browser.signIn(email, `guess ${at}`));
  return errors.at(-1)!;
}

test.describe.configure({ mode: "serial" });

test("password guesses from elsewhere never lock an owner out of a device they have signed in on before", async ({
  workspace,
}) => {
  const owner = await newMember(workspace, "owner");
  const [home, work] = [openBrowser(server.url), openBrowser(server.url)];
  for (const device of [home, work]) {
    expect((await device.signIn(owner.email, owner.password)).error).toBeNull();
  }
  await work.signOut();
  const attacked = await guess(owner.email, 5);
  expect(attacked).toMatchObject({ status: 429, error: expect.stringMatching(/^rate_limited \d+$/) });
  const unknown = openBrowser(server.url);
  expect((await unknown.signIn(owner.email, owner.password)).status, "a device no one knows").toBe(429);
  expect(await work.signIn(owner.email, owner.password)).toEqual({ status: 200, error: null });
  expect((await work.call("contracts.list")).status).toBe(200);
  // This device is still signed in: the password is requested again, and accepted.
  const proof = await home.call("sessions.confirmPassword", { password: owner.password });
  expect(proof.status, proof.text).toBe(204);
});

test("after 30 sign-ins in a row an account gets 429, even with the right password", async ({
  workspace,
}) => {
  const member = await newMember(workspace, "member");
  const device = openBrowser(server.url);
  for (let times = 0; times < 30; times++) {
    expect((await device.signIn(member.email, member.password)).status).toBe(200);
  }
  expect(await device.signIn(member.email, member.password)).toMatchObject({ status: 429 });
});

test("a known device has its own limit of password guesses, and exhausting it locks out no other device", async ({
  workspace,
}) => {
  const owner = await newMember(workspace, "owner");
  const [stolen, own] = [openBrowser(server.url), openBrowser(server.url)];
  for (const device of [stolen, own]) await device.signIn(owner.email, owner.password);
  await stolen.signOut();
  expect((await guess(owner.email, 4, stolen)).status).toBe(429);
  expect((await stolen.signIn(owner.email, owner.password)).status).toBe(429);
  expect((await own.signIn(owner.email, owner.password)).error).toBeNull();
  expect((await openBrowser(server.url).signIn(owner.email, owner.password)).error).toBeNull();
  const session = openBrowser(server.url, new Map(own.cookies));
  const wrong = await Promise.all(
    Array.from({ length: 5 }, () => session.call("sessions.confirmPassword", { password: "wrong" })),
  );
  expect(wrong.map(code).filter((one) => one === "429 rate_limited")).toHaveLength(2);
});

test("another account's device token, replayed or altered, does not bypass the lockout", async ({
  workspace,
}) => {
  const victim = await newMember(workspace, "owner");
  const attacker = await newMember(workspace, "viewer");
  const own = openBrowser(server.url);
  await own.signIn(attacker.email, attacker.password);
  const token = own.cookies.get("countersign.device")!;
  expect(token).toMatch(/^\d+\.[\w-]{22}\.[\w-]{43}$/);
  await guess(victim.email, 5);
  const [since, id, signature] = token.split(".");
  const altered = [
    token,
    `${since}.${id}.${signature!.slice(0, -2)}AA`,
    `${Number(since) + 1}.${id}.${signature}`,
    Array.from({ length: 200 }, () => token).join("~"),
    "~~~~",
    "%",
  ];
  for (const value of altered) {
    const browser = openBrowser(server.url, new Map([["countersign.device", value]]));
    expect((await browser.signIn(victim.email, victim.password)).status, value.slice(0, 80)).toBe(429);
  }
});

test("the device that resets a password can sign in with it while guesses lock the account elsewhere", async ({
  workspace,
}) => {
  const { email } = await newMember(workspace, "owner");
  const browser = openBrowser();
  await browser.call("account.requestPasswordReset", { email });
  const token = tokenIn((await mailsTo(email))[0]);
  const password = "an entirely new one";
  const wrong = await browser.call("account.resetPassword", { token: token.replace(/.$/, "-"), password });
  expect([code(wrong), browser.cookies.has("countersign.device")]).toEqual(["404 not_found", false]);
  expect((await browser.call("account.resetPassword", { token, password })).status).toBe(200);
  const visit = { requestId: null, ip: null, userAgent: null, now: new Date() };
  const enter = (given: string, device: string | null) =>
    signIn({ email, password: given }, { ...visit, device }).catch(({ code: refusal }) => refusal);
  for (let at = 0; at < 10; at++) await enter("guess", null);
  expect(await enter(password, null)).toBe("rate_limited");
  expect(await enter(password, browser.cookies.get("countersign.device")!)).toMatch(/^[a-z]+_[0-9a-z]{26}$/);
});

test("when guesses lock out a shared IP address, known devices can still sign in", async ({ workspace }) => {
  const owner = await newMember(workspace, "owner");
  const known = openBrowser(server.url);
  expect((await known.signIn(owner.email, owner.password)).error).toBeNull();
  let last = 0;
  for (let at = 0; at < perAddress && last !== 429; at++) {
    last = (await guess(`${randomUUID()}@test.example`, 1)).status;
  }
  expect((await guess(`${randomUUID()}@test.example`, 1)).status).toBe(429);
  expect((await openBrowser(server.url).signIn(owner.email, owner.password)).status).toBe(429);
  expect(await known.signIn(owner.email, owner.password)).toEqual({ status: 200, error: null });
});
