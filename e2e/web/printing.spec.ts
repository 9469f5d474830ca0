/** What is printed. */

import type { Page } from "@playwright/test";
import { PDFDocument, PDFNumber } from "#lib/documents/pdf/pdf-lib.ts";
import { pdfText } from "../pdf.ts";
import { draft, linkOf, pdf, requestOf } from "../signing.ts";
import { expect, signIn, test } from "./fixtures.ts";

/** Presses Ctrl-P and returns the printed page as a PDF. */
async function printed(page: Page): Promise<Uint8Array> {
  await page.evaluate(() => {
    window.print = () => document.documentElement.setAttribute("data-printed", "");
  });
  await page.keyboard.press("Control+p");
  await expect(page.locator("html[data-printed]")).toBeAttached({ timeout: 30_000 });
  await page.emulateMedia({ media: "print" });
  return page.pdf({ format: "A4" });
}

test("printing while signing prints every page of the document, one per sheet, and nothing else", async ({
  page,
  workspace,
}) => {
  const place = { xPct: 55, yPct: 85, wPct: 35, hPct: 6, pageIndex: 0 };
  const envelope = await requestOf(workspace, await pdf(12), 12, [place]);
  await page.goto(await linkOf(workspace, envelope));
  await page.getByRole("checkbox", { name: "I agree" }).check();
  await page.getByRole("button", { name: "Agree and continue" }).click();
  await expect(page.getByRole("region", { name: "Page 1 of 12" }).locator("canvas")).toBeVisible();
  const bytes = await printed(page);
  expect((await PDFDocument.load(bytes)).getPageCount()).toBe(12);
  await expect(page.locator("canvas")).toHaveCount(12);
  expect(await pdfText(bytes)).not.toMatch(/Finish|Start|Questions|More/);
});

/** A document whose second page object is not a page. */
async function broken(): Promise<Buffer> {
  const document = await PDFDocument.load(await pdf(2));
  document.context.assign(document.getPage(1).ref, PDFNumber.of(0));
  return Buffer.from(await document.save({ useObjectStreams: false }));
}

test("printing a version prints every page without the menu, even if a page cannot be drawn", async ({
  page,
  workspace,
}) => {
  const body = await broken();
  await page.route("**/api/files/**", (route) => route.fulfill({ body, contentType: "application/pdf" }));
  const { contractId, documentVersion } = await draft(workspace, [{ name: "Ana" }]);
  await signIn(page, workspace);
  await page.goto(`/contracts/${contractId}/versions/${documentVersion.id}`);
  await expect(page.getByRole("region", { name: "Page 1" }).locator("canvas")).toBeVisible();
  const bytes = await printed(page);
  expect((await PDFDocument.load(bytes)).getPageCount()).toBe(2);
  await expect(page.getByText("Page 2 cannot be drawn.")).toBeVisible();
  expect(await pdfText(bytes)).not.toMatch(/Home|Contracts/);
});

test("printing the contract list prints its rows without menus and controls", async ({ page, workspace }) => {
  const title = "Rahmenvertrag über Donaudampfschifffahrtsgesellschaftskapitänsmützen";
  for (let number = 1; number <= 45; number++) await workspace.contract({ title: `${title} ${number}` });
  await signIn(page, workspace);
  await page.goto("/contracts");
  await expect(page.getByRole("link", { name: `${title} 45` })).toBeVisible();
  await page.emulateMedia({ media: "print" });
  const bytes = await page.pdf({ format: "A4" });
  const text = await pdfText(bytes);
  expect(text).toContain("Title");
  for (const number of [1, 20, 45]) expect(text.replaceAll(/\s+/g, "")).toContain(`mützen${number}`);
  expect(text).not.toMatch(/Search and actions|Obligations|Settings|New contract/);
  expect((await PDFDocument.load(bytes)).getPageCount()).toBeGreaterThan(1);
});
