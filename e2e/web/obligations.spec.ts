/** Obligations as users meet them: what they belong to, and why they fall due when they do, before they are saved. */
import type { Page } from "@playwright/test";
import type { Workspace } from "../fixtures.ts";
import { expect, expectAccessible, signIn, test } from "./fixtures.ts";

const title = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaftsvertrag";
const name = "Παπαδοπούλου-Beteiligungsverwaltungsgesellschaft-mbH-&-Co.-KGaA";

/** Creates a contract with a counterparty, both with realistic long names; returns its id. */
async function named(workspace: Workspace, fields: Record<string, unknown> = {}): Promise<string> {
  const { counterparty } = (await workspace.api("POST /counterparties", { body: { name } })).body;
  const contract = await workspace.contract({
    title,
    counterpartyId: counterparty.id,
    effectiveDate: "2030-01-01",
    termMonths: 12,
    ...fields,
  });
  return contract.id;
}

const oblige = ({ api }: Workspace, contractId: string, fields: Record<string, unknown>) =>
  api("POST /obligations", { body: { contractId, kind: "RENEWAL_NOTICE", title: "Give notice", ...fields } });

test("an obligation shows its contract and counterparty in the list, in the calendar and on a phone", async ({
  page,
  workspace,
}) => {
  const id = await named(workspace);
  const notice = { anchorType: "EXPIRATION_DATE", offsetValue: 60, offsetDirection: "BEFORE" };
  await oblige(workspace, id, notice);
  await signIn(page, workspace);
  await page.goto("/obligations");
  const row = page.getByRole("row", { name: /Give notice/ });
  await expect(row).toContainText(`${title} · ${name}`);
  await expect(row).toContainText("60 days before the term ends on 31 Dec 2030");
  await row.getByTitle("How the date is counted").click();
  await expect(page.getByRole("dialog", { name: "How the date is counted" })).toContainText(
    "Expiration date 2030-12-31 (effective 2030-01-01 + 12 months) − 60 days = 2030-11-01",
  );
  await expectAccessible(page);
  await page.setViewportSize({ width: 320, height: 740 });
  await page.keyboard.press("Escape");
  await expect(row).toContainText(`${title} · ${name}`);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await page.goto("/obligations/calendar?month=2030-11");
  await expect(page.getByRole("main")).toContainText(`${title} · ${name}`);
  await page.getByRole("button", { name: /Give notice/ }).click();
  await expect(page.getByRole("dialog")).toContainText(`${title} · ${name}`);
  await expect(page.getByRole("dialog")).toContainText("60 days before the term ends on 31 Dec 2030");
});

test("an occurrence completed by someone else is not completed again, singly or in bulk", async ({
  page,
  workspace,
}) => {
  const id = await named(workspace);
  const yearly = { anchorType: "FIXED_DATE", fixedDate: "2031-01-31", recurrenceMonths: 12 };
  await oblige(workspace, id, yearly);
  const read = async () => (await workspace.api(`GET /contracts/${id}/obligations`)).body.data[0];
  const completedElsewhere = async () =>
    workspace.api(`PATCH /obligations/${(await read()).id}`, { body: { status: "COMPLETED" } });
  await signIn(page, workspace);
  await page.goto("/obligations");
  const row = page.getByRole("row", { name: /Give notice/ });
  const complete = page.getByRole("button", { name: "Complete: Give notice" });
  await expect(complete).toBeVisible();
  await completedElsewhere();
  await complete.click();
  await expect(page.getByText(/occurrence of 2031-01-31 is no longer the next one/)).toBeVisible();
  await expect(row).toContainText("31 Jan 2032");
  await row.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Complete", exact: true }).click();
  await completedElsewhere();
  await page.getByRole("dialog").getByRole("button", { name: "Complete" }).click();
  await expect(page.getByText(/occurrence of 2032-01-31 is no longer the next one/)).toBeVisible();
  expect((await read()).resolvedDate).toBe("2033-01-31T00:00:00.000Z");
});

test("the origin of an obligation's due date is described in plain words", async ({ page, workspace }) => {
  const id = await named(workspace, { autoRenews: true });
  for (const [number, fields] of [
    { anchorType: "EFFECTIVE_DATE", offsetValue: 1, offsetDirection: "AFTER" },
    { anchorType: "EFFECTIVE_DATE", offsetValue: 5, offsetUnit: "BUSINESS_DAY", recurrenceMonths: 3 },
    { anchorType: "EXPIRATION_DATE" },
    { anchorType: "RENEWAL_DATE", offsetValue: 2, offsetUnit: "WEEK", offsetDirection: "BEFORE" },
    { anchorType: "FIXED_DATE", fixedDate: "2031-03-01" },
    { anchorType: "EXECUTION_DATE", offsetValue: 30 },
    { anchorType: "EVENT" },
  ].entries()) {
    await oblige(workspace, id, { title: `Number ${number}`, ...fields });
  }
  await signIn(page, workspace);
  await page.goto("/obligations");
  const told = [
    "1 day after the contract takes effect on 1 Jan 2030",
    "5 business days after the contract takes effect on 1 Jan 2030, then every 3 months",
    "When the term ends on 31 Dec 2030",
    "2 weeks before the contract renews on 1 Jan 2031",
    "On 1 Mar 2031",
    "Waiting for the contract to be signed",
    "Waiting for the event: its date is entered once it is known",
  ];
  for (const [number, words] of told.entries()) {
    const row = page.getByRole("row", { name: `Number ${number}` });
    await expect(row.getByTitle("How the date is counted")).toHaveText(words);
  }
});

async function openDialog(page: Page, contractId: string) {
  await page.goto(`/contracts/${contractId}`);
  await page.getByRole("region", { name: "Obligations" }).getByRole("button", { name: "Add" }).click();
  return page.getByRole("dialog", { name: "Add an obligation" });
}

test("the obligation form previews the due date, and a fixed date is stored without an offset", async ({
  page,
  workspace,
}) => {
  const id = await named(workspace, { title: "Supply agreement" });
  await signIn(page, workspace);
  const dialog = await openDialog(page, id);
  await dialog.getByLabel("What has to be done").fill("Send the report");
  await expect(dialog.getByText("Falls due on 1 Dec 2030")).toBeVisible();
  await expect(dialog.getByText("30 days before the term ends on 31 Dec 2030")).toBeVisible();
  await dialog.getByLabel("Offset").fill("2");
  await dialog.getByLabel("Unit").selectOption("MONTH");
  await dialog.getByLabel("Repeats every (months)").fill("6");
  await expect(dialog.getByText("Falls due on 31 Oct 2030")).toBeVisible();
  await expect(
    dialog.getByText("2 months before the term ends on 31 Dec 2030, then every 6 months"),
  ).toBeVisible();
  await dialog.getByLabel("Counted from").selectOption("FIXED_DATE");
  await expect(dialog.getByLabel("Offset")).toBeHidden();
  await dialog.getByLabel("Date", { exact: true }).fill("2031-03-01");
  await expect(dialog.getByText("Falls due on 1 Mar 2031")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel("Repeats every (months)").fill("");
  await dialog.getByRole("button", { name: "Add the obligation" }).click();
  await expect(dialog).toBeHidden();
  const { data } = (await workspace.api(`GET /contracts/${id}/obligations`)).body;
  expect(data).toMatchObject([
    { anchorType: "FIXED_DATE", offsetValue: 0, resolvedDate: "2031-03-01T00:00:00.000Z" },
  ]);
});

test("every field of an obligation is stored as entered and shown again when edited", async ({
  page,
  workspace,
}) => {
  const id = await named(workspace);
  await signIn(page, workspace);
  const dialog = await openDialog(page, id);
  await dialog.getByLabel("What has to be done").fill(title);
  await dialog.getByLabel("Kind").selectOption("PAYMENT");
  await dialog.getByLabel("Counted from").selectOption("EVENT");
  await dialog.getByLabel("Date of the event").fill("2030-05-06");
  await dialog.getByLabel("Repeats every (months)").fill("12");
  await dialog.getByLabel("Offset").fill("3");
  await dialog.getByLabel("Unit").selectOption("WEEK");
  await dialog.getByLabel("Before or after").selectOption("AFTER");
  await dialog.getByLabel("Notes").fill("김민준 knows");
  await dialog.getByRole("button", { name: "Add the obligation" }).click();
  await expect(dialog).toBeHidden();
  await page.reload();
  await page.getByRole("button", { name: `More for: ${title}` }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  const again = page.getByRole("dialog", { name: "Edit the obligation" });
  await expect(again.getByLabel("What has to be done")).toHaveValue(title);
  await expect(again.getByLabel("Kind")).toHaveValue("PAYMENT");
  await expect(again.getByLabel("Counted from")).toHaveValue("EVENT");
  await expect(again.getByLabel("Date of the event")).toHaveValue("2030-05-06");
  await expect(again.getByLabel("Repeats every (months)")).toHaveValue("12");
  await expect(again.getByLabel("Offset")).toHaveValue("3");
  await expect(again.getByLabel("Unit")).toHaveValue("WEEK");
  await expect(again.getByLabel("Before or after")).toHaveValue("AFTER");
  await expect(again.getByLabel("Notes")).toHaveValue("김민준 knows");
});

test("editing an obligation with a fixed date and an offset still shows the offset", async ({
  page,
  workspace,
}) => {
  const id = await named(workspace);
  const counted = {
    anchorType: "FIXED_DATE",
    fixedDate: "2031-03-31",
    offsetValue: 30,
    offsetDirection: "BEFORE",
  };
  await oblige(workspace, id, counted);
  await signIn(page, workspace);
  await page.goto(`/contracts/${id}`);
  await page.getByRole("button", { name: "More for: Give notice" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit the obligation" });
  await expect(dialog.getByLabel("Offset")).toHaveValue("30");
  await expect(dialog.getByText("Falls due on 1 Mar 2031")).toBeVisible();
});
