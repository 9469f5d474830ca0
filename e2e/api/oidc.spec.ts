/** Signing in elsewhere, at a real OpenID Connect provider. */
import { randomUUID } from "node:crypto";
import { database } from "#lib/db.ts";
import { expect, test } from "../fixtures.ts";
import { type Browser, code, newMember, openBrowser } from "../members.ts";
import { openProvider, type Provider } from "../oidc-provider.ts";
import { type RunningServer, startServer } from "../server.ts";

const address = () => `${randomUUID()}@test.example`;

let provider: Provider;
let server: RunningServer;
let closed: RunningServer;

// In one process: they share a provider, at which one person signs in at a time.
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

/** The way a browser goes: to the provider, and back. Answers the error, if it ends at the sign-in page. */
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

test("a verified address signs in as the member who has it, and the page knows the provider", async ({
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

test("an address that the provider has not verified proves nothing", async ({ workspace }) => {
  const member = await newMember(workspace, "member");
  for (const claims of [{ email: member.email }, { email: member.email, email_verified: false }, {}]) {
    const { browser, error } = await signInAs(claims);
    expect(error).toBe("email_not_verified");
    expect(await isIn(browser)).toBe(false);
  }
});

test("a new address makes an account where signing up is open, and none where it is closed", async () => {
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

test("an invited address comes into its workspace, also where signing up is closed", async ({
  workspace,
}) => {
  const email = address();
  await workspace.api("POST /members/invitations", { body: { email, role: "viewer" } });
  const { browser, error } = await signInAs(verified(email), closed.url);
  expect(error).toBeNull();
  const { data } = (await browser.call("workspaces.list")).body;
  expect(data).toMatchObject([{ organizationId: workspace.organizationId, role: "viewer", isCurrent: true }]);
});

test("an account made with somebody else's address is theirs when they come, and its maker is out", async () => {
  const email = address();
  const squatter = openBrowser();
  const password = "the squatter's password";
  await squatter.call("account.signUp", { name: "Sly", email, password, workspaceName: "Trap" });
  await squatter.signIn(email, password);
  expect(await isIn(squatter)).toBe(true);
  const { browser } = await signInAs(verified(email));
  expect(await isIn(browser)).toBe(true);
  expect(await isIn(squatter)).toBe(false);
  expect((await squatter.signIn(email, password)).error).toBe("CredentialsSignin");
  const user = await database().prisma.user.findFirstOrThrow({ where: { email } });
  expect(user.emailVerifiedAt).not.toBeNull();
});

test("a code that somebody else began with is refused", async ({ workspace }) => {
  const member = await newMember(workspace, "member");
  provider.claims = { sub: "1", ...verified(member.email) };
  const there = await openBrowser(server.url).goTo("oidc");
  const back = (await fetch(there, { redirect: "manual" })).headers.get("location")!;
  const victim = openBrowser(server.url);
  await victim.get(back.slice(server.url.length));
  expect(await isIn(victim)).toBe(false);
});
