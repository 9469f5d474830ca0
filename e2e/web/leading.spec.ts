/** Between a click and the next page. */
import { expect, signIn, test } from "./fixtures.ts";

test("a link that was followed shows a skeleton until its page is there, and nothing of the page is lost where it leads nowhere", async ({
  page,
  workspace,
}) => {
  await signIn(page, workspace);
  await page.goto("/settings/profile");
  const name = page.getByRole("textbox", { name: "Name" }).first();
  await name.fill("Not saved yet");
  const isPage = (url: URL) => url.pathname === "/contracts" && url.searchParams.has("_rsc");
  const held = Promise.withResolvers<void>();
  await page.route(isPage, async (route) => {
    await held.promise;
    await route.continue();
  });
  const loading = page.getByRole("status", { name: "Loading the page …" });
  const link = page.getByRole("navigation", { name: "Workspace" }).getByRole("link", { name: "Contracts" });

  await link.click();
  await expect(loading).toBeVisible();
  await expect(name).toHaveValue("Not saved yet");

  held.resolve();
  await expect(page.getByRole("heading", { name: "Contracts", level: 1 })).toBeVisible();
  await expect(loading).toHaveCount(0);

  await page.unroute(isPage);
  await page.goto("/home");
  // Opened beside, and held in place: neither leads away from here.
  await link.click({ modifiers: ["ControlOrMeta"] });
  await page.evaluate(() => window.dispatchEvent(new Event("popstate")));
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  await expect(loading).toHaveCount(0);
});
