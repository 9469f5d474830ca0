import { newMember } from "../members.ts";
import { openProvider } from "../oidc-provider.ts";
import { mailsTo, tokenIn } from "../outbox.ts";
import { startServer } from "../server.ts";
import { expect, expectAccessible, setOffline, signIn, test } from "./fixtures.ts";

test("signing up creates a workspace and signs the new user in to it", async ({ page }) => {
  await page.goto("/");
  await expectAccessible(page);
  await page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/sign-in$/);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Create a workspace" }).click();
  await page.getByLabel("Your name").fill("Ada Ostrom");
  await page.getByLabel("E-mail address").fill(`ada-${crypto.randomUUID()}@test.example`);
  await page.getByLabel("Password", { exact: true }).fill("short");
  await page.getByLabel("Workspace").fill("Ostrom & Daughters");
  await page.getByRole("button", { name: "Create the workspace" }).click();
  await expect(page.getByText("must have at least 10 characters")).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Password", { exact: true }).fill("long enough for this");
  await page.getByRole("button", { name: "Create the workspace" }).click();
  await expect(page.getByRole("heading", { name: "Welcome, Ada" })).toBeVisible();
  await expect(page.getByText("Your workspace is ready")).toBeVisible();
});

test("signing in returns to the requested page and never redirects to another site", async ({
  page,
  workspace,
}) => {
  const { email, password } = await newMember(workspace, "member");
  const enter = async (path: string) => {
    await page.context().clearCookies();
    await page.goto(path);
    await page.getByLabel("E-mail address").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
  };
  await enter("/obligations?status=DUE");
  await expect(page).toHaveURL(/\/obligations\?status=DUE$/);
  const others = [
    "https://evil.example/",
    "//evil.example",
    "/\\evil.example",
    "/..//evil.example",
    "/%2e//evil.example",
  ];
  for (const next of others) {
    await enter(`/sign-in?next=${encodeURIComponent(next)}`);
    await expect(page).toHaveURL(/\/home$/);
  }
});

test("a wrong password is refused without revealing whether the account exists", async ({
  page,
  workspace,
}) => {
  const { email } = await newMember(workspace, "member");
  const said: (string | null)[] = [];
  for (const address of [email, `nobody-${crypto.randomUUID()}@test.example`]) {
    await page.goto("/sign-in");
    await page.getByLabel("E-mail address").fill(address);
    await page.getByLabel("Password", { exact: true }).fill("not the password");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    said.push(await page.locator("form").getByRole("alert").textContent());
  }
  expect(said[0]).toContain("is wrong");
  expect(said[1]).toBe(said[0]);
});

test("signing out ends the session, and a failed sign-out says that the user is still signed in", async ({
  page,
  workspace,
}) => {
  await signIn(page, workspace);
  await page.goto("/home");
  await page.getByRole("button", { name: /Mel member/ }).click();
  await setOffline(page, true);
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByText("You are still signed in")).toBeVisible();
  await setOffline(page, false);
  await page.getByRole("button", { name: /Mel member/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in$/);
  await page.goto("/contracts");
  await expect(page).toHaveURL(/\/sign-in\?next=%2Fcontracts$/);
});

test("a password reset for an unknown address still says to check e-mail", async ({ page }) => {
  await page.goto("/forgotten-password");
  await page.getByLabel("E-mail address").fill(`nobody-${crypto.randomUUID()}@test.example`);
  await page.getByRole("button", { name: "Send the link" }).click();
  await expect(page.getByText("Check your e-mail")).toBeVisible();
  await expectAccessible(page);
});

test("an invalid invitation link says that it cannot be used", async ({ page }) => {
  await page.goto("/invite/nothing");
  await expect(page.getByRole("heading", { name: "This invitation cannot be used" })).toBeVisible();
  await expectAccessible(page);
});

test("an invited person can join through single sign-on without a password", async ({
  browser,
  workspace,
}) => {
  const email = `ola-${crypto.randomUUID()}@test.example`;
  await workspace.api("POST /members/invitations", { body: { email, role: "viewer" } });
  const token = tokenIn((await mailsTo(email))[0]);
  const provider = await openProvider();
  const { issuer: OIDC_ISSUER, clientId: OIDC_CLIENT_ID, clientSecret: OIDC_CLIENT_SECRET } = provider;
  const server = await startServer({
    ...{
      OIDC_ISSUER,
      OIDC_CLIENT_ID,
      OIDC_CLIENT_SECRET,
      OIDC_NAME: "Unternehmensidentität der Größe & Söhne",
    },
    ...{ WORKER: "off", SIGN_UP: "closed" },
  });
  const page = await browser.newPage({ viewport: { width: 320, height: 700 } });
  try {
    provider.claims = { sub: "ola", email, email_verified: true, name: "Ola Elsewhere" };
    await page.goto(`${server.url}/invite/${token}`);
    await expect(page.getByLabel("Choose a password")).toBeVisible();
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    await page.getByRole("button", { name: "Continue with Unternehmensidentität" }).click();
    await expect(page.getByLabel("Choose a password")).toHaveCount(0);
    await expect(page.getByRole("heading", { name: "Join Test workspace" })).toBeVisible();
    await page.getByRole("button", { name: "Join the workspace" }).click();
    await expect(page).toHaveURL(`${server.url}/home`);
    const { data } = (await workspace.api("GET /members")).body;
    expect(data).toContainEqual(expect.objectContaining({ name: "Ola Elsewhere", email, role: "viewer" }));
  } finally {
    await page.close();
    await server.stop();
    await provider.close();
  }
});

test("the Content-Security-Policy blocks foreign scripts, inline scripts without a nonce, and framing", async ({
  page,
}) => {
  const response = await page.goto("/forgotten-password");
  const headers = response!.headers();
  const policy = headers["content-security-policy"]!;
  expect(policy).toMatch(/script-src 'self' 'nonce-[^']+' 'strict-dynamic'/);
  expect(policy).not.toMatch(/script-src[^;]*unsafe/);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(headers).toMatchObject({
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": expect.stringContaining("no-store"),
  });
});
