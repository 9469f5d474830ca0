/** Anyone can check a signed PDF. */
import { readFile } from "node:fs/promises";
import { linkOf, pdf, sent, signerAt } from "../signing.ts";
import { expect, expectAccessible, test } from "./fixtures.ts";

test("a downloaded signed PDF verifies as valid, and an altered or unsigned PDF does not", async ({
  page,
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann Ames" }]);
  const path = await linkOf(workspace, envelope);
  await (await signerAt(workspace, envelope)).sign();
  await page.goto(path);
  await expect(page.getByRole("heading", { name: "Signed and sealed" })).toBeVisible({ timeout: 30_000 });
  await expectAccessible(page);
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download the signed PDF" }).click();
  const bytes = await readFile(await (await downloading).path());
  await page.getByRole("link", { name: "check that it is unchanged" }).click();
  await expect(page.getByRole("heading", { name: "Check a signed document" })).toBeVisible();
  const check = async (buffer: Buffer) => {
    const file = { name: "signed.pdf", mimeType: "application/pdf", buffer };
    await page.locator("input[type=file]").setInputFiles(file);
    const result = page.getByRole("heading", { level: 2, name: /Valid: signed|Do not rely/ });
    await expect(result).toBeFocused({ timeout: 20_000 });
    return result.textContent();
  };
  expect(await check(bytes)).toContain("Valid: signed");
  await expect(page.getByText("Issued here by")).toBeVisible();
  await expect(page.getByText(envelope.id, { exact: true })).toBeVisible();
  await expectAccessible(page);
  const changed = Buffer.from(bytes);
  changed[1000]! ^= 1;
  expect(await check(changed)).toContain("Do not rely");
  expect(await check(Buffer.from(await pdf(1)))).toContain("Do not rely");
});
