/** Custom fields: defined in the settings, filled in, listed, filtered and sorted by. */
import type { Page } from "@playwright/test";
import { createCustomField, customFieldsOf, deleteCustomField } from "#lib/custom-fields/custom-fields.ts";
import type { Workspace } from "../fixtures.ts";
import { newMember } from "../members.ts";
import { expect, expectAccessible, signIn, test } from "./fixtures.ts";

async function define({ ctx }: Workspace) {
  const add = (key: string, name: string, type: "text" | "number" | "date" | "member") =>
    createCustomField(ctx, { key, name, type, options: [] });
  await add("note", "Note", "text");
  await add("seats", "Seats", "number");
  await add("go-live", "Go-live", "date");
  await add("lawyer", "Lawyer", "member");
  const region = { key: "region", name: "Region", type: "choice" as const };
  await createCustomField(ctx, { ...region, options: ["EMEA", "Asia"] });
}

test("an admin can add, edit and delete a custom field by keyboard, and a member can only read it", async ({
  page,
  workspace,
  another,
}) => {
  await signIn(page, workspace, "admin");
  await page.goto("/settings/custom-fields");
  await expect(page.getByText("No custom fields yet")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Add a field" }).first().press("Enter");
  const dialog = page.getByRole("dialog", { name: "Add a field" });
  await dialog.getByLabel("Name").fill("Région (Ελλάδα) 2");
  await expect(dialog.getByLabel("Key")).toHaveValue("region-2");
  await dialog.getByLabel("Type").selectOption("Choice");
  await dialog.getByRole("button", { name: "Add the field" }).press("Enter");
  await expect(dialog.getByText("must name at least one option")).toBeVisible();
  await dialog.getByLabel("Options").fill("EMEA\nemea");
  await dialog.getByLabel("Options").press("Tab");
  await dialog.getByRole("button", { name: "Add the field" }).press("Enter");
  await expect(dialog.getByText("must differ from each other, not only by case")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel("Options").fill("EMEA\nAsia");
  await dialog.getByRole("button", { name: "Add the field" }).press("Enter");
  await expect(dialog).toBeHidden();
  const table = page.getByRole("table");
  await expect(table.getByText("Région (Ελλάδα) 2")).toBeVisible();
  await expect(table.getByText("EMEA, Asia")).toBeVisible();
  await table.getByRole("button", { name: "Edit Région" }).press("Enter");
  const edit = page.getByRole("dialog", { name: "Edit the field" });
  await edit.getByLabel("Name").fill("Region");
  await edit.getByLabel("Options").fill("EMEA\nAmericas");
  await edit.getByRole("button", { name: "Save" }).press("Enter");
  await expect(table.getByText("EMEA, Americas")).toBeVisible();
  await expectAccessible(page);

  const theirs = await another();
  await signIn(theirs, workspace, "member");
  await theirs.goto("/settings/custom-fields");
  await expect(theirs.getByRole("table").getByText("Region", { exact: true })).toBeVisible();
  await expect(theirs.getByText("Owners and admins add and change custom fields.")).toBeVisible();
  await expect(theirs.getByRole("button", { name: /Add|Edit|Delete/ })).toHaveCount(0);

  await table.getByRole("button", { name: "Delete Region" }).press("Enter");
  await page.getByRole("button", { name: "Delete the field" }).press("Enter");
  await expect(page.getByText("No custom fields yet")).toBeVisible();
});

test("renaming a custom field keeps options added meanwhile, and editing its options keeps a new name", async ({
  page,
  workspace,
}) => {
  const region = { key: "region", name: "Region", type: "choice" as const, options: ["EMEA", "Asia"] };
  const { id } = (await createCustomField(workspace.ctx, region)).customField;
  const { call } = await signIn(page, workspace, "admin");
  const field = async () => (await call("customFields.list", {})).body.data[0];
  await page.goto("/settings/custom-fields");
  await page.getByRole("button", { name: "Edit Region" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit the field" });
  const options = ["EMEA", "Asia", "アジア太平洋"];
  expect((await call("customFields.patch", { id, options })).status).toBe(200);
  await dialog.getByLabel("Name").fill("Περιοχή");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
  expect(await field()).toMatchObject({ name: "Περιοχή", options });
  await page.getByRole("button", { name: "Edit Περιοχή" }).click();
  await call("customFields.patch", { id, name: "Region" });
  await dialog.getByLabel("Options").fill("EMEA");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
  expect(await field()).toMatchObject({ name: "Region", options: ["EMEA"] });
});

/** A row of the contract's details. */
const row = (page: Page, term: string) =>
  page.locator("dl > div").filter({ hasText: new RegExp(`^${term}`) });

test("custom fields can be filled in on a new contract and edited in place, and a refused edit is reported", async ({
  page,
  workspace,
}) => {
  await define(workspace);
  const { userId: lawyer } = await newMember(workspace, "member", "Lea Lawyer");
  await signIn(page, workspace, "member");
  await page.goto("/contracts/new");
  await page.getByLabel("Title").fill("Cloud agreement");
  await page.getByLabel("Type").selectOption("NDA");
  await page.getByLabel("Seats").fill("many");
  await page.getByLabel("Region").selectOption("Asia");
  await page.getByRole("button", { name: "Create the contract" }).click();
  await expect(page.getByText(/must be a number in digits/)).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Seats").fill("1234567.50");
  await page.getByRole("button", { name: "Create the contract" }).click();
  await expect(page.getByRole("heading", { level: 1, name: /Cloud agreement/ })).toBeVisible();
  await expect(row(page, "Seats").getByText("1,234,567.50")).toBeVisible();
  await expect(row(page, "Region").getByRole("combobox")).toHaveValue("Asia");

  await row(page, "Region").getByRole("combobox").selectOption("EMEA");
  await row(page, "Note").getByRole("button").press("Enter");
  const form = page.getByRole("dialog", { name: "Note" });
  await form.getByLabel("Note").fill("Call before renewal");
  await form.getByLabel("Note").press("Enter");
  await expect(row(page, "Note").getByText("Call before renewal")).toBeVisible();
  await row(page, "Go-live").getByRole("button").press("Enter");
  await page.getByRole("dialog", { name: "Go-live" }).getByLabel("Go-live").fill("2027-03-01");
  await page.getByRole("dialog", { name: "Go-live" }).getByRole("button", { name: "Save" }).press("Enter");
  await expect(row(page, "Go-live").getByText("Mar")).toBeVisible();
  await row(page, "Lawyer").getByRole("button").click();
  await page.getByRole("option", { name: /Lea Lawyer/ }).click();
  await expect(row(page, "Lawyer").getByText("Lea Lawyer")).toBeVisible();
  await expectAccessible(page);
  const [contract] = (await workspace.api("GET /contracts")).body.data;
  await expect
    .poll(async () => (await workspace.api(`GET /contracts/${contract.id}`)).body.contract.customFields)
    .toEqual({
      ...{ note: "Call before renewal", seats: "1234567.50", "go-live": "2027-03-01" },
      ...{ region: "EMEA", lawyer },
    });
  await expect(page.getByText(/Region: Asia/).or(page.getByText("Region").nth(1))).toBeVisible();
  const region = (await customFieldsOf(workspace.ctx)).find(({ key }) => key === "region")!;
  await deleteCustomField(workspace.ctx, { id: region.id });
  await row(page, "Region").getByRole("combobox").selectOption("Asia");
  await expect(page.getByText("That did not work"), "what is refused is told").toBeVisible();
});

test("the list filters, sorts and shows custom fields by URL or saved filter, ignoring unknown ones", async ({
  page,
  workspace,
}) => {
  await define(workspace);
  for (const [title, customFields] of [
    ["First", { region: "EMEA", seats: "20" }],
    ["Second", { region: "Asia", seats: "9" }],
    ["Third", { region: "EMEA", seats: "3" }],
  ] as const) {
    const { id } = await workspace.contract({ title });
    await workspace.api(`PATCH /contracts/${id}`, { body: { customFields } });
  }
  await signIn(page, workspace, "member");
  await page.goto("/contracts");
  await page.getByRole("button", { name: "More filters" }).press("Enter");
  await page.getByRole("option", { name: /Region/ }).click();
  // The focus returns when the menu closes; opening something before that would close it again.
  await expect(page.getByRole("button", { name: "More filters" })).toBeFocused();
  await page.getByRole("button", { name: "Region" }).press("Enter");
  await page.getByRole("checkbox", { name: "EMEA" }).check();
  const titles = () => page.locator("[data-row]").allTextContents();
  await expect.poll(titles).toEqual(["Third", "First"]);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: /^Region/ })).toBeFocused();
  await page.getByRole("button", { name: "Columns" }).press("Enter");
  await page.getByRole("checkbox", { name: "Seats" }).check();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: /^Columns/ })).toBeFocused();
  const head = page.getByRole("columnheader", { name: "Seats" });
  await head.getByRole("button").press("Enter");
  await expect(head).toHaveAttribute("aria-sort", "descending");
  await expect.poll(titles).toEqual(["First", "Third"]);
  await expectAccessible(page);
  const address = new URL(page.url()).searchParams;
  expect([...address].sort()).toEqual([
    ["columns", "seats"],
    ["customFields.region", "EMEA"],
    ["sort", "customFields.seats"],
  ]);
  await page.getByRole("button", { name: "Saved" }).press("Enter");
  await page.getByLabel("Save these filters as").fill("EMEA by seats");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Filter saved")).toBeVisible();
  await page.goto(`/contracts?customFields.seatsFrom=9&sort=customFields.seats&dir=asc&customFields.gone=x`);
  await expect.poll(titles).toEqual(["Second", "First"]);
  await page.getByRole("button", { name: "Clear all" }).click();
  await expect.poll(titles).toEqual(["Third", "Second", "First"]);
  await page.getByRole("button", { name: "Saved" }).press("Enter");
  await page.getByRole("button", { name: "EMEA by seats", exact: true }).press("Enter");
  await expect.poll(titles).toEqual(["First", "Third"]);
  await expect(head).toHaveAttribute("aria-sort", "descending");
});
