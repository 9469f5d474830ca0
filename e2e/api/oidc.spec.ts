/** Single sign-on with a real OpenID Connect provider. */
import { randomUUID } from "node:crypto";
import { database } from "#lib/core/db.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { type Browser, code, newMember, openBrowser, signedIn } from "../members.ts";
import { openProvider, type Provider } from "../oidc-provider.ts";
import { type RunningServer, startServer } from "../server.ts";

const address = () => `${randomUUID()}@test.example`;

let provider: Provider;
let server: RunningServer;
let closed: RunningServer;

// In one process: the tests share a provider, at which one person signs in at a time.
test.describe.configure({ mode: "default" });

test.beforeAll(async () => {
  provider = await openProvider();
  const settings = {
    WORKER: "off",
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
    OIDC_NAME: "Acme ID",
  };
  [server, closed] = await Promise.all([
    startServer(settings),
    startServer({ ...settings, SIGN_UP: "closed" }),
  ]);
});

test.afterAll(async () => {
  await Promise.all([server.stop(), closed.stop()]);
  await provider.close();
});

/** Follows a browser's way to the provider and back. Returns the error if it ends at the sign-in page. */
async function signInAs(claims: Record<string, unknown>, url = server.url) {
  provider.claims = { sub: randomUUID(), ...claims };
  const browser = openBrowser(url);
  const there = await browser.goTo("oidc");
  expect(new URL(there).origin).toBe(provider.issuer);
  const back = (await fetch(there, { redirect: "manual" })).headers.get("location")!;
  expect(back.startsWith(`${url}/api/auth/callback/oidc?`)).toBe(true);
  const answer = await browser.get(back.slice(url.length));
  const location = new URL(answer.headers.get("location")!, url);
  expect(location.origin).toBe(url);
  return { browser, error: location.searchParams.get("error") };
}

const verified = (email: string) => ({ email, email_verified: true, name: "Ola Elsewhere" });
const isIn = async (browser: Browser) => (await browser.call("profile.read")).status === 200;

test("a verified address signs in as its member, and the sign-in options name the provider", async ({
  workspace,
}) => {
  const member = await newMember(workspace, "member");
  const { browser, error } = await signInAs(verified(member.email.toUpperCase()));
  expect(error).toBeNull();
  expect((await browser.call("profile.read")).body.profile.id).toBe(member.userId);
  expect((await browser.call("contracts.list")).status).toBe(200);
  expect((await browser.call("account.ways")).body.providers).toEqual([{ id: "oidc", name: "Acme ID" }]);
  expect(provider.complaints).toEqual([]);
});

test("an address that the provider has not verified signs no one in", async ({ workspace }) => {
  const member = await newMember(workspace, "member");
  for (const claims of [{ email: member.email }, { email: member.email, email_verified: false }, {}]) {
    const { browser, error } = await signInAs(claims);
    expect(error).toBe("email_not_verified");
    expect(await isIn(browser)).toBe(false);
  }
});

test("a new address creates an account only where sign-up is open", async () => {
  const email = address();
  const refused = await signInAs(verified(email), closed.url);
  expect([refused.error, await isIn(refused.browser)]).toEqual(["no_account", false]);
  const { browser, error } = await signInAs(verified(email));
  expect(error).toBeNull();
  const { profile } = (await browser.call("profile.read")).body;
  expect(profile).toMatchObject({ email, name: "Ola Elsewhere", hasPassword: false });
  expect(code(await browser.call("contracts.list"))).toBe("403 no_workspace");
  expect((await browser.call("workspaces.create", { name: "Ola's" })).status).toBe(201);
  expect((await browser.call("contracts.list")).status).toBe(200);
});

test("where sign-up is closed, no account with a password and no workspace can be created either", async () => {
  const stranger = openBrowser(closed.url);
  expect((await stranger.call("account.ways")).body.signUp).toBe("closed");
  const person = { name: "Nia", email: address(), password: "a long password", workspaceName: "Newco" };
  expect(code(await stranger.call("account.signUp", person))).toBe("403 forbidden");
  await openBrowser().call("account.signUp", person);
  await stranger.signIn(person.email, person.password);
  expect(code(await stranger.call("workspaces.create", { name: "Another" }))).toBe("403 forbidden");
});

test("an invited address can sign in even where sign-up is closed, and joins only after accepting", async ({
  workspace,
}) => {
  const email = `in_vited-${address()}`;
  await workspace.api("POST /members/invitations", { body: { email: email.replace("_", "x") } });
  expect((await signInAs(verified(email), closed.url)).error, "the _ is no wildcard").toBe("no_account");
  await workspace.api("POST /members/invitations", { body: { email, role: "viewer" } });
  const { browser, error } = await signInAs(verified(email), closed.url);
  expect(error).toBeNull();
  expect((await browser.call("workspaces.list")).body.data, "no one is made a member in silence").toEqual([]);
  const { data: waiting } = (await browser.call("workspaces.invitations")).body;
  expect(waiting).toEqual([{ id: expect.any(String), workspaceName: "Test workspace", role: "viewer" }]);
  const stranger = await signedIn(workspace, "member");
  expect(code(await stranger.call("workspaces.join", { id: waiting[0].id }))).toBe("404 not_found");
  expect((await browser.call("workspaces.join", { id: waiting[0].id })).status).toBe(200);
  const { data } = (await browser.call("workspaces.list")).body;
  expect(data).toMatchObject([{ organizationId: workspace.organizationId, role: "viewer", isCurrent: true }]);
  expect((await browser.call("workspaces.invitations")).body.data).toEqual([]);
});

test("a verified sign-in takes over an account that a stranger created with its address, and locks them out", async () => {
  const email = address();
  const squatter = openBrowser();
  const password = "the squatter's password";
  await squatter.call("account.signUp", { name: "Sly", email, password, workspaceName: "Trap" });
  await squatter.signIn(email, password);
  expect(await isIn(squatter)).toBe(true);
  const { url } = (await squatter.call("calendarFeed.create")).body;
  const { browser } = await signInAs(verified(email));
  expect(await isIn(browser)).toBe(true);
  expect(await isIn(squatter)).toBe(false);
  expect((await fetch(url)).status).toBe(404);
  expect((await squatter.signIn(email, password)).error).toBe("CredentialsSignin");
  const user = await database().prisma.user.findFirstOrThrow({ where: { email } });
  expect(user.emailVerifiedAt).not.toBeNull();
});

test("an authorization code from a sign-in begun in another browser is refused", async ({ workspace }) => {
  const member = await newMember(workspace, "member");
  provider.claims = { sub: "1", ...verified(member.email) };
  const there = await openBrowser(server.url).goTo("oidc");
  const back = (await fetch(there, { redirect: "manual" })).headers.get("location")!;
  const victim = openBrowser(server.url);
  await victim.get(back.slice(server.url.length));
  expect(await isIn(victim)).toBe(false);
});

/** Signs in, so that the browser has a session without a recent confirmation. */
async function staleSession(workspace: Workspace) {
  const member = await newMember(workspace, "admin");
  await database().prisma.user.update({ where: { id: member.userId }, data: { passwordHash: null } });
  const { browser } = await signInAs(verified(member.email));
  return { ...member, browser };
}

/** Confirms at the provider, as the dialog does, and comes back. Returns the query of the final address. */
async function confirmAt(browser: Browser, claims: Record<string, unknown>, alter = (url: string) => url) {
  provider.claims = { sub: randomUUID(), ...claims };
  const there = await browser.goTo("oidc", "?prompt=login&max_age=0");
  const back = (await fetch(alter(there), { redirect: "manual" })).headers.get("location")!;
  const answer = await browser.get(back.slice(server.url.length));
  return new URL(answer.headers.get("location")!, server.url).search;
}

const seconds = () => Math.floor(Date.now() / 1000);
const mint = (browser: Browser) => browser.call("apiKeys.create", { name: "CI", preset: "read_only" });

test("a member without a password confirms by a forced sign-in at the provider, within the same session", async ({
  workspace,
}) => {
  const { browser, email } = await staleSession(workspace);
  expect(code(await mint(browser)), "coming in proves nothing").toBe("403 password_needed");
  const { data: before } = (await browser.call("sessions.list")).body;
  expect(await confirmAt(browser, { ...verified(email), auth_time: seconds() })).toBe("");
  expect(provider.asked).toMatchObject({ prompt: "login", max_age: "0" });
  expect((await mint(browser)).status).toBe(201);
  const { data: after } = (await browser.call("sessions.list")).body;
  expect(after.map(({ id }: { id: string }) => id)).toEqual(before.map(({ id }: { id: string }) => id));
});

test("a sign-in without a fresh prompt at the provider, or as someone else, confirms nothing", async ({
  workspace,
}) => {
  const { browser, email } = await staleSession(workspace);
  const other = await newMember(workspace, "member");
  const longAgo = { ...verified(email), auth_time: seconds() - 3600 };
  expect(await confirmAt(browser, longAgo)).toBe("?error=not_asked_again");
  expect(await confirmAt(browser, verified(email)), "nothing said of when").toBe("?error=not_asked_again");
  const asOther = { ...verified(other.email), auth_time: seconds() };
  expect(await confirmAt(browser, asOther)).toBe("?error=other_account");
  expect(code(await mint(browser))).toBe("403 password_needed");
  expect((await browser.call("profile.read")).body.profile.email).toBe(email);
  await test.step("an ordinary sign-in does not complete a pending confirmation", async () => {
    provider.claims = { sub: randomUUID(), ...verified(email) };
    await browser.goTo("oidc", "?prompt=login&max_age=0");
    const there = await browser.goTo("oidc");
    const back = (await fetch(there, { redirect: "manual" })).headers.get("location")!;
    await browser.get(back.slice(server.url.length));
    expect(code(await mint(browser))).toBe("403 password_needed");
  });
});

test("a sign-in for which the provider has just asked for the password counts as confirmed", async ({
  workspace,
}) => {
  const member = await newMember(workspace, "admin");
  const { browser } = await signInAs({ ...verified(member.email), auth_time: seconds() });
  expect((await mint(browser)).status).toBe(201);
});
