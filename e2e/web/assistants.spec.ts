/** Connecting an assistant in the browser, and disconnecting it. */
import type { Page } from "@playwright/test";
import { findGrant } from "#lib/assistants/tokens.ts";
import { connect as connectAssistant } from "../assistant.ts";
import { authorizeUrl, connect, newProgram, newVerifier, redeem } from "../assistants.ts";
import { inJson } from "../documents.ts";
import type { Workspace } from "../fixtures.ts";
import { newMember, signedIn } from "../members.ts";
import { pdfOf } from "../pdf.ts";
import { expect, expectAccessible, hands, signIn, test } from "./fixtures.ts";

const back = () => `${process.env.BASE_URL}/assistant-callback`;

/** A program that redirects to this server, which has no such page: test browsers visit no other origin. */
async function asking(metadata: Record<string, unknown> = {}) {
  const { verifier, challenge } = newVerifier();
  const native = { redirect_uris: [back()], application_type: "native" };
  const clientId = await newProgram({ ...native, ...metadata });
  const path = (scope: string) => authorizeUrl(clientId, challenge, { redirect_uri: back(), scope });
  return { clientId, verifier, path };
}

const toldTo = async (page: Page) => {
  await page.waitForURL(/assistant-callback/);
  return new URL(page.url()).searchParams;
};

async function allowChanges(workspace: Workspace): Promise<void> {
  const owner = await signedIn(workspace, "owner");
  await owner.call("assistants.setPolicy", { policy: "as_granted" });
}

/** Presses Tab until an element of this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  await expect(async () => {
    await page.keyboard.press("Tab");
    const focused = page.locator(":focus");
    const label = await focused.evaluate((element) => {
      const own = element.getAttribute("aria-label") ?? element.closest("label")?.textContent;
      return own ?? element.textContent ?? "";
    });
    expect(label).toContain(name);
  }).toPass({ intervals: [0] });
}

test("a signed-out user can sign in and grant an assistant only the chosen scopes by keyboard", async ({
  page,
  workspace,
}) => {
  await allowChanges(workspace);
  const person = await newMember(workspace, "member");
  const { path, clientId, verifier } = await asking();
  await page.goto(path("contracts:read contracts:write obligations:read audit:read"));
  await page.getByLabel("E-mail").fill(person.email);
  await page.getByLabel("Password", { exact: true }).fill(person.password);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Connect Claude?" })).toBeVisible();
  await hands(page);
  await expect(page.getByText("Not verified")).toBeVisible();
  await expect(page.getByLabel("The audit log")).toBeDisabled();
  await expect(page.getByText("Not allowed for your role, member.")).toBeVisible();
  await expect(page.getByLabel("Create and change contracts")).toBeChecked();
  await tabTo(page, "Obligations and their dates");
  await page.keyboard.press("Space");
  await tabTo(page, "Read only");
  await page.keyboard.press("Space");
  await expect(page.getByLabel("Create and change contracts")).not.toBeChecked();
  await tabTo(page, "Allow");
  await page.keyboard.press("Enter");
  const told = await toldTo(page);
  expect(told.get("iss")).toBe(process.env.BASE_URL);
  const { body } = await redeem(clientId, told.get("code")!, verifier, { redirect_uri: back() });
  expect((await findGrant(body.access_token))?.granted).toEqual(["contracts:read"]);
});

test("the read-only switch is locked on, with the reason, when the workspace limits assistants to reading", async ({
  page,
  workspace,
}) => {
  await signIn(page, workspace);
  const { path } = await asking();
  await page.goto(path("contracts:read contracts:write"));
  const readOnly = page.getByRole("switch", { name: /Read only/ });
  await expect(readOnly).toBeChecked();
  await expect(readOnly).toBeDisabled();
  await expect(page.getByText("The workspace lets assistants read only.")).toBeVisible();
  await expect(page.getByLabel("Create and change contracts")).toBeDisabled();
  await expectAccessible(page);
});

test("cancelling consent returns access_denied to the client, and the request cannot be reused", async ({
  page,
  workspace,
}) => {
  await signIn(page, workspace);
  const { path } = await asking();
  await page.goto(path("contracts:read"));
  const request = page.url();
  await page.getByRole("button", { name: "Cancel" }).click();
  const told = await toldTo(page);
  expect([told.get("error"), told.get("code")]).toEqual(["access_denied", null]);
  await page.goto(request);
  await expect(page.getByRole("heading", { name: "This request cannot be used" })).toBeVisible();
  await expectAccessible(page);
});

test("a long unbreakable client name fits at 320 px on the consent page and in the settings", async ({
  page,
  workspace,
}) => {
  const person = await signIn(page, workspace);
  const client_name = "W".repeat(100);
  const { path } = await asking({ client_name });
  await page.setViewportSize({ width: 320, height: 640 });
  const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  await page.goto(path("contracts:read contracts:write search:read"));
  await expect(page.getByRole("heading", { name: client_name })).toBeVisible();
  expect(await sideways()).toBeLessThanOrEqual(0);
  await connect(person, workspace, ["contracts:read"], { program: await newProgram({ client_name }) });
  await page.goto("/settings/assistants");
  await expect(page.getByRole("button", { name: /^Disconnect W/ })).toBeVisible();
  expect(await sideways()).toBeLessThanOrEqual(0);
});

test("a member sees only their own assistants, and disconnecting one revokes its access token", async ({
  page,
  workspace,
}) => {
  await connect(await signedIn(workspace, "member"), workspace);
  const person = await signIn(page, workspace);
  await page.goto("/settings/assistants");
  await expect(page.getByText("No assistants connected")).toBeVisible();
  await expect(page.getByText("Assistants in this workspace: Read only.")).toBeVisible();
  await expect(page.getByText(`${process.env.BASE_URL}/mcp`)).toBeVisible();
  const { access } = await connect(person, workspace);
  await page.reload();
  const row = page.getByRole("row", { name: /Claude/ });
  await expect(row).toContainText("assistant.example · connected by you");
  await expect(row).toHaveCount(1);
  await row
    .getByRole("button", { name: /what Claude may do/ })
    .filter({ visible: true })
    .click();
  await expect(page.getByText("Contracts and their documents")).toBeVisible();
  await page.keyboard.press("Escape");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Disconnect Claude of you" }).click();
  await page.getByRole("button", { name: "Disconnect", exact: true }).click();
  await expect(page.getByText("No assistants connected")).toBeVisible();
  expect(await findGrant(access)).toBeUndefined();
});

test("an owner sees members' assistants, and changes to the workspace policy apply to existing tokens", async ({
  page,
  workspace,
}) => {
  const member = await signedIn(workspace, "member");
  const { access } = await connect(member, workspace);
  await signIn(page, workspace, "owner");
  await page.goto("/settings/assistants");
  await expect(page.getByRole("row", { name: /Claude/ })).toContainText("connected by Mel member");
  await page.getByRole("radio", { name: /^Off/ }).check();
  await expect(page.getByText("It applies from the next call of each assistant.")).toBeVisible();
  expect(await findGrant(access)).toBeUndefined();
  await page.getByRole("radio", { name: /^As granted/ }).check();
  await expect(page.getByRole("radio", { name: /^As granted/ })).toBeChecked();
  await expect.poll(async () => (await findGrant(access))?.policy).toBe("as_granted");
});

test("a read-only assistant quotes clauses with links, cannot write, and loses access when disconnected", async ({
  page,
  workspace,
}) => {
  const clause = "4.2 The term renews unless notice is given ninety days before its end.";
  const bytes = await pdfOf([["1. Subject", "Hosting of the platform."], [clause]]);
  const document = inJson({ fileName: "hosting.pdf", contentType: "application/pdf", bytes });
  const { id: contractId } = await workspace.contract({ title: "Hosting", document });
  await signIn(page, workspace);
  const { path, clientId, verifier } = await asking();
  await page.goto(path("contracts:read contracts:write search:read"));
  await page.getByRole("button", { name: "Allow" }).click();
  const told = await toldTo(page);
  const { body } = await redeem(clientId, told.get("code")!, verifier, { redirect_uri: back() });
  const { client, use, refused } = await connectAssistant(body.access_token);
  const ask = async () => (await use("search_contracts", { q: "notice of renewal" })).data.clauses;
  await expect.poll(async () => (await ask()).length, { timeout: 60_000 }).toBeGreaterThan(0);
  const [found] = await ask();
  expect(found.quote).toContain("unless notice is given ninety days");
  await page.goto(found.link);
  const viewer = page.getByRole("region", { name: "hosting.pdf, version 1" });
  await expect(viewer.locator("mark", { hasText: "notice" }).first()).toBeInViewport();
  await expect(page.getByRole("textbox", { name: "Page" })).toHaveValue("2");
  expect((await refused("update_contract", { contractId, title: "Taken over" })).code).toBe(
    "insufficient_scope",
  );
  await page.goto("/settings/assistants");
  await page.getByRole("button", { name: "Disconnect Claude of you" }).click();
  await page.getByRole("button", { name: "Disconnect", exact: true }).click();
  await expect(page.getByText("No assistants connected")).toBeVisible();
  await expect(client.listTools()).rejects.toThrow();
});
