/** Importing contracts from a CSV in the browser: mapping its columns, showing its errors, and importing all of it. */
import type { Page } from "@playwright/test";
import { expect, expectAccessible, signIn, test } from "./fixtures.ts";

/** The worker reads tables in a separate process. */
const slowly = { timeout: 60_000 };

const choose = (page: Page, lines: string[]) =>
  page
    .getByLabel("Drop a CSV here, or choose one", { exact: true })
    .last()
    .setInputFiles({
      name: `${"Bestandsvertragsübersicht".repeat(6)}.csv`,
      mimeType: "text/csv",
      buffer: Buffer.from(lines.join("\n")),
    });

test("a CSV can be mapped, checked, corrected and imported by keyboard, and the check creates nothing", async ({
  page,
  workspace,
}) => {
  await signIn(page, workspace);
  await page.goto("/contracts/upload");
  await page.getByRole("link", { name: "Import a CSV" }).press("Enter");
  await expect(page.getByRole("heading", { name: "Import contracts" })).toBeVisible();
  await expectAccessible(page);
  const heading = `Bezeichnung,Kind,${"Vertragspartnerbezeichnung".repeat(5)}`;
  await choose(page, [
    heading,
    `Hosting,Novel,${"Übertragungsnetz".repeat(8)}`,
    "Lease of the hall,Lease,Contoso",
  ]);
  const column = (name: string) => page.getByRole("combobox", { name: `What “${name}” is` });
  await expect(column("Kind")).toHaveValue("type");
  const check = page.getByRole("button", { name: "Check the file" });
  await expect(check).toBeDisabled();
  await column("Bezeichnung").focus();
  await page.keyboard.type("Title");
  await expect(column("Bezeichnung")).toHaveValue("title");
  await page.getByRole("combobox", { name: /Vertragspartner/ }).selectOption("Counterparty");
  await expectAccessible(page);
  await check.press("Enter");
  const errors = page.getByRole("region", { name: "1 error in the file" });
  await expect(errors).toContainText("“Novel” is not a contract type.", slowly);
  await expectAccessible(page);
  await page.setViewportSize({ width: 320, height: 700 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await page.setViewportSize({ width: 1280, height: 900 });
  expect((await workspace.api("GET /contracts")).body.total).toBe(0);

  // A column with an error can be excluded instead.
  await column("Kind").selectOption("Not imported");
  await check.press("Enter");
  const start = page.getByRole("button", { name: "Import 2 contracts" });
  await expect(start).toBeVisible(slowly);
  await expect(page.getByText("2 contracts and 2 new counterparties will be created.")).toBeVisible();
  await page.reload();
  await start.press("Enter");
  await expect(page.getByText("2 contracts imported")).toBeVisible(slowly);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Show the contracts" }).press("Enter");
  await expect(page.getByRole("link", { name: "Lease of the hall" })).toBeVisible();
  await page.goto("/contracts/import");
  await page.getByRole("button", { name: "Import another file" }).press("Enter");
  await expect(page.getByText("Drop a CSV here, or choose one")).toBeVisible();
});
