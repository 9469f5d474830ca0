/** Names in scripts that the reader's machine may have no font for. */
import type { Page } from "@playwright/test";
import { createCounterparty } from "#lib/counterparties/counterparties.ts";
import { expect, signIn, test } from "./fixtures.ts";

/** The families of our own fonts that the page has loaded, by what they are for. */
const provided = (page: Page) =>
  page.evaluate(() =>
    [...document.fonts]
      .filter(({ family, status }) => family.includes("Countersign Scripts") && status === "loaded")
      .map(({ unicodeRange }) => unicodeRange),
  );

/** Whether the machine itself draws a letter otherwise than one that no font has. */
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

test("a name in a script that the machine has no font for is shown in ours, which no other page loads", async ({
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

  // It may come at any time, without the page being loaded anew.
  const korean = await createCounterparty(workspace.ctx, { name: "한빛주식회사" });
  await page.goto("/counterparties");
  await page.getByRole("link", { name: korean.name }).click();
  await expect(page.getByRole("heading", { name: korean.name })).toBeVisible();
  await expect.poll(async () => (await provided(page)).some((range) => /AC00/i.test(range))).toBe(isMissing);
  expect(fetched.every((url) => /NotoSansKR/.test(url))).toBe(true);
});
