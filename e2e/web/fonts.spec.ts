/** Names in scripts for which the reader's machine may have no font. */
import type { Page } from "@playwright/test";
import { createCounterparty } from "#lib/counterparties/counterparties.ts";
import { expect, signIn, test } from "./fixtures.ts";

/** Returns the ranges of our own fonts that the page has loaded. */
const provided = (page: Page) =>
  page.evaluate(() =>
    [...document.fonts]
      .filter(({ family, status }) => family.includes("Countersign Scripts") && status === "loaded")
      .map(({ unicodeRange }) => unicodeRange),
  );

/** Whether the machine has a font for a letter: it draws it differently from a character that no font has. */
const hasOwn = (page: Page, letter: string) =>
  page.evaluate((text) => {
    const draw = (character: string) => {
      const canvas = document.createElement("canvas");
      const context = canvas.getContext("2d")!;
      context.font = "16px sans-serif";
      context.fillText(character, 2, 18);
      return canvas.toDataURL();
    };
    return draw(text) !== draw("\u0378");
  }, letter);

test("a bundled font is loaded only for a name in a script that the machine has no font for", async ({
  page,
  workspace,
}) => {
  const fetched: string[] = [];
  page.on("request", (request) => {
    if (/Noto/.test(request.url())) fetched.push(request.url());
  });
  const { id } = await createCounterparty(workspace.ctx, { name: "Łódź Überlandwerke Ελλάς Київ" });
  await signIn(page, workspace);
  await page.goto(`/counterparties/${id}`);
  await expect(page.getByRole("heading", { name: "Łódź" })).toBeVisible();
  const isMissing = !(await hasOwn(page, "한"));
  await page.waitForFunction(() => performance.getEntriesByName("parts loaded").length > 0);
  expect(fetched).toEqual([]);

  // The font loads at any time, without reloading the page.
  const korean = await createCounterparty(workspace.ctx, { name: "한빛주식회사" });
  await page.goto("/counterparties");
  await page.getByRole("link", { name: korean.name }).click();
  await expect(page.getByRole("heading", { name: korean.name })).toBeVisible();
  await expect.poll(async () => (await provided(page)).some((range) => /AC00/i.test(range))).toBe(isMissing);
  expect(fetched.every((url) => /NotoSansKR/.test(url))).toBe(true);
});
