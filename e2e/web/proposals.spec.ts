import type { Page } from "@playwright/test";
import { createObligation } from "#lib/obligations/obligations.ts";
import { inJson } from "../documents.ts";
import type { Workspace } from "../fixtures.ts";
import { pdfOf } from "../pdf.ts";
import { dragIn } from "./drop.ts";
import { expect, expectAccessible, signIn, test } from "./fixtures.ts";

/** Documents are read by separate processes, which wait for their turn. */
const slowly = { timeout: 60_000 };

const party = `Fabrikam ${"Donaudampfschifffahrt".repeat(3)} Limited`;

const agreement = () =>
  pdfOf([
    [
      "MASTER SERVICES AGREEMENT",
      'This Master Services Agreement (the "Agreement") is made as of the 1st day of',
      `June, 2031 (the "Effective Date") by and between Test workspace, Inc. and`,
      `${party}.`,
    ],
    [
      "1. TERM. The initial term of this Agreement shall be three (3) years from the",
      "Effective Date and shall thereafter be automatically renewed for successive one (1)",
      "year periods unless either party gives written notice of its intention not to renew",
      "at least ninety (90) days prior to the end of the then-current term.",
      "2. FEES. Customer shall pay each invoice within thirty (30) days after receipt.",
    ],
  ]);

/** Opens a contract with the agreement, whose proposals appear once it is read; returns the contract's id. */
async function openAgreement(page: Page, workspace: Workspace, title: string): Promise<string> {
  const file = { fileName: "agreement.pdf", contentType: "application/pdf", bytes: await agreement() };
  const { id } = await workspace.contract({ title, document: inJson(file) });
  await signIn(page, workspace);
  await page.goto(`/contracts/${id}`);
  return id;
}

test("replacing the document of a new contract replaces the prefilled values but keeps typed ones", async ({
  page,
  workspace,
}) => {
  await signIn(page, workspace);
  await page.goto("/contracts");
  await (await dragIn(page, [["agreement.pdf", await agreement()]], "Drop it to create a contract"))();
  const title = page.getByLabel("Title");
  await expect(title).toHaveValue("Master Services Agreement", slowly);
  await expect(page.getByLabel("Term in months", { exact: true })).toHaveValue("36");
  await page.getByLabel("Effective date").fill("2031-07-01");
  const lease = [
    "LEASE AGREEMENT",
    'This Lease Agreement (the "Agreement") is made as of the 2nd day of March, 2032',
    '(the "Effective Date") by and between Test workspace, Inc. and Tailspin Limited.',
    "1. TERM. The term of this Agreement shall be two (2) years from the Effective Date.",
  ];
  await (await dragIn(page, [["lease.pdf", await pdfOf([lease])]]))();
  await expect(page.getByLabel("Term in months", { exact: true })).toHaveValue("24", slowly);
  await expect(title).toHaveValue("Lease Agreement");
  await expect(page.getByRole("checkbox", { name: "Renews automatically" })).not.toBeChecked();
  await expect(page.getByLabel("Effective date")).toHaveValue("2031-07-01");
  // A document that contains nothing clears what the previous one filled in.
  await (await dragIn(page, [["notes.pdf", await pdfOf([["Nothing of note."]])]]))();
  await expect(page.getByLabel("Term in months", { exact: true })).toHaveValue("");
  await expect(title).toHaveValue("Notes");
});

test("dates found in a dropped PDF are proposed with quotes, and accepted, changed or rejected by keyboard", async ({
  page,
  workspace,
}) => {
  await signIn(page, workspace);
  await page.goto("/contracts");
  const letGo = await dragIn(page, [["agreement.pdf", await agreement()]], "Drop it to create a contract");
  expect(await letGo()).toBe("handled");

  // The form shows what the document says, each value with its quote.
  await expect(page.getByLabel("Title")).toHaveValue("Master Services Agreement", slowly);
  await expect(page.getByRole("combobox", { name: "Type" })).toHaveValue("MSA");
  await expect(page.getByLabel("Effective date")).toHaveValue("2031-06-01");
  await expect(page.getByLabel("Term in months", { exact: true })).toHaveValue("36");
  await expect(page.getByRole("checkbox", { name: "Renews automatically" })).toBeChecked();
  await page.getByRole("button", { name: `Add ${party}` }).press("Enter");
  await expect(page.getByRole("button", { name: /Counterparty/ })).toContainText("Fabrikam");
  const quotes = page.getByText("Found on page 2 of the document");
  await quotes.first().press("Enter");
  await expect(page.getByText("three (3) years from the").first()).toBeVisible();
  await expectAccessible(page);
  // Dates that are not accepted in the form are proposed on the contract's page.
  await page.getByLabel("Effective date").fill("");
  await page.getByLabel("Term in months", { exact: true }).fill("");
  await page.getByRole("checkbox", { name: "Renews automatically" }).uncheck();
  await page.getByRole("button", { name: "Create the contract" }).click();

  const found = page.getByRole("region", { name: "5 found in the document" });
  await expect(found).toBeVisible(slowly);
  await expect(found.getByText("three (3) years from the").first()).toBeVisible();
  await expectAccessible(page);
  for (const width of [320, 375]) {
    await page.setViewportSize({ width, height: 800 });
    const isWhole = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    expect(await isWhole()).toBe(true);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "light" });

  // The quote is marked at its place in the document.
  await found.getByRole("link", { name: "Page 2 of version 1" }).first().press("Enter");
  const viewer = page.getByRole("region", { name: "agreement.pdf, version 1" });
  await expect(viewer.locator("mark").first()).toContainText("The initial term of this Agreement", slowly);
  await page.goBack();

  const row = (name: string) => page.getByRole("button", { name, exact: true });
  const rejected = page.getByRole("dialog", { name: /^Reject/ }).getByRole("button", { name: "Reject" });
  await row("Accept: Effective date").press("Enter");
  await expect(page.getByRole("region", { name: "4 found in the document" })).toBeVisible();
  // The focus moves to the next proposal.
  await expect(page.locator(":focus")).toHaveAccessibleName(/^Accept: /);
  await row("Change and accept: Term").press("Enter");
  await page.getByLabel("Months").fill("24");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "3 found in the document" })).toBeVisible();
  await row("Reject: Renews automatically").press("Enter");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(row("Reject: Renews automatically")).toBeFocused();
  await page.keyboard.press("Enter");
  await rejected.press("Enter");
  await expect(page.getByRole("region", { name: "2 found in the document" })).toBeVisible();
  await row("Change and accept: Give notice if the contract should not renew").press("Enter");
  await page.getByLabel("Offset").fill("60");
  await page.getByRole("button", { name: "Accept", exact: true }).press("Enter");
  await expect(page.getByRole("region", { name: "1 found in the document" })).toBeVisible();
  await row("Reject: Pay within 30 days").press("Enter");
  await rejected.press("Enter");
  await expect(page.getByRole("region", { name: /found in the document/ })).toHaveCount(0);
  const obligations = page.getByRole("region", { name: "Obligations" });
  await expect(obligations.getByText("60 days before the term ends on")).toBeVisible();
  await expect(obligations.getByText("Pay within 30 days")).toHaveCount(0);
  // What was accepted keeps its quote and the link to it.
  await expect(obligations.getByText("at least ninety (90) days prior to the end")).toBeVisible();
  await obligations.getByRole("link", { name: "Page 2 of version 1" }).press("Enter");
  await expect(page).toHaveURL(/\/versions\/[^?]+\?page=2&mark=/);
});

test("the second click of a double click does not accept the proposal that takes the first one's place", async ({
  page,
  workspace,
}) => {
  await openAgreement(page, workspace, "Twice");
  const accepts = page.getByRole("button", { name: /^Accept: / });
  await expect(accepts).toHaveCount(5, slowly);
  const first = await accepts.first().getAttribute("aria-label");
  await accepts.first().click();
  await expect(accepts).toHaveCount(4);
  await expect(accepts.first()).not.toHaveAttribute("aria-label", first!);
  const next = (await accepts.first().getAttribute("aria-label"))!;
  await accepts.first().hover();
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await page.getByRole("button", { name: /^Accept: Pay/ }).press("Enter");
  await expect(page.getByRole("button", { name: /^Accept: Pay/ })).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("region", { name: "3 found in the document" })).toBeVisible();
  await expect(page.getByRole("button", { name: next, exact: true })).toBeVisible();
});

test("accepting a proposed date that was entered meanwhile says so and removes the proposal", async ({
  page,
  workspace,
}) => {
  const id = await openAgreement(page, workspace, "Stale");
  await expect(page.getByRole("region", { name: "5 found in the document" })).toBeVisible(slowly);
  const enter = (body: object) => workspace.api(`PUT /contracts/${id}/anchors`, { body });
  const told = page.getByText("Someone has entered this date since.");
  await enter({ effectiveDate: "2031-07-01" });
  await page.getByRole("button", { name: "Accept: Effective date", exact: true }).click();
  await expect(told).toHaveCount(1);
  await expect(page.getByRole("region", { name: "4 found in the document" })).toBeVisible();
  await page.getByRole("button", { name: "Change and accept: Term" }).click();
  await page.getByLabel("Months").fill("30");
  await enter({ effectiveDate: "2031-07-01", termMonths: 24 });
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "3 found in the document" })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(told).toHaveCount(2);
});

test("a proposal can be rejected from the obligation list after a confirmation", async ({
  page,
  workspace,
}) => {
  const { id: contractId } = await workspace.contract();
  const duty = { contractId, kind: "PAYMENT", title: "Pay", anchorType: "EXPIRATION_DATE" } as const;
  await createObligation(workspace.ctx, { ...duty, source: "AI", state: "SUGGESTED" });
  await signIn(page, workspace);
  await page.goto("/obligations");
  const reject = async () => {
    await page.getByRole("button", { name: "More for: Pay" }).click();
    await page.getByRole("menuitem", { name: "Reject" }).click();
  };
  const dialog = page.getByRole("dialog", { name: "Reject “Pay”?" });
  await reject();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("button", { name: "Accept: Pay" })).toBeVisible();
  await reject();
  await dialog.getByRole("button", { name: "Reject" }).click();
  await expect(page.getByText("Rejected")).toBeVisible();
  await expect(page.getByRole("button", { name: "Accept: Pay" })).toHaveCount(0);
});
