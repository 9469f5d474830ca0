/** Notifications as users meet them: the bell, the inbox, the settings, links in e-mails; and responsibilities. */
import { addDays, type Day, dayOf } from "#lib/core/dates.ts";
import { database } from "#lib/core/db.ts";
import { newId } from "#lib/core/ids.ts";
import { unsubscribeToken } from "#lib/notifications/unsubscribe.ts";
import type { Workspace } from "../fixtures.ts";
import { newMember } from "../members.ts";
import { expect, expectAccessible, signIn, test } from "./fixtures.ts";

const today = dayOf(new Date());
const long = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft".repeat(2);

async function oblige(workspace: Workspace, contractId: string, title: string, fixedDate: Day, fields = {}) {
  const body = { contractId, kind: "PAYMENT", title, anchorType: "FIXED_DATE", fixedDate, ...fields };
  const made = await workspace.api("POST /obligations", { body });
  expect(made.status, made.text).toBe(201);
  return made.headers.get("location")!.split("/").at(-1)!;
}

/** Creates the notifications that the morning's digest would have written. */
async function told(workspace: Workspace, userId: string, contractId: string, ids: string[]): Promise<void> {
  const { organizationId } = workspace;
  const { prisma } = database();
  const obligations = await prisma.obligation.findMany({ where: { organizationId, id: { in: ids } } });
  await prisma.notification.createMany({
    data: obligations.map(({ id, resolvedDate }) => ({
      ...{ organizationId, userId, contractId, subjectId: id, date: resolvedDate! },
      stage: resolvedDate! < new Date(today) ? 0 : 7,
      id: newId("notification"),
      kind: resolvedDate! < new Date(today) ? "OBLIGATION_OVERDUE" : "OBLIGATION_DUE",
    })),
  });
}

test("the bell counts new notifications, which can be read, marked done and reopened in the inbox", async ({
  page,
  workspace,
}) => {
  const mel = await signIn(page, workspace);
  const { id } = await workspace.contract({ ownerId: mel.userId, title: long });
  const ids = [
    await oblige(workspace, id, `Report ${long}`, addDays(today, 5)),
    await oblige(workspace, id, "Pay", addDays(today, -5)),
  ];
  await told(workspace, mel.userId, id, ids);
  await page.goto("/home");
  const bell = page.getByRole("link", { name: "Inbox, 2 new" });
  await expect(bell).toBeVisible();
  await bell.focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/inbox$/);
  const rows = page.getByRole("main").getByRole("listitem");
  await expect(rows).toHaveCount(2);
  await expect(rows.filter({ hasText: "Pay" })).toContainText("Was due on");
  await expectAccessible(page);
  await page.setViewportSize({ width: 320, height: 740 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole("button", { name: "Done: Pay" }).focus();
  await page.keyboard.press("Enter");
  await expect(rows).toHaveCount(1);
  await expect(rows.getByRole("button", { name: /^Done: Report/ })).toBeFocused();
  await expect(page.getByRole("link", { name: "Inbox, 1 new" })).toBeVisible();
  await page.getByRole("button", { name: "Done", exact: true }).click();
  await page.getByRole("button", { name: "Reopen: Pay" }).click();
  await expect(page.getByText("Nothing done yet")).toBeVisible();
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.getByRole("button", { name: "Mark all as read" }).click();
  await expect(page.getByRole("link", { name: "Inbox", exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Mark all as done" }).click();
  await expect(page.getByText("You are up to date")).toBeVisible();
  await expectAccessible(page);
});

test("an owner can set their own notification channels and the workspace defaults", async ({
  page,
  workspace,
}) => {
  const owner = await signIn(page, workspace, "owner");
  await page.goto("/settings/notifications");
  const [mine, everyones] = [
    page.getByRole("region", { name: "For you" }),
    page.getByRole("region", { name: "For the workspace" }),
  ];
  await expect(mine.getByText("This server sends no e-mails")).toBeVisible();
  await mine.getByLabel("Escalations").selectOption({ label: "Off" });
  await expect
    .poll(async () => (await owner.call("notifications.settings")).body.channels.ESCALATION)
    .toBe("OFF");
  await mine.getByLabel("Quiet on Saturday and Sunday").check();
  await expect.poll(async () => (await owner.call("notifications.settings")).body.quietWeekends).toBe(true);
  await everyones.getByLabel("Assignments").selectOption({ label: "Inbox only" });
  await everyones.getByLabel("Notify owners and admins after").fill("x");
  await expect(everyones.getByText("must be a whole number of days")).toBeVisible();
  await everyones.getByLabel("Notify owners and admins after").fill("");
  await everyones.getByRole("button", { name: "Save" }).click();
  await expect
    .poll(async () => (await owner.call("notifications.defaults")).body)
    .toMatchObject({ channels: { ASSIGNMENT: "APP" }, ownerAfterDays: 3, adminsAfterDays: null });
  await expect(mine.getByLabel("Assignments").locator("option").first()).toHaveText("Default: inbox only");
  await expectAccessible(page);
});

test("an unsubscribe link asks for confirmation and works without signing in", async ({
  page,
  workspace,
}) => {
  const mel = await newMember(workspace, "member");
  const link = { organizationId: workspace.organizationId, userId: mel.userId, what: "digest" as const };
  await page.goto(`/unsubscribe/${unsubscribeToken(link)}`);
  await expect(
    page.getByRole("heading", { name: "Unsubscribe from e-mails about what is due?" }),
  ).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Unsubscribe" }).click();
  await expect(page.getByRole("heading", { name: "These e-mails are off" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "These e-mails are off" })).toBeVisible();
  await page.goto(`/unsubscribe/${unsubscribeToken(link)}x`);
  await expect(page.getByRole("heading", { name: "This link is not complete" })).toBeVisible();
});

test("obligations can be filtered by assignee and contract owner, and reassigned and completed in bulk", async ({
  page,
  workspace,
}) => {
  const me = await signIn(page, workspace);
  const dana = await newMember(workspace, "member", `Dana ${long}`);
  const { id: own } = await workspace.contract({ ownerId: me.userId, title: "My lease" });
  const { id: others } = await workspace.contract({ title: "Their lease" });
  await oblige(workspace, own, "Of my contract", addDays(today, 5));
  await oblige(workspace, own, "Of my contract, for Dana", addDays(today, 6), { assigneeId: dana.userId });
  await oblige(workspace, others, "Assigned to me", addDays(today, 7), { assigneeId: me.userId });
  await oblige(workspace, others, "Of no concern", addDays(today, 8));
  await page.goto("/obligations");
  const rows = page.getByRole("main").locator("tbody tr");
  await expect(rows).toHaveCount(4);
  await page.getByRole("button", { name: "Of my contracts" }).click();
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText(`Dana ${long}`);
  await page.getByRole("button", { name: "Mine", exact: true }).click();
  await expect(rows.filter({ hasText: "Assigned to me" })).toBeVisible();
  await expect(rows).toHaveCount(2);
  await page.getByLabel("Select all on this page").check();
  const bar = page.getByRole("toolbar", { name: "Selected obligations" });
  await expectAccessible(page);
  await page.setViewportSize({ width: 320, height: 740 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await page.setViewportSize({ width: 1280, height: 800 });
  await bar.getByRole("button", { name: "Reassign" }).click();
  const dialog = page.getByRole("dialog", { name: "Reassign 2 obligations" });
  await dialog.getByRole("button", { name: /Assignee/ }).click();
  await page.getByRole("option", { name: /Dana/ }).click();
  await dialog.getByRole("button", { name: "Reassign" }).click();
  await expect(page.getByText("No obligation matches these filters.")).toBeVisible();
  await page.getByRole("button", { name: "Everyone's" }).click();
  await page.getByLabel("Select Of no concern").check();
  await bar.getByRole("button", { name: "Complete" }).click();
  await page
    .getByRole("dialog", { name: "Complete 1 obligation?" })
    .getByRole("button", { name: "Complete" })
    .click();
  await expect(rows).toHaveCount(3);
  const { body } = await workspace.api(`GET /obligations?assigneeId=${dana.userId}`);
  expect(body.total).toBe(3);
});

test("removing a member asks who takes over their contracts", async ({ page, workspace }) => {
  await signIn(page, workspace, "owner");
  const [gone, next] = [
    await newMember(workspace, "member", "Gone"),
    await newMember(workspace, "member", "Next"),
  ];
  const { id } = await workspace.contract({ ownerId: gone.userId });
  await page.goto("/settings/members");
  await page.getByRole("button", { name: /change what Gone may do/ }).click();
  await page.getByRole("menuitem", { name: "Remove from the workspace" }).click();
  const dialog = page.getByRole("dialog", { name: "Remove Gone?" });
  await expect(dialog.getByText("1 contract belongs to them.")).toBeVisible();
  await dialog.getByRole("button", { name: /Who takes over/ }).click();
  await expect(page.getByRole("option", { name: /Gone/ })).toHaveCount(0);
  await page.getByRole("option", { name: /Next/ }).click();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(dialog).toBeHidden();
  expect((await workspace.api(`GET /contracts/${id}`)).body.contract.ownerId).toBe(next.userId);
});
