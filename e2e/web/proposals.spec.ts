import { pdfOf } from "../pdf.ts";
import { dragIn } from "./drop.ts";
import { expect, expectAccessible, signIn, test } from "./fixtures.ts";

/** Documents are read by processes of their own, which wait for their turn. */
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

test("a date in a dropped PDF becomes a proposal beside its quote, and is accepted, changed or rejected with the keyboard", async ({
  page,
  workspace,
}) => {
  await signIn(page, workspace);
  await page.goto("/contracts");
  const letGo = await dragIn(page, [["agreement.pdf", await agreement()]]);
  expect(await letGo()).toBe("handled");

  // The form has what the document says, each with its quote.
  await expect(page.getByLabel("Title")).toHaveValue("Master Services Agreement", slowly);
  await expect(page.getByRole("combobox", { name: "Type" })).toHaveValue("MSA");
  await expect(page.getByLabel("Effective date")).toHaveValue("2031-06-01");
  await expect(page.getByLabel("Term in months")).toHaveValue("36");
  await expect(page.getByRole("checkbox", { name: "Renews automatically" })).toBeChecked();
  await page.getByRole("button", { name: `Add ${party}` }).press("Enter");
  await expect(page.getByRole("button", { name: /Counterparty/ })).toContainText("Fabrikam");
  const quotes = page.getByText("Found on page 2 of the document");
  await quotes.first().press("Enter");
  await expect(page.getByText("three (3) years from the").first()).toBeVisible();
  await expectAccessible(page);
  // Dates that are not taken over are proposed on the contract's page.
  await page.getByLabel("Effective date").fill("");
  await page.getByLabel("Term in months").fill("");
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

  // Its quote is marked where it stands.
  await found.getByRole("link", { name: "Page 2 of version 1" }).first().press("Enter");
  const viewer = page.getByRole("region", { name: "agreement.pdf, version 1" });
  await expect(viewer.locator("mark").first()).toContainText("The initial term of this Agreement", slowly);
  await page.goBack();

  const row = (name: string) => page.getByRole("button", { name, exact: true });
  await row("Accept: Effective date").press("Enter");
  await expect(page.getByRole("region", { name: "4 found in the document" })).toBeVisible();
  // The keyboard goes on with the next one.
  await expect(page.locator(":focus")).toHaveAccessibleName(/^Accept: /);
  await row("Change and accept: Term").press("Enter");
  await page.getByLabel("Months").fill("24");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "3 found in the document" })).toBeVisible();
  await row("Reject: Renews automatically").press("Enter");
  await expect(page.getByRole("region", { name: "2 found in the document" })).toBeVisible();
  await row("Change and accept: Give notice if the contract should not renew").press("Enter");
  await page.getByLabel("How far").fill("60");
  await page.getByRole("button", { name: "Accept", exact: true }).press("Enter");
  await expect(page.getByRole("region", { name: "1 found in the document" })).toBeVisible();
  await row("Reject: Pay within 30 days").press("Enter");
  await expect(page.getByRole("region", { name: /found in the document/ })).toHaveCount(0);
  const obligations = page.getByRole("region", { name: "Obligations" });
  await expect(obligations.getByText("60 days before the term ends on")).toBeVisible();
  await expect(obligations.getByText("Pay within 30 days")).toHaveCount(0);
  // What was accepted keeps its quote, and the way to it.
  await expect(obligations.getByText("at least ninety (90) days prior to the end")).toBeVisible();
  await obligations.getByRole("link", { name: "Page 2 of version 1" }).press("Enter");
  await expect(page).toHaveURL(/\/versions\/[^?]+\?page=2&mark=/);
});
