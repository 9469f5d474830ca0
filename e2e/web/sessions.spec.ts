/** Sessions that end, lost connections and double clicks: what was typed is sent once or not at all. */
import type { Page } from "@playwright/test";
import { database } from "#lib/core/db.ts";
import { memberPassword } from "../accounts.ts";
import { uploadJson } from "../documents.ts";
import type { Workspace } from "../fixtures.ts";
import { type Browser, type Member, newMember, openBrowser } from "../members.ts";
import { pdfOf } from "../pdf.ts";
import { sent } from "../signing.ts";
import { expect, expectAccessible, setOffline, signIn, test } from "./fixtures.ts";

const title = "Rahmenvertrag-über-die-Lieferung-von-Übertragungsleitungsmasten-mit-Παπαδοπούλου";

async function endSessions({ userId }: Member): Promise<void> {
  await database().prisma.session.updateMany({ where: { userId }, data: { revokedAt: new Date() } });
}

/** Fills in the form for a new contract. */
async function fillIn(page: Page): Promise<void> {
  await page.goto("/contracts/new");
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("Type").selectOption("MSA");
  await page.getByLabel("Renews automatically").check();
}

/** Ends the session when this operation is requested: other requests of the page must not be refused first. */
const endOn = (page: Page, operation: string, end: () => Promise<unknown>) =>
  page.route(
    `**/api/member/${operation}`,
    async (route) => {
      await end();
      await route.continue();
    },
    { times: 1 },
  );

const create = (page: Page) => page.getByRole("button", { name: "Create the contract" });
const signInAgain = (page: Page) => page.getByRole("dialog", { name: "Sign in again" });

async function titlesIn(workspace: Workspace): Promise<string[]> {
  const { data } = (await workspace.api("GET /contracts")).body;
  return data.map((contract: { title: string }) => contract.title);
}

test("an expired session asks for the password over the page and then sends what was typed", async ({
  page,
  workspace,
}) => {
  const member = await signIn(page, workspace);
  await fillIn(page);
  await endOn(page, "contracts.create", () => endSessions(member));
  await create(page).click();
  const dialog = signInAgain(page);
  await expect(dialog.getByLabel("E-mail address")).toHaveValue(member.email);
  await expectAccessible(page);
  await dialog.getByLabel("Password", { exact: true }).fill("wrong");
  await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(dialog.getByText("The e-mail address or the password is wrong.")).toBeVisible();
  await dialog.getByLabel("Password", { exact: true }).fill(memberPassword);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/contracts\/ctr_/);
  expect(await titlesIn(workspace)).toEqual([title]);
});

test("input in a dialog is sent after signing in again", async ({ page, workspace }) => {
  const { id } = await workspace.contract({ effectiveDate: "2030-01-01", termMonths: 12 });
  const member = await signIn(page, workspace);
  await page.goto(`/contracts/${id}`);
  await page.getByRole("region", { name: "Obligations" }).getByRole("button", { name: "Add" }).click();
  await page.getByLabel("What has to be done").fill(title);
  await endOn(page, "obligations.create", () => endSessions(member));
  await page.getByRole("button", { name: "Add the obligation" }).click();
  await signInAgain(page).getByLabel("Password", { exact: true }).fill(memberPassword);
  await signInAgain(page).getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Obligations" })).toContainText(title);
});

test("a PDF requested after the session ended is downloaded after signing in again", async ({
  page,
  workspace,
}) => {
  const member = await signIn(page, workspace);
  const { id } = await sent(workspace, [{ name: "Wolfeschlegelsteinhausenbergerdorff Παπαδοπούλου" }]);
  await page.goto(`/signatures/${id}`);
  await endOn(page, "signatures.pdf", () => endSessions(member));
  await page.getByRole("button", { name: "Download the unsigned PDF" }).press("Enter");
  await signInAgain(page).getByLabel("Password", { exact: true }).fill(memberPassword);
  const download = page.waitForEvent("download");
  await page.keyboard.press("Enter");
  expect((await download).suggestedFilename()).toMatch(/\.pdf$/);
});

test("cancelling the sign-in after a session ends sends nothing and keeps the input", async ({
  page,
  workspace,
}) => {
  const member = await signIn(page, workspace);
  await fillIn(page);
  await endOn(page, "contracts.create", () => endSessions(member));
  await create(page).click();
  await signInAgain(page).getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "this was not sent" })).toBeVisible();
  await expect(page.getByLabel("Title")).toHaveValue(title);
  expect(await titlesIn(workspace)).toEqual([]);
});

/** As if they had signed in from another tab of this browser. */
async function takeOver(page: Page, { cookies }: Browser): Promise<void> {
  const url = process.env.BASE_URL!;
  await page
    .context()
    .addCookies([...cookies].map(([name, value]) => ({ name, value, url, httpOnly: true })));
}

test("a form is not sent once another user has signed in to the same browser", async ({
  page,
  workspace,
}) => {
  await signIn(page, workspace);
  await fillIn(page);
  const someone = await newMember(workspace, "member", "Someone Else");
  const theirs = openBrowser();
  await theirs.signIn(someone.email, someone.password);
  await takeOver(page, theirs);
  await create(page).click();
  const dialog = page.getByRole("dialog", { name: "This page belongs to another session" });
  await expect(dialog).toContainText("What was typed here was not sent.");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Stay on this page" }).click();
  await expect(page.getByLabel("Title")).toHaveValue(title);
  await create(page).click();
  await dialog.getByRole("button", { name: "Go to Home" }).click();
  await expect(page).toHaveURL(/\/home$/);
  expect(await titlesIn(workspace)).toEqual([]);
});

test("a form opened in one workspace is not sent after the session switches to another", async ({
  page,
  workspace,
  other,
}) => {
  const member = await signIn(page, workspace);
  await database().prisma.member.create({
    data: {
      organizationId: other.organizationId,
      id: `mem_${member.userId.slice(4)}`,
      userId: member.userId,
      role: "member",
    },
  });
  await fillIn(page);
  await endOn(page, "contracts.create", () =>
    database().prisma.session.updateMany({
      where: { userId: member.userId },
      data: { organizationId: other.organizationId },
    }),
  );
  await create(page).click();
  await expect(page.getByRole("dialog", { name: "This page belongs to another session" })).toBeVisible();
  expect([await titlesIn(workspace), await titlesIn(other)]).toEqual([[], []]);
});

interface AuditEvent {
  payload: { changes: Record<string, { to: unknown }> };
}

test("changes made offline are announced, kept, and sent once and in order on reconnecting", async ({
  page,
  workspace,
}) => {
  const { id } = await workspace.contract({ title: "Before" });
  await signIn(page, workspace);
  await page.goto(`/contracts/${id}`);
  await page.getByRole("button", { name: "Add", exact: true }).hover();
  await setOffline(page, true);
  const notice = page.getByText("The connection is lost.");
  await expect(notice).toBeVisible();
  await page.getByRole("button", { name: "Title: Before. Edit" }).click();
  await page.getByRole("textbox", { name: "Title" }).fill(title);
  await page.keyboard.press("Enter");
  for (const type of ["MSA", "DPA", "LEASE"]) await page.getByLabel("Type").selectOption(type);
  await expect(page.getByText("4 changes are kept on this page")).toBeVisible();
  await expect(page.getByRole("button", { name: `Title: ${title}. Edit` })).toBeVisible();
  await setOffline(page, false);
  await expect(notice).toBeHidden();
  await expect
    .poll(async () => (await workspace.api(`GET /contracts/${id}`)).body.contract)
    .toMatchObject({ title, type: "LEASE" });
  const { data } = (await workspace.api(`GET /audit-events?contractId=${id}&action=CONTRACT_UPDATED`)).body;
  const types = data.flatMap(({ payload }: AuditEvent) => payload.changes.type?.to ?? []);
  expect(types.reverse(), "in the order in which they were made").toEqual(["MSA", "DPA", "LEASE"]);
  await page.reload();
  await expect(page.getByRole("button", { name: `Title: ${title}. Edit` })).toBeVisible();
});

test("a form submitted offline can be discarded, and creates one contract on reconnecting", async ({
  page,
  workspace,
}) => {
  await signIn(page, workspace);
  await fillIn(page);
  await setOffline(page, true);
  await create(page).click();
  await expect(page.getByText("1 change is kept on this page")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "The connection was lost" })).toBeVisible();
  await create(page).click();
  await expect(page.getByText("1 change is kept on this page")).toBeVisible();
  await setOffline(page, false);
  await expect(page).toHaveURL(/\/contracts\/ctr_/);
  expect(await titlesIn(workspace)).toEqual([title]);
});

test("a lost response is retried and the contract is created once", async ({ page, workspace }) => {
  await signIn(page, workspace);
  await fillIn(page);
  let lost = 0;
  await setOffline(page, false);
  await page.route("**/api/member/contracts.create", async (route) => {
    if (lost > 0) return route.continue();
    lost++;
    await route.fetch();
    await route.abort("connectionreset");
  });
  await create(page).click();
  await expect(page).toHaveURL(/\/contracts\/ctr_/);
  expect(lost).toBe(1);
  expect(await titlesIn(workspace)).toEqual([title]);
});

/** Two clicks as from a shaking hand, whatever the page does in between. */
async function clickTwice(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).evaluate(async (button: HTMLElement) => {
    button.click();
    await new Promise((done) => setTimeout(done, 30));
    button.click();
  });
}

test("a double click creates one contract", async ({ page, workspace }) => {
  await signIn(page, workspace);
  await fillIn(page);
  await clickTwice(page, "Create the contract");
  await expect(page).toHaveURL(/\/contracts\/ctr_/);
  expect(await titlesIn(workspace)).toEqual([title]);
});

test("a double click adds one counterparty", async ({ page, workspace }) => {
  await signIn(page, workspace);
  await page.goto("/counterparties");
  await page.getByRole("button", { name: "New counterparty" }).first().click();
  await page.getByLabel("Name").fill("Northwind");
  await clickTwice(page, "Add the counterparty");
  await expect(page.getByRole("heading", { name: "Northwind" })).toBeVisible();
  expect((await workspace.api("GET /counterparties")).body.data).toHaveLength(1);
});

test("a double click adds one obligation", async ({ page, workspace }) => {
  const { id } = await workspace.contract({ effectiveDate: "2030-01-01", termMonths: 12 });
  await signIn(page, workspace);
  await page.goto(`/contracts/${id}`);
  await page.getByRole("region", { name: "Obligations" }).getByRole("button", { name: "Add" }).click();
  await page.getByLabel("What has to be done").fill("Give notice");
  await clickTwice(page, "Add the obligation");
  await expect(page.getByRole("dialog")).toBeHidden();
  expect((await workspace.api(`GET /contracts/${id}/obligations`)).body.data).toHaveLength(1);
});

test("a double click starts one signature request", async ({ page, workspace }) => {
  const { id } = await workspace.contract();
  const bytes = await pdfOf([["To be signed"]]);
  await uploadJson(workspace.api, id, { fileName: "a.pdf", contentType: "application/pdf", bytes });
  await signIn(page, workspace);
  await page.goto(`/contracts/${id}/send`);
  await expect(page.getByRole("radio", { name: /a\.pdf/ })).toBeChecked();
  await clickTwice(page, "Next: signers");
  await expect(page).toHaveURL(/step=signers/);
  expect((await workspace.api(`GET /contracts/${id}/signatures`)).body.total).toBe(1);
});
