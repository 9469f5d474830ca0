/** Tagging, archiving and deleting in the browser. */
import { expect, expectAccessible, signIn, test } from "./fixtures.ts";

const longTag = "Donaudampfschifffahrtsgesellschaft-김민준";

test("an existing tag is added by keyboard, links to the filtered list, and is read-only for viewers", async ({
  page,
  another,
  workspace,
}) => {
  await workspace.contract({ title: "Other", tags: [longTag] });
  const { id } = await workspace.contract({ title: "Mine" });
  await signIn(page, workspace, "member");
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto(`/contracts/${id}`);
  const summary = page.getByRole("region", { name: "Summary" });
  await summary.getByRole("button", { name: "Add a tag" }).click();
  await page.getByPlaceholder("Search tag").fill("DONAU");
  await expect(page.getByRole("option", { name: longTag })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(summary.getByRole("link", { name: longTag })).toBeVisible();
  await summary.getByRole("button", { name: "Add a tag" }).click();
  await page.getByPlaceholder("Search tag").fill("Q3");
  await page.getByRole("option", { name: "Add “Q3”" }).click();
  await expect(summary.getByRole("link", { name: "Q3" })).toBeVisible();
  await summary.getByRole("button", { name: "Remove the tag Q3" }).click();
  await expect(summary.getByRole("button", { name: "Add a tag" })).toBeFocused();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(320);
  const tags = async () => (await workspace.api(`GET /contracts/${id}`)).body.contract.tags;
  await expect.poll(tags).toEqual([longTag]);
  await summary.getByRole("link", { name: longTag }).click();
  await expect(page.getByRole("row").getByRole("link")).toHaveText(["Mine", "Other"]);
  const theirs = await another();
  await signIn(theirs, workspace, "viewer");
  await theirs.goto(`/contracts/${id}`);
  await expect(theirs.getByRole("link", { name: longTag })).toBeVisible();
  await expect(theirs.getByRole("button", { name: "Add a tag" })).toHaveCount(0);
  await expect(theirs.getByRole("button", { name: "More about the contract" })).toHaveCount(0);
});

test("archiving one contract can be undone, and bulk-archived contracts are found by filter and unarchived", async ({
  page,
  workspace,
}) => {
  const { id } = await workspace.contract({ title: "First" });
  await workspace.contract({ title: "Second" });
  await signIn(page, workspace, "member");
  await page.goto(`/contracts/${id}`);
  await page.getByRole("button", { name: "More about the contract" }).click();
  await page.getByRole("menuitem", { name: "Archive", exact: true }).click();
  const banner = page.getByRole("note").filter({ hasText: "Archived on" });
  await expect(banner).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(banner).toBeHidden();
  await page.goto("/contracts");
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  const more = page.getByRole("toolbar").getByRole("button", { name: "More" });
  await more.click();
  await page.getByRole("menuitem", { name: "Add a tag" }).click();
  await page.getByPlaceholder("Search tag").fill("Sea");
  const add = page.getByRole("option", { name: "Add “Sea”" });
  await expect(add).toBeVisible();
  await expectAccessible(page);
  await add.click();
  await expect(page.getByText("2 contracts tagged “Sea”")).toBeVisible();
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await more.click();
  await page.getByRole("menuitem", { name: "Archive", exact: true }).click();
  await expect(page.getByText("2 contracts archived")).toBeVisible();
  await expect(page.getByText("All contracts are archived")).toBeVisible();
  await expectAccessible(page);
  await page.goto("/home");
  await expect(page.getByText("All contracts are archived")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Show 2 archived contracts" }).click();
  await expect(page).toHaveURL("/contracts?archived=true");
  await page.goto("/contracts");
  await page.getByRole("button", { name: "Show 2 archived contracts" }).click();
  const rows = page.getByRole("row").getByRole("link");
  await expect(rows).toHaveCount(2);
  await expect(page).toHaveURL(/archived=true/);
  await page.getByRole("button", { name: /^Archive/ }).click();
  await page.getByRole("radio", { name: "Including archived" }).check();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/archived=any/);
  await expect(rows).toHaveCount(2);
  await page.getByRole("button", { name: "Tags", exact: true }).click();
  await page.getByRole("option", { name: /^Sea/ }).click();
  await expect(page).toHaveURL(/tag=Sea/);
  await expect(rows).toHaveCount(2);
  await expectAccessible(page);
  await page.getByRole("link", { name: "First" }).click();
  await expect(banner).toBeVisible();
  await expectAccessible(page);
  await banner.getByRole("button", { name: "Unarchive" }).click();
  await expect(banner).toBeHidden();
});

test("a draft's owner can delete it once shown what else is deleted, and other members get no such option", async ({
  page,
  another,
  workspace,
}) => {
  const owner = await signIn(page, workspace, "member");
  const { id } = await workspace.contract({ title: "Never sent", ownerId: owner.userId });
  const duty = { contractId: id, kind: "PAYMENT", title: "Pay", anchorType: "EFFECTIVE_DATE" };
  await workspace.api("POST /obligations", { body: duty });
  const theirs = await another();
  await signIn(theirs, workspace, "member");
  await theirs.goto(`/contracts/${id}`);
  await theirs.getByRole("button", { name: "More about the contract" }).click();
  await expect(theirs.getByRole("menuitem", { name: "Archive" })).toBeVisible();
  await expect(theirs.getByRole("menuitem", { name: "Delete the draft" })).toHaveCount(0);
  await page.goto(`/contracts/${id}`);
  await page.getByRole("button", { name: "More about the contract" }).click();
  await page.getByRole("menuitem", { name: "Delete the draft" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete this draft?" });
  await expect(dialog.getByText("Also deleted: 1 obligation.")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Delete the draft" }).click();
  await expect(page.getByText("Draft deleted")).toBeVisible();
  await expect(page).toHaveURL(/\/contracts$/);
  expect((await workspace.api(`GET /contracts/${id}`)).status).toBe(404);
});
