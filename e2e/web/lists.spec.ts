import { expect, expectAccessible, signIn, test } from "./fixtures.ts";

const overdue = {
  kind: "REPORTING",
  title: "Send the report",
  anchorType: "FIXED_DATE",
  fixedDate: "2020-01-31",
};

test("Home shows what needs the member, and its numbers link to the lists they count", async ({
  page,
  workspace,
}) => {
  const member = await signIn(page, workspace);
  const { id } = await workspace.contract({ title: "Mine", ownerId: member.userId });
  await workspace.api("POST /obligations", { body: { contractId: id, ...overdue } });
  await page.goto("/home");
  await expect(page.getByRole("link", { name: "Send the report" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "1 of yours overdue" }).click();
  await expect(page).toHaveURL(/\/obligations\?status=OVERDUE/);
  await expect(page.getByRole("row", { name: /Send the report/ })).toBeVisible();
  await page.goto("/home");
  await page.getByRole("link", { name: /Draft 1/ }).click();
  await expect(page.getByRole("link", { name: "Mine" })).toBeVisible();
});

test("obligations can be filtered and completed in the list", async ({ page, workspace }) => {
  const { id } = await workspace.contract();
  await workspace.api("POST /obligations", { body: { contractId: id, ...overdue } });
  await signIn(page, workspace);
  await page.goto("/obligations");
  await expect(page.getByRole("row", { name: /Send the report/ })).toContainText("On 31 Jan 2020");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Complete: Send the report" }).click();
  await expect(page.getByText("Nothing to do")).toBeVisible();
  await page.getByRole("button", { name: "All", exact: true }).click();
  await expect(page.getByRole("row", { name: /Send the report/ })).toContainText("Completed");
  await page.getByRole("button", { name: "Status" }).click();
  await page.getByRole("checkbox", { name: "Overdue" }).check();
  await expect(page.getByText("No results")).toBeVisible();
});

test("a counterparty can be added with contacts and notes", async ({ page, workspace }) => {
  await signIn(page, workspace);
  await page.goto("/counterparties");
  await expect(page.getByText("No counterparties yet")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "New counterparty" }).first().click();
  // A click next to an empty form closes it; it does not close a form with entered values.
  const form = page.getByRole("dialog", { name: "New counterparty" });
  await page.mouse.click(5, 5);
  await expect(form).toHaveCount(0);
  await page.getByRole("button", { name: "New counterparty" }).first().click();
  await page.getByLabel("Name").fill("Northwind");
  await page.mouse.click(5, 5);
  await expect(form.getByLabel("Name")).toHaveValue("Northwind");
  await page.getByRole("checkbox", { name: "Customer" }).check();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Add the counterparty" }).click();
  await expect(page.getByRole("heading", { name: "Northwind" })).toBeVisible();
  const contacts = page.getByRole("region", { name: "Contacts" });
  await contacts.getByRole("button", { name: "Add" }).click();
  await page.getByLabel("Name").fill("Ελένη Παπαδοπούλου");
  await page.getByLabel("E-mail address").fill("not an address");
  await page.getByRole("button", { name: "Add the contact" }).click();
  await expect(page.getByText("must be an e-mail address")).toBeVisible();
  await page.getByLabel("E-mail address").fill("eleni@northwind.example");
  await page.getByRole("button", { name: "Add the contact" }).click();
  await expect(contacts.getByText("eleni@northwind.example")).toBeVisible();
  await page.getByRole("button", { name: "Write" }).click();
  await page.getByRole("textbox", { name: "Notes" }).fill("Pays <b>late</b>");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Pays <b>late</b>")).toBeVisible();
  const notes = page.getByRole("region", { name: "Notes" });
  await expect(notes.getByRole("button", { name: "Edit" }), "the keyboard goes on here").toBeFocused();
  await expectAccessible(page);
  await contacts.getByRole("button", { name: /^More for/ }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete the contact" }).click();
  await expect(contacts.getByText("No contacts yet")).toBeVisible();
});

test("the list of signature requests says when it is empty", async ({ page, workspace }) => {
  await signIn(page, workspace, "viewer");
  await page.goto("/signatures");
  await expect(page.getByText("Nothing has been sent for signature yet")).toBeVisible();
  await expectAccessible(page);
});

test("a counterparty's contract count links to that many contracts, including archived ones", async ({
  page,
  workspace,
}) => {
  const { body } = await workspace.api("POST /counterparties", { body: { name: "Northwind" } });
  const counterpartyId = body.counterparty.id;
  await workspace.contract({ title: "In force", counterpartyId });
  const { id } = await workspace.contract({ title: "Put away", counterpartyId });
  expect((await workspace.api(`PATCH /contracts/${id}`, { body: { archived: true } })).status).toBe(200);
  await signIn(page, workspace, "viewer");
  await page.goto(`/counterparties/${counterpartyId}`);
  await page.getByRole("link", { name: "All 2 in the list" }).click();
  await expect(page).toHaveURL(/\/contracts\?counterpartyId=/);
  await expect(page.getByRole("row").getByRole("link")).toHaveCount(2);
});
