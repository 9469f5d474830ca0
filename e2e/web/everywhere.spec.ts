import { database } from "#lib/core/db.ts";
import { templateIn } from "../templates.ts";
import { expect, expectAccessible, signIn, test } from "./fixtures.ts";

test("an unknown URL answers 404 with a page that links to the start", async ({ page }) => {
  const response = await page.goto("/no/such/page");
  expect(response?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Go to the start" }).click();
  await expect(page).toHaveURL("/");
});

test("when even the page frame fails to render, an error page in plain words offers to reload", async ({
  browser,
}) => {
  // The error is intended: the console of this browser is not checked.
  const context = await browser.newContext({ baseURL: process.env.BASE_URL! });
  const page = await context.newPage();
  await page.addInitScript(() => {
    if (sessionStorage.getItem("mended")) return;
    window.requestIdleCallback = () => {
      throw new Error("broken on purpose");
    };
  });
  await page.goto("/sign-in");
  await expect(page.getByRole("heading", { name: "This page could not be shown" })).toBeVisible();
  await expect(page.getByRole("alert")).toContainText("Something went wrong on our side");
  await expectAccessible(page);
  await page.evaluate(() => sessionStorage.setItem("mended", "yes"));
  await page.getByRole("button", { name: "Load the page again" }).press("Enter");
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await context.close();
});

test("“Try again” re-renders a page that the server failed to render", async ({ browser, workspace }) => {
  const { id } = await templateIn(workspace.ctx, ["Services"], { name: "Services" });
  const { template } = database().prisma;
  const where = { organizationId_id: { organizationId: workspace.organizationId, id } };
  await template.update({ where, data: { sections: "broken on purpose" } });
  // The error is intended: the console of this browser is not checked.
  const context = await browser.newContext({ baseURL: process.env.BASE_URL! });
  const page = await context.newPage();
  await signIn(page, workspace);
  await page.goto(`/templates/${id}`);
  await expect(page.getByText("This page could not be shown")).toBeVisible();
  await template.update({ where, data: { sections: [] } });
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { name: "Services" })).toBeVisible();
  await context.close();
});

test("names in Korean, Japanese, Chinese, Arabic and Hebrew are drawn with real glyphs", async ({
  page,
  workspace,
}) => {
  for (const title of ["김민준", "かな", "王小明", "محمد", "שלום"]) await workspace.contract({ title });
  await signIn(page, workspace);
  await page.goto("/contracts");
  await expect(page.getByRole("link", { name: "김민준" })).toBeVisible();
  const boxes = () =>
    page.evaluate(async () => {
      await document.fonts.ready;
      const context = document.createElement("canvas").getContext("2d")!;
      context.font = `16px ${getComputedStyle(document.body).fontFamily}`;
      const inkOf = (text: string) => {
        context.clearRect(0, 0, 300, 150);
        context.fillText(text, 2, 18);
        return context.canvas.toDataURL();
      };
      return ["김", "か", "王", "م", "ש"].filter((letter) => inkOf(letter) === inkOf("\u0378"));
    });
  await expect.poll(boxes).toEqual([]);
});

test("a page that a viewer may not use says so and names an owner to ask", async ({ page, workspace }) => {
  const contract = await workspace.contract();
  await signIn(page, workspace, "viewer");
  const pages = ["/contracts/new", `/contracts/${contract.id}/send`];
  for (const path of pages) {
    await page.goto(path);
    await expect(page).toHaveURL(path);
    await expect(page.getByRole("heading", { name: /^You cannot / })).toBeVisible();
    await expect(page.getByText("Yours is viewer.")).toBeVisible();
    await expect(page.getByText("Olive Owner")).toBeVisible();
  }
  await expectAccessible(page);
  for (const path of ["/settings/audit", "/settings/api-keys", "/settings/webhooks"]) {
    await page.goto(path);
    await expect(page.getByText("Not for your role")).toBeVisible();
    await expect(page.getByText("Olive Owner")).toBeVisible();
  }
});
