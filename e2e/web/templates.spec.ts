import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { createCustomField } from "#lib/custom-fields/custom-fields.ts";
import { SectionSettings } from "#lib/templates/schema.ts";
import type { Workspace } from "../fixtures.ts";
import { docxOf, templateIn } from "../templates.ts";
import { expect, expectAccessible, signIn, test } from "./fixtures.ts";

const docxType = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

/** Documents are read and created by separate processes, which wait for their turn. */
const slowly = { timeout: 150_000 };

const document = [
  "# Services",
  "{counterparty_name} pays {fee} for the services.",
  "{#insurance}",
  "# Insurance",
  "The supplier is insured for {insured_sum}.",
  "{/insurance}",
  "{#publicity}",
  "# Publicity",
  "Each side may name the other as a reference.",
  "{/publicity}",
  "{#cap_fees}",
  "# Cap by fees",
  "Liability ends at the fees of a year.",
  "{/cap_fees}",
  "{#cap_none}",
  "# No cap",
  "Liability has no limit at all.",
  "{/cap_none}",
];

const section = (tag: string, label: string, more: Partial<SectionSettings> = {}) =>
  SectionSettings.parse({ tag, label, ...more });

const services = ({ ctx }: Workspace) =>
  templateIn(ctx, document, {
    name: "Services",
    titlePattern: "Services for {counterparty.name}",
    sections: [
      section("insurance", "Insurance"),
      section("publicity", "Publicity", { defaultOn: true }),
      section("cap_fees", "Capped at the fees", { groupId: "cap" }),
      section("cap_none", "Without a cap", { groupId: "cap" }),
    ],
    sectionGroups: [
      { id: "cap", label: "Liability", helpText: null, required: true, defaultTag: "cap_fees" },
    ],
  });

test("the PDF of a contract from a template contains exactly the clauses that are switched on", async ({
  page,
  workspace,
}) => {
  test.setTimeout(300_000);
  await services(workspace);
  await signIn(page, workspace);
  const files = "**/api/files/**";
  await page.route(files, (route) => route.fulfill({ status: 403 }));
  await page.goto("/templates");
  await page.getByRole("link", { name: "Use Services" }).click();
  await page.getByRole("button", { name: "Create the contract" }).click();
  await expect(page.getByText("Fee is required.")).toBeVisible();
  await page.getByRole("button", { name: /^Counterparty/ }).click();
  await page.getByPlaceholder("Search counterparty").fill("Northwind Traders");
  await page.getByRole("option", { name: "Add “Northwind Traders”" }).click();
  await page.getByRole("textbox", { name: "Fee" }).fill("EUR 1200");
  await expect(page.getByLabel("Insured sum")).toHaveCount(0);
  await page.getByRole("checkbox", { name: "Insurance" }).check();
  await page.getByLabel("Insured sum").fill("two million");
  await page.getByRole("checkbox", { name: "Publicity" }).uncheck();
  await page.getByRole("radio", { name: "Without a cap" }).check();
  await expect(page.getByRole("heading", { name: "Services for Northwind Traders" })).toBeVisible();
  await expect(page.getByText("Nothing is missing.")).toBeVisible();
  // If a link to the preview does not work, another one is requested.
  await expect(page.getByText("The PDF cannot be shown")).toBeVisible(slowly);
  await page.unroute(files);
  await page.getByRole("button", { name: "Try again" }).click();
  const preview = page.getByRole("region", { name: "Preview of the contract" });
  await expect(preview).toContainText("two million", slowly);
  await expect(preview).toContainText("no limit at all", slowly);
  await expectAccessible(page);
  // An invalid value that is submitted before the check responds is rejected, and can be corrected at once.
  const check = "**/api/member/templates.check";
  await page.route(check, () => undefined);
  const fee = page.getByRole("textbox", { name: "Fee" });
  await fee.fill("a lot");
  await fee.press("Enter");
  await expect(page.getByText("1 thing still missing.")).toBeVisible();
  await fee.fill("EUR 1200");
  await expect(page.getByText("Nothing is missing.")).toBeVisible();
  await page.getByRole("button", { name: "Create the contract" }).click();
  await expect(page).toHaveURL(/\/contracts\/ctr_/, slowly);
  const part = page.getByRole("region", { name: "Documents" });
  await expect(part.getByText("1 page", { exact: false })).toBeVisible(slowly);
  const arrived = page.waitForEvent("download");
  await part.getByRole("button", { name: "More about version 1" }).click();
  await page.getByRole("menuitem", { name: "Download the PDF" }).click();
  const path = await (await arrived).path();
  const { stdout } = await promisify(execFile)("pdftotext", ["-layout", path, "-"]);
  const text = stdout.replace(/\s+/g, " ");
  for (const there of ["Northwind Traders pays EUR 1,200.00", "2. Insurance", "two million", "3. No cap"]) {
    expect(text).toContain(there);
  }
  for (const absent of ["Publicity", "reference", "fees of a year", "{", "}"])
    expect(text).not.toContain(absent);
});

test("a contract from a template stores term, value and date as entered, or refuses them at their fields", async ({
  page,
  workspace,
}) => {
  const { id } = await templateIn(workspace.ctx, ["{counterparty_name} hires."], {
    name: "Hire",
    titlePattern: "Hire by {counterparty.name}",
  });
  await workspace.api("POST /counterparties", { body: { name: "Northwind" } });
  await signIn(page, workspace);
  await page.goto(`/templates/${id}/use`);
  await page.getByRole("button", { name: /^Counterparty/ }).click();
  await page.getByRole("option", { name: "Northwind" }).click();
  await expect(page.getByText("Nothing is missing.")).toBeVisible();
  const term = page.getByLabel("Term in months");
  for (const none of ["1e2", "12.", "+12", "0x10"]) {
    await term.fill(none);
    await expect(page.getByText("Term in months must be a whole number from 1 to 1200.")).toBeVisible();
    await expect(page.getByText("1 thing still missing.")).toBeVisible();
  }
  await term.fill("12.0");
  await expect(page.getByText("Nothing is missing.")).toBeVisible();
  await page.getByLabel("Value").fill("99,999,999,999,999,999,999");
  await expect(page.getByText("Value must be at most $92,233,720,368,547,758.07.")).toBeVisible();
  await page.getByLabel("Value").fill("1,200");
  await page.getByLabel("Effective date").fill("0026-03-01");
  await page.getByRole("button", { name: "Create the contract" }).click();
  await expect(
    page.getByText("Effective date must have a year of four digits, 1900 or later."),
  ).toBeVisible();
  await page.getByLabel("Effective date").fill("2026-03-01");
  await page.getByRole("button", { name: "Create the contract" }).click();
  await expect(page).toHaveURL(/\/contracts\/ctr_/, slowly);
  const { data } = (await workspace.api("GET /contracts")).body;
  const effectiveDate = "2026-03-01T00:00:00.000Z";
  expect(data).toMatchObject([{ termMonths: 12, valueCents: "120000", effectiveDate }]);
});

test("a DOCX with a broken tag is refused naming the tag, and a valid one becomes a template with settings", async ({
  page,
  workspace,
}) => {
  test.setTimeout(300_000);
  await signIn(page, workspace, "admin");
  await page.goto("/templates");
  await expectAccessible(page);
  await page.getByRole("button", { name: "New template" }).click();
  const dialog = page.getByRole("dialog", { name: "New template" });
  const chooser = dialog.locator("input[type=file]");
  const broken = await docxOf(["{#insurance}", "It begins and does not end."]);
  await chooser.setInputFiles({ name: "broken.docx", mimeType: docxType, buffer: broken });
  await expect(dialog.getByRole("alert")).toContainText("insurance", slowly);
  await expectAccessible(page);
  const whole = await docxOf(document);
  await chooser.setInputFiles({ name: "services.docx", mimeType: docxType, buffer: whole });
  await expect(page).toHaveURL(/\/edit$/, slowly);
  await page.getByLabel("Name").fill("");
  await page.getByRole("button", { name: "Save as revision 2" }).click();
  await expect(page.getByRole("tab", { name: "General (1 to fix)" })).toBeVisible();
  await page.getByLabel("Name").fill("Services and more");
  // Unsaved changes are still there for someone who follows a link and comes back.
  await page.getByRole("link", { name: "Contracts", exact: true }).click();
  await expect(page).toHaveURL(/\/contracts$/);
  await page.goBack();
  await expect(page.getByText("Your earlier changes, not saved yet.")).toBeVisible();
  await expect(page.getByLabel("Name")).toHaveValue("Services and more");
  await page.getByRole("button", { name: "Discard the changes" }).click();
  await expect(page.getByLabel("Name")).toHaveValue("services");
  await page.getByLabel("Name").fill("Services and more");
  await page.getByRole("tab", { name: /^Groups/ }).click();
  await page.getByRole("button", { name: "Add a group" }).click();
  await page.getByLabel("Label").fill("Liability");
  await page.getByRole("checkbox", { name: "Cap fees" }).check();
  await page.getByRole("checkbox", { name: "Cap none" }).check();
  await page.getByRole("tab", { name: /^Clauses/ }).click();
  await page.getByText("{#insurance}").click();
  const entry = page.getByRole("listitem").filter({ hasText: "{#insurance}" });
  await entry.getByLabel("Who decides").selectOption("rule");
  await entry.getByLabel("What is compared").selectOption("variable fee");
  await entry.getByLabel("How it is compared").selectOption("isSet");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save as revision 2" }).click();
  await expect(page).toHaveURL(/\/templates\/tpl_[a-z0-9]+$/, slowly);
  await expect(page.getByRole("heading", { name: "Services and more" })).toBeVisible();
  await expect(page.getByRole("region", { name: "History" }).getByText("Revision 2")).toBeVisible();
  await expect(page.getByText("A rule decides.")).toBeVisible();
  await expectAccessible(page);
});

test("a value filled from a custom field names that field on the template's page and in the contract's form", async ({
  page,
  workspace,
}) => {
  const name = "Ημερομηνία έναρξης λειτουργίας";
  await createCustomField(workspace.ctx, { key: "go-live", name, type: "text", options: [] });
  const variable = { key: "go_live", label: "Go-live", type: "text" as const };
  const { id } = await templateIn(workspace.ctx, ["Work begins on {go_live}."], {
    variables: [{ ...variable, binding: "contract.customFields.go-live" }],
  });
  await signIn(page, workspace);
  await page.goto(`/templates/${id}`);
  await expect(page.getByText(`From: ${name}`)).toBeVisible();
  await page.goto(`/templates/${id}/use`);
  await page.getByLabel(name).fill("1 June");
  await expect(page.getByText(`From: ${name}`)).toBeVisible();
});

test("empty lines are not options, and an invalid option is reported at the Options field with its line", async ({
  page,
  workspace,
}) => {
  const variable = { key: "court", label: "Court", type: "select" as const, options: ["Wien", "Zürich"] };
  const { id } = await templateIn(workspace.ctx, ["Disputes go to the courts of {court}."], {
    name: "Services",
    variables: [variable],
  });
  const { call } = await signIn(page, workspace, "admin");
  await page.goto(`/templates/${id}/edit?tab=variables`);
  await page.getByText("{court}").click();
  const options = page.getByLabel("Options");
  await options.fill(`Αθήνα\n\n${"서울".repeat(101)}\n`);
  await page.getByRole("button", { name: "Save as revision 2" }).click();
  await expect(options).toHaveAccessibleDescription(/Options line 3 must be at most 200 characters/);
  await expect(page.getByRole("tab", { name: "Values (1 to fix)" })).toBeVisible();
  await options.fill("Αθήνα\n서울\n\n");
  await page.getByRole("button", { name: "Save as revision 2" }).click();
  await expect(page).toHaveURL(/\/templates\/tpl_[a-z0-9]+$/);
  const { template } = (await call("templates.readSettings", { id })).body;
  expect(template.variables[0].options).toEqual(["Αθήνα", "서울"]);
});

test("an error in template settings follows its entry when others are removed, and goes when it is removed", async ({
  page,
  workspace,
}) => {
  const { id } = await services(workspace);
  await signIn(page, workspace, "admin");
  await page.goto(`/templates/${id}/edit?tab=obligations`);
  const titles = page.getByLabel("What has to be done");
  for (const title of ["Ετήσια έκθεση", "Jahresbericht", ""]) {
    await page.getByRole("button", { name: "Add an obligation" }).click();
    await titles.last().fill(title);
  }
  await page.getByRole("button", { name: "Save as revision 2" }).click();
  const wrong = page.getByRole("tab", { name: "Obligations (1 to fix)" });
  await expect(wrong).toBeVisible();
  await expect(titles.nth(2)).toHaveAccessibleDescription(/is required|must/);
  await page.getByRole("button", { name: "Remove", exact: true }).first().click();
  await expect(titles).toHaveCount(2);
  await expect(titles.nth(0)).toHaveAccessibleDescription("");
  await expect(titles.nth(1)).toHaveAccessibleDescription(/is required|must/);
  await page.getByRole("button", { name: "Add an obligation" }).click();
  await expect(titles.nth(2)).toHaveAccessibleDescription("");
  await page.getByRole("button", { name: "Remove", exact: true }).nth(1).click();
  await expect(titles).toHaveCount(2);
  await expect(wrong).toHaveCount(0);
  await expect(titles.nth(1)).toHaveAccessibleDescription("");
  await expect(page.getByText("Something is not right yet")).toHaveCount(0);
});

test("a clause that leaves its group is no longer the group's default", async ({ page, workspace }) => {
  const { id } = await services(workspace);
  const { call } = await signIn(page, workspace, "admin");
  await page.goto(`/templates/${id}/edit?tab=sectionGroups`);
  await page.getByText("2 clauses, required").click();
  const byDefault = page.getByLabel("On by default");
  await expect(byDefault).toHaveValue("cap_fees");
  await page.getByRole("checkbox", { name: "Capped at the fees" }).uncheck();
  await expect(byDefault).toHaveValue("");
  await page.getByRole("checkbox", { name: "Capped at the fees" }).check();
  await byDefault.selectOption("Capped at the fees");
  await page.getByRole("tab", { name: /^Clauses/ }).click();
  await page.getByText("{#cap_fees}").click();
  const entry = page.getByRole("listitem").filter({ hasText: "{#cap_fees}" });
  await entry.getByLabel("Group").selectOption("");
  await page.getByRole("button", { name: "Save as revision 2" }).click();
  await expect(page).toHaveURL(/\/templates\/tpl_[a-z0-9]+$/);
  const { template } = (await call("templates.readSettings", { id })).body;
  expect(template.sectionGroups).toMatchObject([{ id: "cap", defaultTag: null }]);
});

test("a clause chosen before the server has checked the form is shown and kept", async ({
  page,
  workspace,
}) => {
  const { id } = await services(workspace);
  await signIn(page, workspace);
  const checks = Promise.withResolvers<void>();
  let held = 0;
  await page.route("**/api/member/templates.check", async (route) => {
    held++;
    await checks.promise;
    await route.continue();
  });
  await page.goto(`/templates/${id}/use`);
  const insurance = page.getByRole("checkbox", { name: "Insurance" });
  await insurance.check();
  await page.getByRole("radio", { name: "Without a cap" }).check();
  await expect.poll(() => held).toBeGreaterThan(0);
  checks.resolve();
  await expect(page.getByLabel("Insured sum")).toBeVisible();
  await expect(insurance).toBeChecked();
  await expect(page.getByRole("radio", { name: "Without a cap" })).toBeChecked();
});

test("the template form restores unsaved entries until they are discarded or the contract is created", async ({
  page,
  workspace,
}) => {
  const { id } = await services(workspace);
  await signIn(page, workspace);
  await page.goto(`/templates/${id}/use`);
  const fee = page.getByRole("textbox", { name: "Fee" });
  const title = page.getByRole("textbox", { name: "Title" });
  const longTitle = "Rahmenvertrag über Donaudampfschifffahrtsleistungen & 구매";
  await title.fill(longTitle);
  await fee.fill("EUR 1200");
  await page.getByRole("checkbox", { name: "Insurance" }).check();
  await page.getByLabel("Insured sum").fill("two million");
  await page.getByRole("link", { name: "Contracts", exact: true }).click();
  await expect(page).toHaveURL(/\/contracts$/);
  await page.goBack();
  await expect(page.getByText("Your earlier entries have been restored.")).toBeVisible();
  await expect(title).toHaveValue(longTitle);
  await expect(fee).toHaveValue("EUR 1200");
  await expect(page.getByLabel("Insured sum")).toHaveValue("two million");
  await page.reload();
  await expect(title).toHaveValue(longTitle);
  await page.getByRole("button", { name: "Start over" }).click();
  await expect(title).toHaveValue("");
  await page.reload();
  await expect(fee).toHaveValue("");
  await expect(page.getByText("Your earlier entries have been restored.")).toHaveCount(0);
  await fee.fill("EUR 1200");
  await page.getByRole("button", { name: /^Counterparty/ }).click();
  await page.getByPlaceholder("Search counterparty").fill("Northwind Traders");
  await page.getByRole("option", { name: "Add “Northwind Traders”" }).click();
  await expect(page.getByText("Nothing is missing.")).toBeVisible();
  await page.getByRole("button", { name: "Create the contract" }).click();
  await expect(page).toHaveURL(/\/contracts\/ctr_/, slowly);
  await page.goto(`/templates/${id}/use`);
  await expect(fee).toHaveValue("");
});

test("a template can be archived and restored, and a viewer is offered no action on it", async ({
  page,
  workspace,
}) => {
  const { id } = await services(workspace);
  await signIn(page, workspace, "admin");
  await page.goto(`/templates/${id}`);
  await page.getByRole("button", { name: "More about the template" }).click();
  await page.getByRole("menuitem", { name: "Archive" }).click();
  await expect(page.getByText("Archived", { exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: "Use template" })).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("link", { name: "Use template" })).toBeVisible();
  await signIn(page, workspace, "viewer");
  await page.goto(`/templates/${id}`);
  await expect(page.getByRole("heading", { name: "Services" }).first()).toBeVisible();
  for (const name of ["Use template", "Edit settings"])
    await expect(page.getByRole("link", { name })).toHaveCount(0);
  await page.goto(`/templates/${id}/use`);
  await expect(page.getByRole("main")).toContainText(/owner|admin|member/);
  await expect(page.getByRole("button", { name: /^Create/ })).toHaveCount(0);
});
