/** What happens between a click and the next page. */
import { inJson } from "../documents.ts";
import { pdfOf } from "../pdf.ts";
import { expect, signIn, test } from "./fixtures.ts";

test("a followed link shows a skeleton until its page loads, and staying on the page shows none", async ({
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
  // Opening in a new tab and staying in place: neither leads away from this page.
  await link.click({ modifiers: ["ControlOrMeta"] });
  await page.evaluate(() => window.dispatchEvent(new Event("popstate")));
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  await expect(loading).toHaveCount(0);
});

test("a navigation completes even if the page being left rewrites its own URL meanwhile", async ({
  page,
  workspace,
}) => {
  const bytes = await pdfOf([["Its first page"], ["Its second page"]]);
  const document = inJson({ fileName: "scrolled.pdf", contentType: "application/pdf", bytes });
  const { id } = await workspace.contract({ title: "Scrolled", document });
  await signIn(page, workspace);
  await page.goto(`/contracts/${id}`);
  await page.getByRole("link", { name: "scrolled.pdf" }).first().click();
  const viewer = page.getByRole("region", { name: "scrolled.pdf, version 1" });
  await viewer.press("End");
  await expect(page).toHaveURL(/page=2$/);
  const isPage = (url: URL) => url.pathname === "/contracts" && url.searchParams.has("_rsc");
  const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(isPage, async (route) => {
    asked.resolve();
    await held.promise;
    await route.continue();
  });
  await page.getByRole("link", { name: "Contracts" }).first().click();
  await asked.promise;
  // As the viewer does up to half a second after the user scrolls.
  await page.evaluate(() => window.history.replaceState(null, "", "?page=1"));
  held.resolve();
  await expect(page.getByRole("heading", { name: "Contracts", level: 1 })).toBeVisible();
  // Here the page controls the address again.
  await page.getByRole("searchbox", { name: "Search contracts" }).fill("Scrolled");
  await expect(page).toHaveURL(/\/contracts\?q=Scrolled$/);
});
