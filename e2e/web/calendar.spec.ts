/** The obligations calendar, and the feed for people's own calendars. */
import type { Workspace } from "../fixtures.ts";
import { expect, expectAccessible, signIn, test } from "./fixtures.ts";

async function oblige({ api, contract }: Workspace, duties: [title: string, day: string][]) {
  const { id } = await contract({ title: "Supply" });
  for (const [title, fixedDate] of duties) {
    const body = { contractId: id, kind: "PAYMENT", title, anchorType: "FIXED_DATE", fixedDate };
    expect((await api("POST /obligations", { body })).status).toBe(201);
  }
}

test("the calendar shows due obligations, works by keyboard, and keeps its state in the URL", async ({
  page,
  workspace,
}) => {
  await oblige(workspace, [
    ["Pay the rent", "2031-03-03"],
    ...[1, 2, 3, 4].map((nth): [string, string] => [`Report ${nth}`, "2031-03-10"]),
    ["Next month", "2031-04-07"],
  ]);
  await signIn(page, workspace);
  await page.goto("/obligations?kind=PAYMENT");
  await page.getByRole("link", { name: "Calendar" }).click();
  await expect(page).toHaveURL(/\/obligations\/calendar\?kind=PAYMENT/);
  await page.goto("/obligations/calendar?month=2031-03");
  const grid = page.getByRole("grid", { name: "March 2031" });
  await expect(
    grid.getByRole("gridcell", { name: /3 March 2031, 1 obligation: Pay the rent \(.+; .+ · Olive Owner\)/ }),
  ).toBeVisible();
  await expect(grid.getByRole("gridcell", { name: /10 March 2031, 4 obligations/ })).toContainText("2 more");
  await expectAccessible(page);
  await grid.getByRole("gridcell", { name: /Saturday 1 March 2031/ }).focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(grid.getByRole("gridcell", { name: /10 March 2031/ })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/day=2031-03-10/);
  const sheet = page.getByRole("dialog", { name: "Monday 10 March 2031" });
  await expect(sheet.getByRole("listitem")).toHaveCount(4);
  await expectAccessible(page);
  await sheet.getByRole("button", { name: "Complete: Report 1" }).click();
  await expect(sheet.getByRole("listitem")).toHaveCount(3);
  await page.keyboard.press("Escape");
  await expect(grid.getByRole("gridcell", { name: /10 March 2031, 3 obligations/ })).toBeFocused();
  await page.keyboard.press("PageDown");
  await expect(page).toHaveURL(/month=2031-04/);
  await expect(page.getByRole("gridcell", { name: /7 April 2031, 1 obligation: Next month/ })).toBeVisible();
});

test("on a phone the calendar is shown as an agenda", async ({ page, workspace }) => {
  await oblige(workspace, [["Pay the rent", "2031-03-03"]]);
  await signIn(page, workspace, "viewer");
  await page.setViewportSize({ width: 375, height: 740 });
  await page.goto("/obligations/calendar?month=2031-03");
  await expect(page.getByRole("grid")).toBeHidden();
  await page.getByRole("region", { name: "Monday 3 March 2031" }).getByRole("button").click();
  const sheet = page.getByRole("dialog", { name: "Monday 3 March 2031" });
  await expect(sheet.getByRole("link", { name: "Pay the rent" })).toBeVisible();
  await expect(sheet.getByRole("button", { name: /Complete/ })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Next month" }).click();
  await expect(page.getByText("Nothing falls due in April 2031")).toBeVisible();
  await expectAccessible(page);
});

test("a member can create a secret calendar feed URL, choose what it contains, and revoke it", async ({
  page,
  request,
  workspace,
}) => {
  await oblige(workspace, [["Pay the rent", "2031-03-03"]]);
  await signIn(page, workspace);
  await page.goto("/obligations/calendar");
  await page.getByRole("button", { name: "Subscribe" }).click();
  await page.getByRole("button", { name: "Create the address" }).click();
  const url = await page.getByLabel("Your address").inputValue();
  await expectAccessible(page);
  expect(await (await request.get(url)).text(), "it is someone else's").not.toContain("SUMMARY:Pay the rent");
  await page.getByLabel("Everything").check();
  await expect.poll(async () => (await request.get(url)).text()).toContain("SUMMARY:Pay the rent");
  await page.mouse.click(5, 5);
  await expect(page.getByLabel("Your address"), "it is shown only once").toBeVisible();
  await page.getByRole("button", { name: "Revoke the address" }).click();
  await page.getByRole("button", { name: "Revoke", exact: true }).click();
  await expect(page.getByText("You have none yet.")).toBeVisible();
  expect((await request.get(url)).status()).toBe(404);
});

test("the calendar API accepts a range of six weeks and refuses a longer one", async ({
  workspace,
  page,
}) => {
  const { call } = await signIn(page, workspace);
  expect((await call("obligations.calendar", { from: "2031-01-01", to: "2031-02-11" })).status).toBe(200);
  expect((await call("obligations.calendar", { from: "2031-01-01", to: "2031-02-12" })).status).toBe(422);
});

test("the link to all of a day's obligations opens the list with the same filters and count", async ({
  page,
  workspace,
}) => {
  const many = Array.from({ length: 51 }, (_, nth): [string, string] => [`Pay ${nth}`, "2031-03-03"]);
  await oblige(workspace, many);
  const { id } = await workspace.contract({ title: "Licence", allowDuplicate: true });
  const notice = { kind: "AUDIT", title: "Give notice", anchorType: "FIXED_DATE", fixedDate: "2031-03-03" };
  const { status } = await workspace.api("POST /obligations", { body: { contractId: id, ...notice } });
  expect(status).toBe(201);
  await signIn(page, workspace);
  await page.goto("/obligations/calendar?month=2031-03&day=2031-03-03&kind=PAYMENT");
  await page.getByRole("link", { name: "All 51 obligations of the day" }).click();
  await expect(page).toHaveURL(/\/obligations\?.*kind=PAYMENT/);
  await expect(page.getByText(/of 51\b/).first()).toBeVisible();
  await expect(page.getByRole("link", { name: "Give notice" })).toHaveCount(0);
});
