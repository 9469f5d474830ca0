/** The contract's page: the document in view, and moving through the list that the user came from. */
import { database } from "#lib/core/db.ts";
import { uploadJson } from "../documents.ts";
import { pdfOf } from "../pdf.ts";
import { expect, expectAccessible, signIn, test } from "./fixtures.ts";

const fileName = `${"Mietvertragsverlängerungsvereinbarung".repeat(4)}.pdf`;

test("the first-page preview opens the viewer by keyboard, and a failed preview says so and keeps its link", async ({
  page,
  workspace,
}) => {
  const { id } = await workspace.contract({ title: "Lease" });
  const bytes = await pdfOf([["Lease of a mill"], ["Page two"]]);
  const { body } = await uploadJson(workspace.api, id, { fileName, contentType: "application/pdf", bytes });
  await signIn(page, workspace, "viewer");
  await page.goto(`/contracts/${id}`);
  const part = page.getByRole("region", { name: "Document", exact: true });
  const image = part.getByRole("img", { name: "First page of the document" });
  await expect(image).toBeVisible({ timeout: 120_000 });
  await expect.poll(() => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBe(1000);
  await expectAccessible(page);
  // A page that was visited before comes with the preview in its HTML.
  const html = await (await page.request.get(`/contracts/${id}`)).text();
  expect(html).toContain(`/api/previews/${body.version.id}`);
  expect(html.match(/pdf[.-]?js|react-pdf/g)).toBeNull();
  await part.getByRole("link").press("Enter");
  await expect(page).toHaveURL(new RegExp(`/versions/${body.version.id}$`));
  await expect(page.getByRole("region", { name: `${fileName}, version 1` })).toBeVisible();

  await database().prisma.versionPreview.updateMany({
    where: { versionId: body.version.id },
    data: { state: "FAILED", sha256: null },
  });
  await page.goto(`/contracts/${id}`);
  await expect(part.getByText("The first page cannot be shown here")).toBeVisible();
  await expectAccessible(page);
  for (const width of [320, 375]) {
    await page.setViewportSize({ width, height: 740 });
    const isWhole = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    await expect.poll(isWhole).toBe(true);
  }
  await expect(part.getByRole("link")).toHaveAccessibleName("The first page cannot be shown here Open");
  await expect(part).toContainText("Version 1, 2 pages");
});

test("j and k step through a filtered list across its pages, and the breadcrumb returns to the same row", async ({
  page,
  workspace,
}) => {
  const titles = Array.from({ length: 52 }, (_, index) => `Walk ${String(index + 1).padStart(2, "0")}`);
  await Promise.all([...titles, "Elsewhere"].map((title) => workspace.contract({ title })));
  await signIn(page, workspace);
  await page.goto("/contracts?q=Walk&sort=title&dir=asc");
  await page.getByRole("link", { name: "Walk 49" }).press("Enter");
  const list = page.getByRole("navigation", { name: "Contracts in the list" });
  const heading = (title: string) => page.getByRole("heading", { level: 1, name: title });
  await expect(heading("Walk 49")).toBeVisible();
  await expect(list).toContainText("49 of 52");
  await page.keyboard.press("j");
  await expect(heading("Walk 50")).toBeVisible();
  // In a text field the keys type letters. In a list sorted by title, a changed title moves no other contract.
  await page.getByLabel("Your comment").fill("");
  await page.keyboard.type("jk");
  await expect(heading("Walk 50")).toBeVisible();
  await page.getByLabel("Your comment").blur();
  await list.getByRole("link", { name: "Next contract" }).press("Enter");
  await expect(heading("Walk 51")).toBeVisible();
  await expect(list).toContainText("51 of 52");
  await page.keyboard.press("j");
  await expect(heading("Walk 52")).toBeVisible();
  await expect(list.getByRole("link")).toHaveText([""]);
  await page.keyboard.press("k");
  await expect(heading("Walk 51")).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(help.getByText("Next contract in the list")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(help).toBeHidden();
  await page.getByRole("navigation", { name: "Breadcrumbs" }).getByRole("link").press("Enter");
  await expect(page).toHaveURL(/\?q=Walk&sort=title&dir=asc&page=2$/);
  await expect(page.getByRole("link", { name: "Walk 51" })).toBeFocused();
});
