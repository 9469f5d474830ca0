/** Forms whose response is late, as without a connection: what happens to it and to what was opened and typed since. */
import type { Locator, Page } from "@playwright/test";
import { addComment } from "#lib/comments/comments.ts";
import type { Workspace } from "../fixtures.ts";
import { memberOf } from "../signing.ts";
import { expect, partsLoaded, setOffline, signIn, test } from "./fixtures.ts";

const longName = "Donaudampfschifffahrtsgesellschaftskapitänsmützen & 구매 책임자 GmbH";

async function counterparty(workspace: Workspace, name: string): Promise<string> {
  const { body } = await workspace.api("POST /counterparties", { body: { name } });
  return body.counterparty.id;
}

async function openCounterparty(page: Page, workspace: Workspace): Promise<void> {
  const id = await counterparty(workspace, longName);
  await signIn(page, workspace, "owner");
  await page.goto(`/counterparties/${id}`);
  await partsLoaded(page);
}

const notice = (page: Page) => page.getByRole("status").filter({ hasText: "The connection is lost." });

const addContact = (page: Page) =>
  page.getByRole("region", { name: "Contacts" }).getByRole("button", { name: "Add" });
const newCounterparty = (page: Page) => page.getByRole("button", { name: "New counterparty" }).first();

/** Opens a form and waits for its validation to load; then disconnects, submits the form and closes it. */
async function sentAndClosed(page: Page, opener: Locator, fields: Record<string, string>) {
  await partsLoaded(page);
  await opener.click();
  const dialog = page.getByRole("dialog", { name: /^(Add a contact|Edit the contact|New counterparty)$/ });
  const name = dialog.getByLabel("Name");
  await name.fill("");
  await name.press("Enter");
  await expect(name, "what checks it is there").toHaveAccessibleDescription(/\S/);
  await setOffline(page, true);
  for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label).fill(value);
  await name.press("Enter");
  await expect(notice(page)).toContainText("1 change is kept");
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(dialog).toBeHidden();
  return dialog;
}

test("a save that completes after its dialog was closed neither closes a newer dialog nor clears its input", async ({
  page,
  workspace,
}) => {
  await openCounterparty(page, workspace);
  const ada = { Name: "Ada", "E-mail address": "ada@northwind.example" };
  const dialog = await sentAndClosed(page, addContact(page), ada);
  await addContact(page).click();
  await dialog.getByLabel("Name").fill(longName);
  await setOffline(page, false);
  await expect(page.getByText("Contact added")).toBeVisible();
  await expect(dialog.getByLabel("Name")).toHaveValue(longName);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  const contacts = page.getByRole("region", { name: "Contacts" });
  await expect(contacts.getByText("Ada", { exact: true })).toBeVisible();
});

test("an error that arrives after its dialog was closed is still reported", async ({ page, workspace }) => {
  const contacts = `/counterparties/${await counterparty(workspace, longName)}/contacts` as const;
  const { body } = await workspace.api(`POST ${contacts}`, { body: { name: "Ada", email: "ada@x.example" } });
  await signIn(page, workspace, "owner");
  await page.goto(contacts.replace(/\/contacts$/, ""));
  await partsLoaded(page);
  await page.getByRole("button", { name: "More for Ada" }).click();
  await sentAndClosed(page, page.getByRole("menuitem", { name: "Edit" }), { Name: longName });
  expect((await workspace.api(`DELETE ${contacts}/${body.contact.id}`)).status).toBe(204);
  await setOffline(page, false);
  await expect(page.getByText("That did not work")).toBeVisible();
});

test("a counterparty whose form was closed offline is added on reconnecting or reported as a duplicate", async ({
  page,
  workspace,
}) => {
  await counterparty(workspace, longName);
  await signIn(page, workspace, "owner");
  await page.goto("/counterparties");
  const dialog = await sentAndClosed(page, newCounterparty(page), { Name: longName });
  await setOffline(page, false);
  await expect(page.getByText(`${longName} was not added`)).toBeVisible();
  await expect(page.getByText("This one already exists:")).toBeVisible();
  await sentAndClosed(page, newCounterparty(page), { Name: "東京商事" });
  await expect(dialog).toBeHidden();
  await setOffline(page, false);
  await expect(page.getByText("Counterparty added")).toBeVisible();
  await expect(page.getByRole("link", { name: "東京商事" })).toBeVisible();
  await expect(page).toHaveURL(/counterparties$/);
  const { data } = (await workspace.api("GET /counterparties")).body;
  expect(data.map(({ name }: { name: string }) => name).sort()).toEqual([longName, "東京商事"]);
});

test("a counterparty submitted offline is kept without an error until the connection returns", async ({
  page,
  workspace,
}) => {
  await counterparty(workspace, longName);
  await signIn(page, workspace, "owner");
  await page.goto("/counterparties");
  await newCounterparty(page).click();
  const dialog = page.getByRole("dialog", { name: "New counterparty" });
  const name = dialog.getByLabel("Name");
  await name.press("Enter");
  await expect(name).toHaveAccessibleDescription(/\S/);
  await setOffline(page, true);
  await name.fill(longName);
  await name.press("Enter");
  await expect(notice(page)).toContainText("1 change is kept");
  await expect(dialog.getByRole("alert")).toHaveCount(0);
  await expect(name, "what is typed now would not be sent").not.toBeEditable();
  await setOffline(page, false);
  await expect(dialog.getByText("This one already exists:")).toBeVisible();
  await expect(name).toBeEditable();
  await dialog.getByRole("button", { name: "Add it anyway" }).click();
  await expect(page).toHaveURL(/counterparties\/cp_/);
});

test("notes edited further while a save is pending stay in the editor once it completes", async ({
  page,
  workspace,
}) => {
  await openCounterparty(page, workspace);
  const notes = page.getByRole("region", { name: "Notes" });
  await notes.getByRole("button", { name: "Write" }).click();
  await setOffline(page, true);
  await notes.getByRole("textbox").fill(longName);
  await notes.getByRole("button", { name: "Save" }).click();
  await expect(notice(page)).toBeVisible();
  await notes.getByRole("textbox").fill(`${longName}, 東京`);
  await setOffline(page, false);
  await expect(page.getByText("Notes saved")).toBeVisible();
  await expect(notes.getByRole("textbox")).toHaveValue(`${longName}, 東京`);
  await notes.getByRole("button", { name: "Save" }).click();
  await expect(notes.getByRole("textbox")).toBeHidden();
  await page.reload();
  await expect(notes.getByText(`${longName}, 東京`)).toBeVisible();
});

test("a reply started while a closed one is still being sent keeps its text", async ({ page, workspace }) => {
  const { id } = await workspace.contract({ title: longName });
  await addComment(memberOf(workspace), { id, text: longName, mentions: [], passage: null });
  await signIn(page, workspace, "owner");
  await page.goto(`/contracts/${id}`);
  await partsLoaded(page);
  const thread = page.getByRole("region", { name: "Comments" }).getByRole("article").first();
  const reply = thread.getByLabel("Your reply");
  const button = thread.getByRole("button", { name: "Reply" });
  await button.click();
  await setOffline(page, true);
  await reply.fill("Sent");
  await button.click();
  await expect(notice(page)).toContainText("1 change is kept");
  await thread.getByRole("button", { name: "Cancel" }).click();
  await button.click();
  await reply.fill(longName);
  await setOffline(page, false);
  await expect(thread.getByText("Sent", { exact: true })).toBeVisible();
  await expect(reply).toHaveValue(longName);
});

test("a dialog opened while another's request is pending stays open with its input", async ({
  page,
  workspace,
}) => {
  const { id } = await workspace.contract({ title: longName });
  await signIn(page, workspace, "owner");
  await page.goto(`/contracts/${id}`);
  await partsLoaded(page);
  await page.getByRole("button", { name: "Status: Draft. Change" }).click();
  await page.getByRole("menuitem", { name: "Executed", exact: true }).click();
  const executed = page.getByRole("dialog", { name: "Mark this contract as executed?" });
  await expect(executed).toBeVisible();
  await setOffline(page, true);
  await executed.getByRole("button", { name: "Mark as executed" }).click();
  await expect(notice(page)).toContainText("1 change is kept");
  await executed.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Status: Executed. Change" }).click();
  await page.getByRole("menuitem", { name: "Terminated" }).click();
  const reason = page.getByRole("dialog", { name: "Terminate this contract?" }).getByLabel("Reason");
  await reason.fill(longName);
  await setOffline(page, false);
  const status = async () => (await workspace.api(`GET /contracts/${id}`)).body.contract.status;
  await expect.poll(status).toBe("EXECUTED");
  await expect(notice(page)).toBeHidden();
  await expect(reason).toHaveValue(longName);
});

test("a late response does not redirect a user who has left the page", async ({ page, workspace }) => {
  await signIn(page, workspace, "owner");
  await page.goto("/contracts/new");
  await partsLoaded(page);
  const held = Promise.withResolvers<void>();
  await page.route("**/api/member/contracts.create", async (route) => {
    await held.promise;
    await route.continue();
  });
  const title = page.getByLabel("Title");
  await title.fill(longName);
  await page.getByLabel("Type").selectOption({ label: "NDA" });
  await page.getByRole("button", { name: "Create the contract" }).click();
  await expect(title).not.toBeEditable();
  await page.getByRole("link", { name: "Counterparties" }).first().click();
  await page.getByRole("button", { name: "New counterparty" }).first().click();
  const name = page.getByRole("dialog").getByLabel("Name");
  await name.fill(longName);
  held.resolve();
  await expect(page.getByText("Contract created")).toBeVisible();
  await expect(name).toHaveValue(longName);
  await expect(page).toHaveURL(/\/counterparties/);
});

test("a user who left before a new API key could be shown is told to revoke it and create another", async ({
  page,
  workspace,
}) => {
  await signIn(page, workspace, "admin");
  await page.goto("/settings/api-keys?new=true");
  const held = Promise.withResolvers<void>();
  await page.route("**/api/member/apiKeys.create", async (route) => {
    await held.promise;
    await route.continue();
  });
  const dialog = page.getByRole("dialog", { name: "Create an API key" });
  await dialog.getByLabel("Name").fill(longName);
  await dialog.getByRole("button", { name: "Create the key" }).click();
  await expect(dialog.getByLabel("Name")).not.toBeEditable();
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.getByRole("link", { name: "Members" }).click();
  await expect(page).toHaveURL(/members/);
  held.resolve();
  await expect(page.getByText("The API key was created after you left its page")).toBeVisible();
  await expect(page.getByText("It cannot be shown any more. Revoke it, and create another.")).toBeVisible();
  await page.getByRole("link", { name: "API keys" }).click();
  await expect(page.getByRole("row", { name: longName })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("the new-contract form restores unsaved entries until the contract is created or started over", async ({
  page,
  workspace,
}) => {
  await signIn(page, workspace, "owner");
  await page.goto("/contracts/new");
  await partsLoaded(page);
  const title = page.getByLabel("Title");
  const again = page.getByText("Your earlier entries have been restored.");
  await title.fill(longName);
  await page.getByLabel("Type").selectOption({ label: "NDA" });
  await page.getByLabel("Renews automatically").check();
  await page.getByRole("textbox", { name: "Value" }).fill("12,500.00");
  await page.getByRole("link", { name: "Counterparties" }).first().click();
  await expect(page).toHaveURL(/counterparties/);
  await page.goBack();
  await expect(again).toBeVisible();
  await expect(title).toHaveValue(longName);
  await expect(page.getByRole("textbox", { name: "Value" })).toHaveValue("12,500.00");
  await page.reload();
  await expect(title).toHaveValue(longName);
  await expect(page.getByLabel("Renews automatically")).toBeChecked();
  await page.getByRole("button", { name: "Create the contract" }).click();
  await expect(page).toHaveURL(/\/contracts\/ctr_/);
  await expect(page.getByRole("heading", { name: longName })).toBeVisible();
  await page.goto("/contracts/new");
  await partsLoaded(page);
  await expect(title).toHaveValue("");
  await title.fill("東京商事");
  await page.getByRole("link", { name: "Counterparties" }).first().click();
  await expect(page).toHaveURL(/counterparties/);
  await page.goBack();
  await expect(title).toHaveValue("東京商事");
  await page.getByRole("button", { name: "Start over" }).click();
  await expect(title).toHaveValue("");
  await expect(again).toHaveCount(0);
  await page.reload();
  await expect(title).toHaveValue("");
});
