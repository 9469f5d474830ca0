import { expect, expectAccessible, signIn, test } from "./fixtures.ts";

test("the contract list can be searched, sorted and filtered, and its URL restores it", async ({
  page,
  workspace,
}) => {
  await Promise.all(
    ["Alpha supply", "Beta lease", "Gamma supply"].map((title, index) =>
      workspace.contract({
        title,
        type: index === 1 ? "LEASE" : "MSA",
        valueCents: 100 * (index + 1),
        valueCurrency: "EUR",
      }),
    ),
  );
  await signIn(page, workspace);
  await page.goto("/contracts");
  const rows = page.getByRole("row").getByRole("link");
  await expect(rows).toHaveCount(3);
  await expectAccessible(page);
  await page.getByRole("searchbox", { name: "Search contracts" }).fill("supply");
  await expect(rows).toHaveCount(2);
  await page.getByRole("button", { name: "Contract", exact: true }).click();
  await expect(rows.first()).toHaveText("Alpha supply");
  await expect(page).toHaveURL(/q=supply&sort=title&dir=asc/);
  await page.reload();
  await expect(rows).toHaveText(["Alpha supply", "Gamma supply"]);
  await page.getByRole("button", { name: "Clear all" }).click();
  await page.getByRole("button", { name: "Type" }).click();
  await page.getByRole("checkbox", { name: "Lease", exact: true }).check();
  await expect(rows).toHaveText(["Beta lease"]);
  await page.getByRole("checkbox", { name: "Lease", exact: true }).uncheck();
  await page.getByRole("checkbox", { name: "NDA", exact: true }).check();
  await expect(page.getByText("No results")).toBeVisible();
  await page.keyboard.press("Escape");
  await expectAccessible(page);
});

test("typing in the search re-renders no row until the response arrives", async ({ page, workspace }) => {
  for (const title of ["Granite lease", "Harbour lease", "契約書", "عقد إيجار", "L".repeat(120)]) {
    await workspace.contract({ title });
  }
  await signIn(page, workspace);
  // Every rendered row formats the time of its last activity.
  await page.addInitScript(() => {
    window.momentsWritten = 0;
    const { prototype } = Intl.DateTimeFormat;
    const own = Object.getOwnPropertyDescriptor(prototype, "format")!;
    Object.defineProperty(prototype, "format", {
      ...own,
      get() {
        window.momentsWritten++;
        return own.get!.call(this);
      },
    });
  });
  await page.goto("/contracts");
  await expect(page.getByRole("row")).toHaveCount(1 + 5);
  await page.waitForLoadState("networkidle");
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/api/member/contracts.list", async (route) => {
    await held;
    await route.continue();
  });
  const before = await page.evaluate(() => window.momentsWritten);
  expect(before).toBeGreaterThanOrEqual(5);
  await page.getByLabel("Search contracts").pressSequentially("lease");
  await expect(page).toHaveURL(/q=lease$/);
  expect(await page.evaluate(() => window.momentsWritten)).toBe(before);
  release();
  await expect(page.getByRole("row")).toHaveCount(1 + 2);
});

test("the contract list fades while loading only after at least 150 ms", async ({ page, workspace }) => {
  for (const title of ["Granite lease", "契約書"]) await workspace.contract({ title });
  await signIn(page, workspace);
  await page.goto("/contracts");
  const table = page.getByRole("region", { name: "Contracts" }).getByRole("table");
  await expect(table.getByRole("row")).toHaveCount(1 + 2);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/api/member/contracts.list", async (route) => {
    await held;
    await route.continue();
  });
  const fadedAfterMs = await table.evaluateHandle((element) => {
    const { promise, resolve } = Promise.withResolvers<number>();
    document.addEventListener(
      "input",
      ({ timeStamp }) => {
        const look = () => element.className.includes("opacity-60") && resolve(performance.now() - timeStamp);
        new MutationObserver(look).observe(element, { attributes: true });
      },
      { capture: true, once: true },
    );
    return { after: promise };
  });
  await page.getByLabel("Search contracts").fill("granite");
  expect(await fadedAfterMs.evaluate(({ after }) => after)).toBeGreaterThanOrEqual(150);
  release();
  await expect(table.getByRole("row")).toHaveCount(1 + 1);
  await expect(table).not.toHaveClass(/opacity-60/);
});

test("the contract list pages forward and back, and a page past the end shows the last one", async ({
  page,
  workspace,
}) => {
  await Promise.all(
    Array.from({ length: 52 }, (_, index) => workspace.contract({ title: `Number ${index}` })),
  );
  await signIn(page, workspace, "viewer");
  await page.goto("/contracts?sort=createdAt&dir=asc");
  await expect(page.getByText("1–50 of 52 contracts")).toBeVisible();
  await page.getByRole("button", { name: "Next page" }).click();
  await expect(page.getByText("51–52 of 52 contracts")).toBeVisible();
  await expect(page).toHaveURL(/page=2/);
  await page.goBack();
  await expect(page.getByText("1–50 of 52 contracts")).toBeVisible();
  await page.goto("/contracts?sort=createdAt&dir=asc&page=9");
  await expect(page.getByText("51–52 of 52 contracts"), "past the end, the last one is shown").toBeVisible();
  await expect(page).toHaveURL(/page=2/);
});

test("a bulk status change moves the contracts that allow it and leaves the others unchanged", async ({
  page,
  workspace,
}) => {
  const [, moved] = [
    await workspace.contract({ title: "Stays" }),
    await workspace.contract({ title: "Goes" }),
  ];
  await workspace.api(`POST /contracts/${moved.id}/status`, { body: { next: "CANCELLED" } });
  await signIn(page, workspace);
  await page.goto("/contracts");
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await page.getByRole("button", { name: "Change status" }).click();
  await page.getByRole("menuitem", { name: "Approved 1 of 2 can" }).click();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Move to approved" }).click();
  await expect(page.getByText("1 contract moved to approved")).toBeVisible();
  await expect(page.getByRole("row", { name: /Stays/ })).toContainText("Approved");
  await expect(page.getByRole("row", { name: /Goes/ })).toContainText("Cancelled");
});

test("filters can be saved under a name, removed and restored, and the list exported as CSV", async ({
  page,
  workspace,
}) => {
  await workspace.contract({ title: "=SUM(A1)" });
  await signIn(page, workspace, "admin");
  await page.goto("/contracts?status=DRAFT");
  await page.getByRole("button", { name: "Saved" }).click();
  await page.getByLabel("Save these filters as").fill("Drafts");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("button", { name: "Drafts", exact: true })).toBeVisible();
  await page.goto("/contracts");
  await page.getByRole("button", { name: "Saved" }).click();
  await page.getByRole("button", { name: "Drafts", exact: true }).click();
  await expect(page).toHaveURL(/status=DRAFT/);
  await page.getByRole("button", { name: "Saved" }).click();
  const kept = page.getByRole("button", { name: "Drafts", exact: true });
  await page.getByRole("button", { name: "Remove Drafts" }).click();
  await expect(kept).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.reload();
  await page.getByRole("button", { name: "Saved" }).click();
  await expect(kept).toBeVisible();
  await page.keyboard.press("Escape");
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export CSV" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("contracts.csv");
});

test("the new-contract form names every invalid field, and creates the contract once they are corrected", async ({
  page,
  workspace,
}) => {
  await signIn(page, workspace);
  await page.goto("/contracts");
  await page.getByRole("link", { name: "New contract" }).first().click();
  await page.getByLabel("Value").fill("a lot");
  await page.getByRole("button", { name: "Create the contract" }).click();
  await expect(page.getByText("must not be empty")).toBeVisible();
  await expect(page.getByText("must be an amount such as 12,500.00")).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Title").fill("Licence with Northwind");
  await expect(page.getByText("must be chosen")).toBeVisible();
  await page.getByLabel("Type").selectOption("LICENSE");
  await page.getByLabel("Value").fill("12,500.50");
  await page.getByLabel("Effective date").fill("2026-01-01");
  await page.getByLabel("Term in months").fill("12");
  await expect(page.getByText("The last day is 31 Dec 2026")).toBeVisible();
  await page.getByRole("button", { name: /^Counterparty/ }).click();
  await page.getByPlaceholder("Search counterparty").fill("Northwind");
  await page.getByRole("option", { name: "Add “Northwind”" }).click();
  await expect(page.getByRole("button", { name: /^Counterparty/ })).toContainText("Northwind");
  await page.getByRole("button", { name: "Create the contract" }).click();
  await expect(page.getByRole("heading", { name: /Licence with Northwind/ })).toBeVisible();
  await expect(page.getByText("$12,500.50")).toBeVisible();
  await expect(page.getByRole("link", { name: "Open the counterparty" })).toBeVisible();
});

declare global {
  interface Window {
    momentsWritten: number;
  }
}
