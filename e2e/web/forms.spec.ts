/** A form sends exactly what was entered, and shows it again when the page is reopened. */
import type { Page } from "@playwright/test";
import { createCustomField } from "#lib/custom-fields/custom-fields.ts";
import { setWorkspace } from "../workspaces.ts";
import { expect, expectAccessible, signIn, test } from "./fixtures.ts";

const longName = "Ελένη-Παπαδοπούλου-und-Söhne-Beteiligungsverwaltungsgesellschaft-mbH-&-Co.-KGaA";

async function openTerm(page: Page) {
  await page.getByRole("button", { name: "Change dates" }).click();
  return page.getByRole("dialog", { name: "Dates and term" });
}

test("auto-renewal can be set with a contract's dates, persists, and can be turned off again", async ({
  page,
  workspace,
}) => {
  const { id } = await workspace.contract({ effectiveDate: "2030-01-01", termMonths: 12 });
  await signIn(page, workspace);
  await page.goto(`/contracts/${id}`);
  const dialog = await openTerm(page);
  await dialog.getByLabel("Renews automatically at the end of each term").check();
  await dialog.getByLabel("Renewal term in months").fill("6");
  await dialog.getByRole("button", { name: "Save the dates" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("Yes, for 6 months")).toBeVisible();
  await page.reload();
  const again = await openTerm(page);
  await expect(again.getByLabel("Renews automatically at the end of each term")).toBeChecked();
  await expect(again.getByLabel("Renewal term in months")).toHaveValue("6");
  await again.getByLabel("Renews automatically at the end of each term").uncheck();
  await again.getByRole("button", { name: "Save the dates" }).click();
  await expect(again).toBeHidden();
  const { contract } = (await workspace.api(`GET /contracts/${id}`)).body;
  expect(contract).toMatchObject({
    autoRenews: false,
    termMonths: 12,
    effectiveDate: "2030-01-01T00:00:00.000Z",
  });
});

test("the fields of a new contract are stored as entered", async ({ page, workspace }) => {
  await setWorkspace(workspace, { currency: "CHF" });
  const member = await signIn(page, workspace);
  await page.goto("/contracts/new");
  await expect(page.getByLabel("Currency")).toHaveValue("CHF");
  await expect(page.getByLabel("Type")).toHaveValue("");
  await page.getByLabel("Title").fill(longName);
  await page.getByRole("button", { name: "Create the contract" }).click();
  await expect(page.getByText("must be chosen")).toBeVisible();
  await expect(page.getByLabel("Type")).toBeFocused();
  await page.getByLabel("Type").selectOption("LEASE");
  await page.getByLabel("Our role").selectOption("TENANT");
  await page.getByLabel("Effective date").fill("2031-02-28");
  await page.getByLabel("Term in months").fill("24");
  await page.getByLabel("Renews automatically").check();
  await page.getByLabel("Renewal term in months").fill("3");
  await page.getByLabel("Value").fill("1,234.50");
  await page.getByRole("button", { name: "Create the contract" }).click();
  await expect(page.getByRole("heading", { name: /^Title: Ελένη/ })).toBeVisible();
  await page.reload();
  await expect(page.getByText("Yes, for 3 months")).toBeVisible();
  const { data } = (await workspace.api("GET /contracts")).body;
  expect(data).toMatchObject([
    {
      title: longName,
      type: "LEASE",
      ourRole: "TENANT",
      ownerId: member.userId,
      effectiveDate: "2031-02-28T00:00:00.000Z",
      termMonths: 24,
      autoRenews: true,
      renewalMonths: 3,
      valueCents: "123450",
      valueCurrency: "CHF",
    },
  ]);
});

test("an amount is shown and stored as entered even if the browser gives its currency other decimals", async ({
  page,
  workspace,
}) => {
  const { id } = await workspace.contract({ title: "Lease in Belgrade" });
  const caribbean = await workspace.contract({
    title: "Lease in Willemstad",
    valueCents: "1250050",
    valueCurrency: "XCG",
  });
  await signIn(page, workspace);
  await page.goto(`/contracts/${id}`);
  await page.getByRole("button", { name: "Set a value" }).click();
  await page.getByRole("textbox", { name: "Value" }).fill("12,500.50");
  await page.getByLabel("Currency").selectOption("RSD");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const value = page.getByRole("button", { name: /^RSD\s12,500\.50$/ });
  await expect(value).toBeVisible();
  await page.reload();
  await expect(value).toBeVisible();
  await expect(page.getByText("Value: RSD 12,500.50")).toBeVisible();
  await value.click();
  await expect(page.getByRole("textbox", { name: "Value" })).toHaveValue("12500.50");
  await page.goto("/contracts");
  await expect(page.getByRole("row", { name: /Belgrade/ })).toContainText(/RSD\s12,500\.50/);
  await expect(page.getByRole("row", { name: /Willemstad/ })).toContainText(/XCG\s12,500\.50/);
  await page.goto(`/contracts/${caribbean.id}`);
  await expect(page.getByRole("button", { name: /^XCG\s12,500\.50$/ })).toBeVisible();
  const { contract } = (await workspace.api(`GET /contracts/${id}`)).body;
  expect(contract).toMatchObject({ valueCents: "1250050", valueCurrency: "RSD" });
});

test("a value that is too large, malformed or refused by the server keeps its form open with the error", async ({
  page,
  workspace,
}) => {
  const { id } = await workspace.contract({ title: "Framework" });
  await signIn(page, workspace);
  await page.goto(`/contracts/${id}`);
  await page.getByRole("button", { name: "Set a value" }).click();
  const form = page.getByRole("dialog", { name: "Value" });
  const value = form.getByRole("textbox", { name: "Value" });
  await value.fill("92,233,720,368,547,758.08");
  await value.press("Enter");
  await expect(form.getByText("Value must be at most $92,233,720,368,547,758.07.")).toBeVisible();
  await form.getByLabel("Currency").selectOption("JPY");
  await value.fill("1,200.50");
  await value.press("Enter");
  await expect(form.getByText("Value must be an amount such as 12,500.", { exact: true })).toBeVisible();
  await expectAccessible(page);
  const patches = "**/api/member/contracts.patch";
  const issues = [{ path: "valueCents", message: "must be less" }];
  const refusal = { code: "validation_error", message: "The request is not valid: see valueCents" };
  await page.route(patches, (route) =>
    route.fulfill({ status: 422, json: { error: { ...refusal, details: { issues } } } }),
  );
  await value.fill("1,200");
  await value.press("Enter");
  await expect(form.getByText("Value must be less.")).toBeVisible();
  await expect(value).toHaveValue("1,200");
  await page.unroute(patches);
  await value.press("Enter");
  await expect(form).toBeHidden();
  await expect(page.getByRole("button", { name: "¥1,200" })).toBeVisible();
});

test("a term accepts only whole numbers in digits, and anything else is refused at its field", async ({
  page,
  workspace,
}) => {
  const { id } = await workspace.contract({ effectiveDate: "2030-01-01", termMonths: 12 });
  await signIn(page, workspace);
  await page.goto(`/contracts/${id}`);
  const dialog = await openTerm(page);
  const term = dialog.getByLabel("Term in months", { exact: true });
  for (const none of ["1e2", "0x10", "+24", "24."]) {
    await term.fill(none);
    await dialog.getByRole("button", { name: "Save the dates" }).click();
    await expect(dialog.getByText("Term in months must be a whole number of months.")).toBeVisible();
  }
  await term.fill("24.0");
  await dialog.getByRole("button", { name: "Save the dates" }).click();
  await expect(page.getByText("24 months", { exact: true })).toBeVisible();
  await page.goto("/contracts/new");
  await page.getByLabel("Term in months").fill("1e2");
  await page.getByRole("button", { name: "Create the contract" }).click();
  await expect(page.getByText("Term in months must be a whole number of months.")).toBeVisible();
});

const shortYear = "must have a year of four digits, 1900 or later.";

test("a year such as 0026 is refused at its field in contract, custom field and obligation forms", async ({
  page,
  workspace,
}) => {
  await createCustomField(workspace.ctx, { key: "go-live", name: "Go-live", type: "date", options: [] });
  const { id } = await workspace.contract({ effectiveDate: "1850-01-01", termMonths: 12 });
  await signIn(page, workspace, "admin");
  await page.goto(`/contracts/${id}`);
  const dates = await openTerm(page);
  await dates.getByLabel("Executed on").fill("0026-03-01");
  await dates.getByRole("button", { name: "Save the dates" }).click();
  await expect(dates.getByText(`Executed on ${shortYear}`)).toBeVisible();
  await expect(dates.getByText(`Effective date ${shortYear}`), "it came so, by the API").toBeHidden();
  await expectAccessible(page);
  await dates.getByLabel("Executed on").fill("2026-03-01");
  await dates.getByRole("button", { name: "Save the dates" }).click();
  await expect(dates).toBeHidden();
  await page.getByRole("button", { name: "Set Go-live" }).click();
  const written = page.getByRole("dialog", { name: "Go-live" });
  await written.getByLabel("Go-live").fill("0026-03-01");
  await written.getByRole("button", { name: "Save" }).click();
  await expect(written.getByText(`Go-live ${shortYear}`)).toBeVisible();
  await page.keyboard.press("Escape");
  const obligations = page.getByRole("region", { name: "Obligations" });
  await obligations.getByRole("button", { name: "Add" }).click();
  const obligation = page.getByRole("dialog", { name: "Add an obligation" });
  await obligation.getByLabel("What has to be done").fill("Pay the deposit");
  await obligation.getByLabel("Counted from").selectOption("FIXED_DATE");
  await obligation.getByLabel("Date", { exact: true }).fill("0026-03-01");
  await obligation.getByRole("button", { name: "Add the obligation" }).click();
  await expect(obligation.getByText(`Date ${shortYear}`)).toBeVisible();
  const { contract } = (await workspace.api(`GET /contracts/${id}`)).body;
  expect(contract).toMatchObject({
    executedAt: "2026-03-01T00:00:00.000Z",
    customFields: { "go-live": null },
  });
  await page.goto("/contracts/new");
  await page.getByLabel("Title").fill("Lease");
  await page.getByLabel("Type").selectOption("LEASE");
  await page.getByLabel("Effective date").fill("0026-03-01");
  await page.getByLabel("Go-live").fill("0026-03-01");
  await page.getByRole("button", { name: "Create the contract" }).click();
  await expect(page.getByText(`Effective date ${shortYear}`)).toBeVisible();
  await page.getByLabel("Effective date").fill("2026-03-01");
  await page.getByRole("button", { name: "Create the contract" }).click();
  await expect(page.getByText(`Go-live ${shortYear}`)).toBeVisible();
  await page.getByLabel("Go-live").fill("2026-04-01");
  await page.getByRole("button", { name: "Create the contract" }).click();
  await expect(page.getByRole("heading", { level: 1, name: /Lease/ })).toBeVisible();
});

test("a contact's form makes it primary or not, and keeps what was changed elsewhere meanwhile", async ({
  page,
  workspace,
}) => {
  const { counterparty } = (await workspace.api("POST /counterparties", { body: { name: "Northwind" } }))
    .body;
  const contact = (name: string, isPrimary: boolean) =>
    workspace.api(`POST /counterparties/${counterparty.id}/contacts`, {
      body: { name, email: `${name.toLowerCase()}@northwind.example`, isPrimary },
    });
  await contact("Before", true);
  await signIn(page, workspace);
  await page.goto(`/counterparties/${counterparty.id}`);
  await page.getByRole("region", { name: "Contacts" }).getByRole("button", { name: "Add" }).click();
  await page.getByLabel("Name").fill("김민준");
  await page.getByLabel("E-mail address").fill("minjun@northwind.example");
  await page.getByLabel("Primary contact").check();
  await page.getByRole("button", { name: "Add the contact" }).click();
  const row = page
    .getByRole("region", { name: "Contacts" })
    .getByRole("listitem")
    .filter({ hasText: "김민준" });
  await expect(row).toContainText("Primary");
  await page.reload();
  await expect(row).toContainText("Primary");
  await row.getByRole("button", { name: "More for 김민준" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await expect(page.getByLabel("Primary contact")).toBeChecked();
  const { data: both } = (await workspace.api(`GET /counterparties/${counterparty.id}/contacts`)).body;
  const { id } = both.find((one: { name: string }) => one.name === "김민준");
  const elsewhere = `PATCH /counterparties/${counterparty.id}/contacts/${id}` as const;
  await workspace.api(elsewhere, { body: { email: "changed@northwind.example" } });
  await page.getByLabel("Primary contact").uncheck();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  const { data } = (await workspace.api(`GET /counterparties/${counterparty.id}/contacts`)).body;
  type Listed = { name: string; email: string; isPrimary: boolean };
  expect(
    data.map((one: Listed) => [one.name, one.email, one.isPrimary]),
    "and what was changed elsewhere meanwhile stays",
  ).toEqual([
    ["Before", "before@northwind.example", false],
    ["김민준", "changed@northwind.example", false],
  ]);
});

test("a counterparty's name, domain and relationships are stored as entered", async ({ page, workspace }) => {
  await signIn(page, workspace);
  await page.goto("/counterparties");
  await page.getByRole("button", { name: "New counterparty" }).first().click();
  await page.getByLabel("Name").fill(longName);
  await page.getByLabel("Domain").fill("northwind.example");
  await page.getByRole("checkbox", { name: "Vendor" }).check();
  await page.getByRole("checkbox", { name: "Landlord" }).check();
  await page.getByRole("checkbox", { name: "Vendor" }).uncheck();
  await page.getByRole("button", { name: "Add the counterparty" }).click();
  await expect(page.getByRole("heading", { name: longName })).toBeVisible();
  await page.reload();
  await page.getByRole("button", { name: "Edit", exact: true }).first().click();
  await expect(page.getByLabel("Domain")).toHaveValue("northwind.example");
  await expect(page.getByRole("checkbox", { name: "Landlord" })).toBeChecked();
  await expect(page.getByRole("checkbox", { name: "Vendor" })).not.toBeChecked();
});

test("a counterparty with the same name or domain is pointed out before a duplicate is added", async ({
  page,
  workspace,
}) => {
  const body = { name: "Northwind  Traders, Inc.", domain: "northwind.example" };
  await workspace.api("POST /counterparties", { body });
  await signIn(page, workspace);
  await page.goto("/counterparties");
  const names = async () => (await workspace.api("GET /counterparties")).body.data.length;
  await page.getByRole("button", { name: "New counterparty" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("NORTHWIND Traders Inc");
  await dialog.getByRole("button", { name: "Add the counterparty" }).click();
  await expect(dialog.getByText("This one already exists:")).toBeVisible();
  await expect(dialog.getByRole("link", { name: "Northwind Traders, Inc." })).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel("Name").fill("Northwind Limited");
  await dialog.getByLabel("Domain").fill("https://www.Northwind.example/");
  await dialog.getByRole("button", { name: "Add it anyway" }).click();
  await expect.poll(names).toBe(2);
  await page.goto("/counterparties");
  await page.getByRole("button", { name: "New counterparty" }).first().click();
  await dialog.getByLabel("Name").fill("Something else");
  await dialog.getByLabel("Domain").fill("northwind.example");
  await dialog.getByRole("button", { name: "Add the counterparty" }).click();
  await expect(dialog.getByRole("link", { name: "Northwind Traders, Inc." })).toBeVisible();
  expect(await names()).toBe(2);
});

test("an API key has the name and access chosen in its form", async ({ page, workspace }) => {
  await signIn(page, workspace, "admin");
  await page.goto("/settings/api-keys");
  await page.getByRole("button", { name: "Create a key" }).first().click();
  await page.getByLabel("Name").fill(longName);
  await page.getByRole("radio", { name: /^Full access/ }).check();
  await page.getByRole("button", { name: "Create the key" }).click();
  await page.getByRole("button", { name: "I have copied it" }).click();
  await page.reload();
  await expect(page.getByRole("row").filter({ hasText: longName })).toContainText("Full access");
});

test("an invitation carries the chosen role", async ({ page, workspace }) => {
  await signIn(page, workspace, "admin");
  await page.goto("/settings/members");
  await page
    .getByRole("button", { name: /^Invite/ })
    .first()
    .click();
  await page.getByLabel("E-mail address").fill("viewer@northwind.example");
  await page.getByRole("radio", { name: /^Viewer/ }).check();
  await page.getByRole("dialog").getByRole("button", { name: /invit/i }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  const { data } = (await workspace.api("GET /members/invitations")).body;
  expect(data).toMatchObject([{ email: "viewer@northwind.example", role: "viewer" }]);
});

test("the new-contract form passes the accessibility checks", async ({ page, workspace }) => {
  await signIn(page, workspace);
  await page.goto("/contracts/new");
  await page.getByLabel("Renews automatically").check();
  await expectAccessible(page);
});
