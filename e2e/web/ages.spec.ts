/** Pages that stay open for a long time: Next keeps their layout while time passes. */
import type { Page } from "@playwright/test";
import { expect, signIn, test } from "./fixtures.ts";

/** The element with the name of today's weekday. */
const today = (page: Page) => page.locator('[aria-current="date"] span').first();

test("relative times keep advancing while a page stays open and across navigation", async ({
  page,
  workspace,
}) => {
  const { id } = await workspace.contract({ title: "Lease" });
  await signIn(page, workspace);
  await page.clock.install();
  await page.goto(`/contracts/${id}`);
  const comments = page.getByRole("region", { name: "Comments" });
  const thread = comments.getByRole("article");
  await comments.getByLabel("Your comment").fill("Is this agreed?");
  await comments.getByRole("button", { name: "Comment" }).click();
  await expect(thread).toContainText("just now");
  await page.clock.fastForward("05:00");
  await expect(thread).toContainText(/[45] minutes ago/);
  await page.getByRole("link", { name: "Contracts", exact: true }).first().click();
  await page.getByRole("link", { name: "Lease" }).click();
  await expect(thread).toContainText(/[45] minutes ago/);
});

test("an open calendar moves its today marker after midnight", async ({ page, workspace }) => {
  await signIn(page, workspace);
  await page.clock.install();
  await page.goto("/obligations/calendar");
  const day = await today(page).textContent();
  await page.clock.fastForward("24:00:00");
  await expect(today(page)).not.toHaveText(day!);
});

test("a calendar updates its today marker as soon as the tab becomes visible again", async ({
  page,
  workspace,
}) => {
  await signIn(page, workspace);
  await page.goto("/obligations/calendar");
  const day = await today(page).textContent();
  const tomorrow = Date.now() + 86_400_000;
  // Timers do not fire while the machine sleeps.
  await page.clock.setFixedTime(tomorrow);
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(today(page)).not.toHaveText(day!);
});
