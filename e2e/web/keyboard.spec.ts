import { expect, expectAccessible, signIn, test } from "./fixtures.ts";

test("the contract list, a contract and its status menu work by keyboard", async ({ page, workspace }) => {
  await workspace.contract({ title: "First" });
  await workspace.contract({ title: "Second" });
  await signIn(page, workspace);
  await page.goto("/home");
  await expect(page.getByRole("heading", { name: /Welcome/ })).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  // The second key has to follow soon after the first.
  await Promise.all([page.keyboard.press("g"), page.keyboard.press("c")]);
  await expect(page.getByRole("heading", { name: "Contracts", exact: true })).toBeVisible();
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox", { name: "Search contracts" })).toBeFocused();
  const row = page.getByRole("link", { name: "Second" });
  for (
    let presses = 0;
    presses < 40 && !(await row.evaluate((link) => link === document.activeElement));
    presses += 1
  ) {
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("link", { name: "First" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: /First/ })).toBeVisible();
  const status = page.getByRole("button", { name: /^Status: Draft/ });
  await status.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menu")).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: /^Status: (?!Draft)/ })).toBeVisible();
});

test("Ctrl-K finds a contract by name and opens it", async ({ page, workspace }) => {
  await workspace.contract({ title: "Warehouse lease" });
  await signIn(page, workspace);
  await page.goto("/home");
  await expect(page.getByRole("heading", { name: /Welcome/ })).toBeVisible();
  await page.keyboard.press("Control+k");
  await page.getByPlaceholder(/Find a contract/).fill("wareh");
  await expect(page.getByRole("option", { name: /Warehouse lease/ })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: /Warehouse lease/ })).toBeVisible();
});

test("pressing ? opens the keyboard shortcuts dialog", async ({ page, workspace }) => {
  await signIn(page, workspace, "viewer");
  await page.goto("/home");
  await expect(page.getByRole("heading", { name: /Welcome/ })).toBeVisible();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await expectAccessible(page);
});

test("single-key shortcuts can be turned off and on, and the browser remembers the choice", async ({
  page,
  workspace,
}) => {
  await signIn(page, workspace);
  const isHome = () => expect(page.getByRole("heading", { name: /Welcome/ })).toBeVisible();
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  const single = help.getByRole("switch", { name: "Single-key shortcuts" });
  await page.goto("/home");
  await isHome();
  await page.keyboard.press("?");
  await single.uncheck();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.reload();
  await isHome();
  // The palette has opened, so the page listens to keys.
  const palette = page.getByRole("combobox");
  await page.keyboard.press("Control+k");
  await palette.fill("nothing");
  await page.keyboard.press("Escape");
  await expect(palette).toBeHidden();
  for (const key of ["g", "c", "?"]) await page.keyboard.press(key);
  // Anything that those keys opened would be visible by the time this is.
  await page.keyboard.press("Control+k");
  await palette.fill("keyboard");
  await expect(help).toBeHidden();
  await page.keyboard.press("Enter");
  await expect(single).not.toBeChecked();
  await expect(page).toHaveURL(/\/home$/);
  await single.check();
  await page.keyboard.press("Escape");
  await page.keyboard.press("g");
  await page.keyboard.press("c");
  await expect(page).toHaveURL(/\/contracts$/);
});

test("completing an obligation or removing a saved filter by keyboard moves focus to the next row", async ({
  page,
  workspace,
}) => {
  const { id: contractId } = await workspace.contract();
  const titles = ["Ετήσια έκθεση", "Jahresbericht", "연간 보고서"];
  for (const [index, title] of titles.entries()) {
    const due = { kind: "REPORTING", anchorType: "FIXED_DATE", fixedDate: `2020-01-0${index + 1}` };
    await workspace.api("POST /obligations", { body: { contractId, title, ...due } });
  }
  const { call } = await signIn(page, workspace);
  await page.goto("/obligations");
  const complete = (title: string) => page.getByRole("button", { name: `Complete: ${title}` });
  await complete(titles[0]!).press("Enter");
  await expect(complete(titles[0]!)).toHaveCount(0);
  await expect(complete(titles[1]!)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(complete(titles[2]!)).toBeFocused();

  for (const name of titles)
    await call("savedFilters.save", { list: "contracts", name, query: "status=DRAFT" });
  await page.goto("/contracts?status=DRAFT");
  await page.getByRole("button", { name: "Saved" }).press("Enter");
  const filters = page.getByRole("dialog", { name: "Saved filters" });
  const filter = filters.getByRole("listitem");
  await expect(filter).toHaveCount(3);
  await filter.first().getByRole("button").last().press("Enter");
  await expect(filter).toHaveCount(2);
  await expect(filter.first().getByRole("button").first()).toBeFocused();
  for (const left of [1, 0]) {
    await filter.last().getByRole("button").last().press("Enter");
    await expect(filter).toHaveCount(left);
  }
  await expect(filters.getByLabel("Save these filters as")).toBeFocused();
});
