/** The settings: their pages do what they promise. */
import { database } from "#lib/core/db.ts";
import { setPlan } from "#lib/people/members/workspaces.ts";
import { memberPassword } from "../accounts.ts";
import { apiWith } from "../fixtures.ts";
import { newMember, openBrowser } from "../members.ts";
import { startReceiver } from "../receiver.ts";
import { expect, expectAccessible, signIn, test } from "./fixtures.ts";

test("an admin can create an API key, see its usage and audit log entries, and revoke it", async ({
  page,
  workspace,
}) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await signIn(page, workspace, "admin");
  await page.goto("/settings/api-keys");
  await page.getByRole("button", { name: "Create a key" }).click();
  await page.getByLabel("Name").fill("CRM sync");
  await page.getByRole("radio", { name: /^Full access/ }).check();
  await page.getByRole("button", { name: "Create the key" }).click();
  const shown = page.getByRole("dialog", { name: "Your new key" });
  await expect(shown).toBeVisible();
  await page.mouse.click(5, 5);
  await page.evaluate(() =>
    Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true }),
  );
  await shown.getByRole("button", { name: "Copy" }).click();
  await expect(shown.getByText("Copying failed. Select it and copy it yourself.")).toBeVisible();
  await page.evaluate(() => Reflect.deleteProperty(navigator, "clipboard"));
  await shown.getByRole("button", { name: "Copy" }).click();
  await expect(shown.getByRole("button", { name: "Copied", exact: true })).toBeVisible();
  const key = await page.evaluate(() => navigator.clipboard.readText());
  expect(key).toMatch(/^csk_/);
  await expectAccessible(page);
  await shown.getByRole("button", { name: "I have copied it" }).click();
  await expect(page.getByText(key)).toHaveCount(0);

  const api = apiWith(key);
  const body = { title: "Made by the sync", type: "NDA", ourRole: "VENDOR", ownerId: workspace.ownerId };
  expect((await api("POST /contracts", { body })).status).toBe(201);
  expect((await api("GET /contracts?page=0")).status).toBe(422);
  expect((await api("GET /contracts")).status).toBe(200);
  await page.getByRole("button", { name: "Usage of CRM sync" }).click();
  const calls = page.getByRole("dialog", { name: "Usage of “CRM sync”" });
  // The counts are written every few seconds, and the sheet polls as often.
  const reads = calls.getByRole("listitem").filter({ hasText: "GET /contracts" });
  await expect(reads).toContainText("1 refused2", { timeout: 30_000 });
  await expect(calls.getByRole("listitem").filter({ hasText: "POST /contracts" })).toContainText("1");
  await expectAccessible(page);
  await calls.getByRole("link", { name: "See what it changed in the audit log" }).click();
  await expect(page).toHaveURL(/\/settings\/audit\?apiKeyId=/);
  await expect(page.getByRole("button", { name: "Clear the filter API key" })).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "created the contract" })).toContainText(
    "CRM sync created the contract Made by the sync",
  );

  await page.goto("/settings/api-keys");
  await page.getByRole("button", { name: "Revoke CRM sync" }).click();
  await page.getByRole("button", { name: "Revoke the key" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("row", { name: /CRM sync/ })).toHaveCount(0);
  expect((await api("GET /contracts")).status).toBe(401);
  await page.getByLabel("Show 1 revoked or expired key").check();
  await expect(page).toHaveURL(/ended=true/);
  await expect(page.getByRole("row", { name: /CRM sync/ })).toContainText("Revoked");
  await expectAccessible(page);
});

/** As if the password had been entered more than ten minutes ago. */
async function makeStale(userId: string): Promise<void> {
  const passwordConfirmedAt = new Date(Date.now() - 11 * 60 * 1000);
  await database().prisma.session.updateMany({ where: { userId }, data: { passwordConfirmedAt } });
}

test("creating an API key asks for the password if it was entered over ten minutes ago", async ({
  page,
  workspace,
}) => {
  const { userId } = await signIn(page, workspace, "admin");
  await makeStale(userId);
  await page.goto("/settings/api-keys?new=true");
  await page.getByLabel("Name").fill("Later");
  await page.getByRole("button", { name: "Create the key" }).click();
  const asked = page.getByRole("dialog", { name: "Enter your password" });
  await asked.getByLabel("Password", { exact: true }).fill("not it");
  await asked.getByRole("button", { name: "Continue" }).click();
  await expect(asked.getByText("is not your password")).toBeVisible();
  await expectAccessible(page);
  await asked.getByLabel("Password", { exact: true }).fill(memberPassword);
  await asked.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("dialog", { name: "Your new key" })).toBeVisible();
});

test("a viewer is offered no action on readable pages, and settings for other roles say so", async ({
  page,
  workspace,
}) => {
  await newMember(workspace, "member", "Ann Other");
  await signIn(page, workspace, "viewer");
  await page.goto("/settings");
  const nav = page.getByRole("navigation", { name: "Settings" });
  const pages = [
    "Workspace",
    "Members",
    "Approvals",
    "Custom fields",
    "Plan",
    "Connected assistants",
    "Profile",
    "Notifications",
    "Sessions",
  ];
  await expect(nav.getByRole("link")).toHaveText(pages);
  await expect(page.getByLabel("Name")).toBeDisabled();
  await expect(page.getByText("This requires the role owner or admin. Yours is viewer.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Save" })).toHaveCount(0);
  await nav.getByRole("link", { name: "Members" }).click();
  await expect(page.getByRole("row", { name: /Ann Other/ })).toContainText("Member");
  await expect(page.getByRole("main").getByRole("button")).toHaveCount(0);
  for (const hidden of ["api-keys", "webhooks", "audit"]) {
    await page.goto(`/settings/${hidden}`);
    await expect(page.getByText("Not for your role")).toBeVisible();
    await expect(page.getByRole("main").getByRole("button")).toHaveCount(0);
  }
  await workspace.contract({ title: "Readable" });
  await page.goto("/contracts");
  await page.getByRole("link", { name: "Readable" }).click();
  await expect(page.getByRole("heading", { name: "Readable" })).toBeVisible();
  for (const path of ["/obligations", "/obligations/calendar", "/signatures", "/counterparties", "/home"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const changing = /^(New|Add|Edit|Mint|Invite|Revoke|Complete|Waive|Accept|Send|Export)/;
    await expect(page.getByRole("main").getByRole("button", { name: changing })).toHaveCount(0);
    await expect(page.getByRole("main").getByRole("link", { name: changing })).toHaveCount(0);
  }
});

test("an owner can rename the workspace and see how many seats are taken", async ({ page, workspace }) => {
  await signIn(page, workspace, "owner");
  await page.goto("/settings/workspace");
  await page.getByLabel("Name").fill("Arvenholt Group");
  await page.getByLabel("Currency").click();
  await page.getByPlaceholder("Search currency").fill("swiss");
  await page.getByRole("option", { name: /CHF/ }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("button", { name: /Arvenholt Group/ })).toBeVisible();
  await expectAccessible(page);
  await page.reload();
  await expect(page.getByLabel("Name")).toHaveValue("Arvenholt Group");
  await page.goto("/settings/plan");
  await expect(page.getByText(/2 of \d+ seats taken/)).toBeVisible();
  await expect(page.getByText("The operator of this server sets seats")).toBeVisible();
  await expectAccessible(page);
});

test("renaming the workspace keeps a currency changed meanwhile", async ({ page, workspace }) => {
  const { call } = await signIn(page, workspace, "owner");
  await page.goto("/settings/workspace");
  const name = "Donaudampfschifffahrtsgesellschaft & 東京商事";
  await page.getByLabel("Name").fill(name);
  expect((await call("workspace.patch", { currency: "CHF" })).status).toBe(200);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Workspace updated")).toBeVisible();
  expect((await call("workspace.read", {})).body.workspace).toMatchObject({ name, currency: "CHF" });
});

test("changing an endpoint's events keeps a description changed meanwhile", async ({ page, workspace }) => {
  const { call } = await signIn(page, workspace, "admin");
  const made = await call("webhookEndpoints.create", { url: "https://hooks.example.com/" });
  const { id } = made.body.endpoint;
  await page.goto(`/settings/webhooks/${id}`);
  await page.getByRole("button", { name: "More for this endpoint" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit the endpoint" });
  await dialog.getByLabel("Only these").check();
  await dialog.getByLabel("Contract", { exact: true }).check();
  const description = "Архив договоров 계약 보관";
  expect((await call("webhookEndpoints.patch", { id, description })).status).toBe(200);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Endpoint updated")).toBeVisible();
  const { endpoint } = (await call("webhookEndpoints.read", { id })).body;
  expect(endpoint).toMatchObject({ description });
  expect(endpoint.events).toContain("contract.created");
});

test("an admin can change or remove members, is told why owners are off limits, and confirms self-demotion", async ({
  page,
  workspace,
}) => {
  await newMember(workspace, "member", "Ann Other");
  await signIn(page, workspace, "admin");
  await page.goto("/settings/members");
  await page.getByRole("button", { name: "Owner: change what Olive Owner may do" }).click();
  const menu = page.getByRole("menu", { name: "What Olive Owner may do" });
  await expect(menu.getByRole("menuitem", { name: /^Viewer/ })).toHaveAttribute("aria-disabled", "true");
  await expect(menu.getByText("Only an owner can remove owners. You are admin.")).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Member: change what Ann Other may do" }).click();
  await page.getByRole("menuitem", { name: /^Viewer/ }).click();
  await expect(page.getByText("Ann Other's role is now viewer")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("button", { name: "Member: change what Ann Other may do" }).click();
  await page.getByRole("menuitem", { name: "Remove from the workspace" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("row", { name: /Ann Other/ })).toHaveCount(0);
  await page.getByRole("button", { name: /^Admin: change what/ }).click();
  await page.getByRole("menuitem", { name: /^Member/ }).click();
  const own = page.getByRole("dialog", { name: "Change your own role to member?" });
  await expectAccessible(page);
  await own.getByRole("button", { name: "Change my role" }).click();
  await expect(page.getByRole("button", { name: /change what .* may do/ })).toHaveCount(0);
  await expect(page.getByRole("row", { name: /Olive Owner/ })).toBeVisible();
});

test("demoting or removing an owner asks for the password if it was entered over ten minutes ago", async ({
  page,
  workspace,
}) => {
  await newMember(workspace, "owner", "Second Owner");
  const { userId } = await signIn(page, workspace, "owner");
  await page.goto("/settings/members");
  const asked = page.getByRole("dialog", { name: "Enter your password" });
  const confirm = async () => {
    await asked.getByLabel("Password", { exact: true }).fill(memberPassword);
    await asked.getByRole("button", { name: "Continue" }).click();
  };
  await makeStale(userId);
  await page.getByRole("button", { name: "Owner: change what Second Owner may do" }).click();
  await page.getByRole("menuitem", { name: /^Viewer/ }).click();
  await confirm();
  await expect(page.getByText("Second Owner's role is now viewer")).toBeVisible();
  await makeStale(userId);
  await page.getByRole("button", { name: "Owner: change what Olive Owner may do" }).click();
  await page.getByRole("menuitem", { name: "Remove from the workspace" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(asked).toBeVisible();
  await expect(page.getByRole("row", { name: /Olive Owner/, includeHidden: true })).toHaveCount(1);
  await confirm();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("row", { name: /Olive Owner/ })).toHaveCount(0);
});

test("the last owner cannot leave the workspace, and the menu says why", async ({ page, workspace }) => {
  await signIn(page, workspace, "owner");
  await page.goto("/settings/members");
  await page.getByRole("button", { name: "Owner: change what Olive Owner may do" }).click();
  await page.getByRole("menuitem", { name: "Remove from the workspace" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("row", { name: /Olive Owner/ })).toHaveCount(0);
  await page.getByRole("button", { name: /change what .* may do/ }).click();
  await expect(page.getByText("This is the last owner.").first()).toBeVisible();
  await expect(page.getByRole("menuitem", { name: /^Leave/ })).toHaveAttribute("aria-disabled", "true");
});

test("an invitation can be sent, sent again and revoked", async ({ page, workspace }) => {
  await signIn(page, workspace, "admin");
  await page.goto("/settings/members");
  await page.getByRole("button", { name: "Invite" }).click();
  const dialog = page.getByRole("dialog", { name: "Invite someone" });
  await expect(dialog.getByRole("radio", { name: /^Owner/ })).toBeDisabled();
  await dialog.getByLabel("E-mail address").fill("new@partner.example");
  await dialog.getByRole("radio", { name: /^Viewer/ }).check();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Send the invitation" }).click();
  const row = page.getByRole("main").getByRole("listitem").filter({ hasText: "new@partner.example" });
  await expect(row).toContainText("Pending");
  await row.getByRole("button", { name: "Send again" }).click();
  await expect(page.getByText("Sent again")).toBeVisible();
  await row.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByText("No pending invitations")).toBeVisible();
  await page.getByRole("button", { name: "Show 1 answered or revoked invitation" }).click();
  await expect(row).toContainText("Revoked");
});

test("inviting is disabled with an explanation when all seats are taken", async ({ page, workspace }) => {
  await signIn(page, workspace, "admin");
  await setPlan(workspace.ctx, { seats: 2 });
  await page.goto("/settings/members");
  await expect(page.getByText("2 of 2 seats taken: none is left")).toBeVisible();
  await expect(page.getByRole("button", { name: "Invite" })).toBeDisabled();
  await expect(page.getByText(/ask the operator for seats/)).toBeVisible();
});

test("a webhook endpoint can be added, tested, inspected, disabled and deleted, and its secret rotated", async ({
  page,
  workspace,
}) => {
  const receiver = await startReceiver(() => ({ status: 500, body: '{"oops":true}' }));
  const { call } = await signIn(page, workspace, "admin");
  await page.goto("/settings/webhooks");
  await expect(page.getByText("No webhook endpoints yet")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Add an endpoint" }).first().click();
  await page.getByLabel("Address").fill(receiver.url);
  await page.getByLabel("Only these").check();
  await page.getByLabel("Contract", { exact: true }).check();
  await page.getByLabel("contract.updated").uncheck();
  await page.getByRole("dialog").getByRole("button", { name: "Add the endpoint" }).click();
  const made = page.getByRole("dialog", { name: "Endpoint added" });
  await expect(made.getByText(/^whsec_/)).toBeVisible();
  await made.getByRole("button", { name: "I have copied it" }).click();
  await expect(page).toHaveURL(/\/settings\/webhooks\/\w+/);
  await page.getByRole("button", { name: "Send a test" }).click();
  // It fails and is retried, and the page updates without a reload.
  const row = page.getByRole("row", { name: /webhook\.test/ });
  await expect(row).toContainText("Failed", { timeout: 60_000 });
  await expectAccessible(page);
  receiver.react = () => 204;
  await row.getByRole("button", { name: "webhook.test" }).click();
  const sheet = page.getByRole("dialog", { name: "webhook.test" });
  await expect(sheet.getByRole("listitem")).toHaveCount(4);
  await expect(sheet.getByRole("region", { name: "Response to attempt 4" })).toContainText('"oops": true');
  await sheet.getByRole("tab", { name: "Request" }).click();
  const sent = receiver.received[0]!;
  await expect(sheet).toContainText(String(sent.headers["webhook-id"]));
  await expect(sheet.getByRole("region", { name: "Body of the request" })).toContainText(sent.event.id);
  const ids = { id: page.url().match(/whe_\w+/)![0], deliveryId: String(sent.headers["webhook-id"]) };
  const { body } = await call("webhookEndpoints.inspectDelivery", ids);
  expect(body.request.payload).toBe(sent.text);
  await expectAccessible(page);
  await sheet.getByRole("button", { name: "Send again" }).click();
  await expect(sheet.getByText("Received")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Status" }).click();
  await page.getByLabel("Received").check();
  await expect(page).toHaveURL(/status=SUCCEEDED/);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("row", { name: /webhook\.test/ })).toHaveCount(1);
  await page.getByRole("button", { name: "More for this endpoint" }).click();
  await page.getByRole("menuitem", { name: /Rotate the secret/ }).click();
  await page.getByRole("button", { name: "Rotate", exact: true }).click();
  await expect(page.getByRole("dialog", { name: "The new secret" })).toContainText("whsec_");
  await page.getByRole("button", { name: "I have copied it" }).click();
  await page.getByRole("button", { name: "More for this endpoint" }).click();
  await page.getByRole("menuitem", { name: "Disable" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
  await expect(page.getByRole("button", { name: "Enable" })).toBeVisible();
  await page.getByRole("button", { name: "More for this endpoint" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("No webhook endpoints yet")).toBeVisible();
  await receiver.close();
});

test("the audit log can be filtered, paged, inspected and exported as CSV", async ({ page, workspace }) => {
  await Promise.all(
    Array.from({ length: 60 }, (_, nth) => workspace.contract({ title: `Agreement ${nth}` })),
  );
  const { id } = await workspace.contract({ title: "Looked into" });
  for (const body of [
    { valueCents: "5000", valueCurrency: "EUR" },
    { valueCents: "7050" },
    { valueCurrency: "USD" },
  ])
    await workspace.api(`PATCH /contracts/${id}`, { body });
  const { userId } = await signIn(page, workspace, "admin");
  await page.goto("/settings/audit");
  await expect(page.getByRole("listitem").filter({ hasText: "signed in" }).first()).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "API keys", exact: true }).click();
  await expect(page).toHaveURL(/via=api/);
  const lines = page.getByRole("main").getByRole("listitem").filter({ hasText: "Test full_access" });
  await expect(lines).toHaveCount(50);
  await page.getByRole("button", { name: "Load older" }).click();
  await expect(lines).toHaveCount(64);
  await expect(page.getByRole("button", { name: "Load older" })).toHaveCount(0);
  await page.getByRole("button", { name: "Action", exact: true }).click();
  await page.getByLabel("Search actions").fill("contract updated");
  await page.getByRole("checkbox", { name: "Contract updated" }).check();
  await page.keyboard.press("Escape");
  await expect(lines).toHaveCount(3);
  const download = page.waitForEvent("download");
  const asked = page.waitForRequest(/audit-events\.csv/);
  await page.getByRole("button", { name: "Export CSV" }).click();
  expect((await download).suggestedFilename()).toBe("audit-events.csv");
  expect((await asked).headers()["x-page-of"]).toBe(`${userId} ${workspace.organizationId}`);
  const details = page.getByRole("button", { name: /^Details: Test full_access updated Looked into/ });
  await details.nth(2).press("Enter");
  const sheet = page.getByRole("dialog", { name: "Contract updated" });
  const changes = sheet.getByRole("region", { name: "Changes" });
  await expect(changes).toContainText("Currency");
  await expect(changes).toContainText("EUR");
  await expect(changes).toContainText("€50");
  await page.keyboard.press("Escape");
  await details.nth(1).press("Enter");
  await expect(changes, "in the currency of that time").toContainText("€70.50");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Clear all" }).click();
  await expect(page).not.toHaveURL(/\?/);
});

test("members can change their name and password, and end one session or all of them", async ({
  page,
  workspace,
}) => {
  const me = await signIn(page, workspace, "member");
  const elsewhere = openBrowser();
  await elsewhere.signIn(me.email, me.password);
  await page.goto("/settings/sessions");
  await expect(page.getByRole("listitem").filter({ hasText: "This device" })).toHaveCount(1);
  await expectAccessible(page);
  await page.getByRole("button", { name: /^End the session/ }).click();
  await expect(page.getByText("Session ended")).toBeVisible();
  expect((await elsewhere.call("profile.read")).status).toBe(401);

  await page.goto("/settings/profile");
  await page.getByLabel("Name").fill("Mel Renamed");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("button", { name: /Mel Renamed/ })).toBeVisible();
  await page.getByLabel("Current password").fill("wrong");
  await page.getByLabel("New password").fill("another battery staple");
  await page.getByRole("button", { name: "Change the password" }).click();
  await expect(page.getByText("is not your password")).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Current password").fill(me.password);
  await page.getByRole("button", { name: "Change the password" }).click();
  await expect(page.getByText("Password changed")).toBeVisible();

  await page.goto("/settings/sessions");
  await page.getByRole("button", { name: "Sign out everywhere" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign out everywhere" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
});

test("settings are reachable by shortcut, by the command palette, and on a phone from a list", async ({
  page,
  workspace,
}) => {
  await signIn(page, workspace, "admin");
  await page.goto("/home");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.keyboard.press("g");
  await page.keyboard.press("k");
  await expect(page).toHaveURL(/\/settings\/api-keys/);
  await page.keyboard.press("Control+k");
  await page.getByPlaceholder(/Find a contract/).fill("invite");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Invite someone" })).toBeVisible();
  await page.setViewportSize({ width: 375, height: 740 });
  await page.goto("/settings");
  await page
    .getByRole("main")
    .getByRole("link", { name: /^Webhooks/ })
    .click();
  await expect(page.getByRole("heading", { name: "Webhooks" })).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Settings" }).click();
  await expect(page.getByRole("heading", { name: "Settings" })).toBeVisible();
  await expectAccessible(page);
});
