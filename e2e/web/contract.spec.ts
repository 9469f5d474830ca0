import { uploadJson } from "../documents.ts";
import { pdfOf } from "../pdf.ts";
import { sent, signerAt } from "../signing.ts";
import { expect, expectAccessible, signIn, test } from "./fixtures.ts";

test("a contract's title can be edited in place", async ({ page, workspace }) => {
  const { id } = await workspace.contract({ title: "Old name" });
  await signIn(page, workspace, "admin");
  await page.goto(`/contracts/${id}`);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Title: Old name. Edit" }).click();
  await page.getByRole("textbox", { name: "Title" }).fill("New name");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Title: New name. Edit" })).toBeVisible();
  await expect(page.getByText("Title: Old name → New name")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("button", { name: "Title: New name. Edit" })).toBeVisible();
});

test("the status menu offers allowed moves, explains the others, and a move can be undone", async ({
  page,
  workspace,
}) => {
  const { id } = await workspace.contract();
  await signIn(page, workspace);
  await page.goto(`/contracts/${id}`);
  const status = page.getByRole("button", { name: /^Status: / });
  await status.click();
  await expect(page.getByRole("menuitem", { name: /Out for signature/ })).toContainText(
    "when it is sent for signature",
  );
  await expect(page.getByRole("menuitem", { name: /^Active/ })).toHaveAttribute("aria-disabled", "true");
  await expectAccessible(page);
  await page.getByRole("menuitem", { name: "In review" }).click();
  await expect(status).toHaveAccessibleName("Status: In review. Change");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(status).toHaveAccessibleName("Status: Draft. Change");
});

test("an edit made while another is being saved is shown at once and sent after it", async ({
  page,
  workspace,
}) => {
  const { id } = await workspace.contract({ type: "NDA", ourRole: "VENDOR" });
  await signIn(page, workspace);
  await page.goto(`/contracts/${id}`);
  const asked: string[] = [];
  page.on("request", (request) => {
    const [, name = ""] = /(contracts\.(?:patch|read))\b/.exec(request.url()) ?? [];
    if (name) asked.push(name);
  });
  const held = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const answers = [...held];
  await page.route(/contracts\.patch/, async (route) => {
    await answers.shift()!.promise;
    await route.continue();
  });
  const [type, role] = [page.getByLabel("Type", { exact: true }), page.getByLabel("Our role")];
  await type.selectOption("MSA");
  await role.selectOption("CUSTOMER");
  await expect(role).toHaveValue("CUSTOMER");
  expect(asked).toEqual(["contracts.patch"]);
  const second = page.waitForRequest(/contracts\.patch/);
  held[0]!.resolve();
  await second;
  await page.evaluate(() => new Promise(requestAnimationFrame));
  // Nothing is read yet that would show the previous role.
  expect(asked).toEqual(["contracts.patch", "contracts.patch"]);
  await expect(role).toHaveValue("CUSTOMER");
  const read = page.waitForResponse(/contracts\.read/);
  held[1]!.resolve();
  await (await read).finished();
  await page.reload();
  await expect(type).toHaveValue("MSA");
  await expect(role).toHaveValue("CUSTOMER");
});

test("a contract's page offers the next step from draft to signature, and none to a viewer", async ({
  page,
  another,
  workspace,
}) => {
  const { id } = await workspace.contract({ title: "Step by step" });
  await signIn(page, workspace);
  await page.goto(`/contracts/${id}`);
  await page.getByRole("link", { name: "Add a document" }).press("Enter");
  await expect(page).toHaveURL(/#documents$/);
  const bytes = await pdfOf([["Step by step"]]);
  await uploadJson(workspace.api, id, { fileName: "steps.pdf", contentType: "application/pdf", bytes });
  await page.reload();
  await page.getByRole("button", { name: "Send for review" }).press("Enter");
  await page.getByRole("button", { name: "Approve", exact: true }).press("Enter");
  await expect(page.getByRole("button", { name: "Approve", exact: true })).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Send for signature" })).toHaveCount(2);
  const viewers = await another();
  await signIn(viewers, workspace, "viewer");
  await viewers.goto(`/contracts/${id}`);
  await expect(viewers.getByRole("heading", { name: "Step by step" })).toBeVisible();
  const main = viewers.getByRole("main");
  await expect(main.getByRole("link", { name: /Send|Add/ })).toHaveCount(0);
  await expect(main.getByRole("button")).toHaveText([""]);
  await expect(main.getByRole("button")).toHaveAccessibleName("More about version 1");
});

test("an amendment of an active contract is a new contract with the same counterparty and role", async ({
  page,
  workspace,
}) => {
  const { body } = await workspace.api("POST /counterparties", { body: { name: "Northwind" } });
  const terms = { effectiveDate: "2026-01-01", termMonths: 600, ourRole: "CUSTOMER" };
  const { id } = await workspace.contract({
    title: "Supply",
    counterpartyId: body.counterparty.id,
    ...terms,
  });
  for (const next of ["EXECUTED", "ACTIVE"])
    await workspace.api(`POST /contracts/${id}/status`, { body: { next } });
  await signIn(page, workspace);
  await page.goto(`/contracts/${id}`);
  await page.getByRole("link", { name: "Create an amendment" }).press("Enter");
  await expect(page.getByRole("heading", { name: "New amendment" })).toBeVisible();
  await expect(page.getByLabel("Title")).toHaveValue("Amendment of Supply");
  await expect(page.getByRole("button", { name: /^Counterparty/ })).toContainText("Northwind");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Create the contract" }).press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Amendment of Supply" })).toBeVisible();
  const { data } = (await workspace.api("GET /contracts?type=AMENDMENT")).body;
  expect(data).toMatchObject([
    { ourRole: "CUSTOMER", counterpartyId: body.counterparty.id, status: "DRAFT" },
  ]);
});

test("changing the term previews the new end date and due dates before it is saved", async ({
  page,
  workspace,
}) => {
  const { id } = await workspace.contract({ effectiveDate: "2030-01-01", termMonths: 12 });
  await workspace.api("POST /obligations", {
    body: {
      contractId: id,
      kind: "RENEWAL_NOTICE",
      title: "Give notice",
      anchorType: "EXPIRATION_DATE",
      offsetValue: 30,
      offsetUnit: "DAY",
      offsetDirection: "BEFORE",
    },
  });
  await signIn(page, workspace);
  await page.goto(`/contracts/${id}`);
  await page.getByRole("button", { name: "Change dates" }).click();
  const dialog = page.getByRole("dialog", { name: "Dates and term" });
  await dialog.getByLabel("Term in months", { exact: true }).fill("24");
  await expect(dialog.getByText("31 Dec 2031")).toBeVisible();
  await expect(dialog.getByRole("listitem").filter({ hasText: "Give notice" })).toContainText("1 Dec 2031");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save the dates" }).click();
  await expect(page.getByText("24 months", { exact: true })).toBeVisible();
  await expect(page.getByRole("region", { name: "Obligations" })).toContainText("1 Dec 2031");
});

test("an obligation can be added and completed, and completing it can be undone", async ({
  page,
  workspace,
}) => {
  const { id } = await workspace.contract({ effectiveDate: "2030-01-01", termMonths: 12 });
  await signIn(page, workspace);
  await page.goto(`/contracts/${id}`);
  const part = page.getByRole("region", { name: "Obligations" });
  await part.getByRole("button", { name: "Add" }).click();
  await page.getByLabel("What has to be done").fill("Give notice");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Add the obligation" }).click();
  await expect(part.getByText("1 Dec 2030", { exact: true })).toBeVisible();
  await part.getByRole("button", { name: "Complete: Give notice" }).click();
  await expect(part.getByText("Completed", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(part.getByText("Upcoming", { exact: true })).toBeVisible();
});

test("a viewer sees contracts without buttons, checkboxes or a link to create one", async ({
  page,
  workspace,
}) => {
  const { id } = await workspace.contract({ title: "To look at" });
  await signIn(page, workspace, "viewer");
  await page.goto(`/contracts/${id}`);
  await expect(page.getByRole("heading", { name: "To look at" })).toBeVisible();
  await expect(page.getByRole("main").getByRole("button")).toHaveCount(0);
  await page.goto("/contracts");
  await expect(page.getByRole("link", { name: "To look at" })).toBeVisible();
  await expect(page.getByRole("link", { name: "New contract" })).toHaveCount(0);
  await expect(page.getByRole("main").getByRole("checkbox")).toHaveCount(0);
});

test("a contract of another workspace is not found", async ({ page, workspace, other }) => {
  const { id } = await other.contract({ title: "Secret" });
  await signIn(page, workspace);
  await page.goto(`/contracts/${id}`);
  await expect(page.getByText("Not found")).toBeVisible();
});

test("changing the term leaves the time of execution unchanged and out of the audit log", async ({
  page,
  workspace,
}) => {
  const executedAt = "2026-03-04T15:16:17.000Z";
  const { id } = await workspace.contract({ effectiveDate: "2026-01-01", termMonths: 12, executedAt });
  await signIn(page, workspace);
  await page.goto(`/contracts/${id}`);
  await page.getByRole("button", { name: "Change dates" }).click();
  const dialog = page.getByRole("dialog", { name: "Dates and term" });
  await expect(dialog.getByLabel("Executed on")).toHaveValue("2026-03-04");
  await dialog.getByLabel("Term in months", { exact: true }).fill("24");
  await dialog.getByRole("button", { name: "Save the dates" }).click();
  await expect(page.getByText("24 months", { exact: true })).toBeVisible();
  const { contract } = (await workspace.api(`GET /contracts/${id}`)).body;
  expect(contract).toMatchObject({ executedAt, termMonths: 24 });
  const { body } = await workspace.api(`GET /audit-events?contractId=${id}&action=CONTRACT_ANCHORS_CHANGED`);
  expect(body.data.map((event: { payload: { changes: object } }) => event.payload.changes)).toEqual([
    { termMonths: { from: 12, to: 24 } },
  ]);
  // Changing the day changes the moment.
  await page.getByRole("button", { name: "Change dates" }).click();
  await dialog.getByLabel("Executed on").fill("2026-03-05");
  await dialog.getByRole("button", { name: "Save the dates" }).click();
  await expect(page.getByText("5 Mar 2026").first()).toBeVisible();
  const moved = (await workspace.api(`GET /contracts/${id}`)).body.contract;
  expect(moved.executedAt).toBe("2026-03-05T00:00:00.000Z");
});

test("a viewer can read a contract's activity back to its creation, with signers by name", async ({
  page,
  workspace,
}) => {
  const envelope = await sent(workspace, [
    { name: "Ελένη Παπαδοπούλου-Wolfeschlegelsteinhausenbergerdorff" },
  ]);
  const id = envelope.contractId;
  await (await signerAt(workspace, envelope)).state();
  await (await signerAt(workspace, envelope)).agree();
  for (let change = 1; change <= 25; change++) {
    await workspace.api(`PATCH /contracts/${id}`, { body: { title: `Title ${change}` } });
  }
  await signIn(page, workspace, "viewer");
  await page.goto(`/contracts/${id}`);
  const activity = page.getByRole("region", { name: "Activity" });
  await expect(activity.getByRole("listitem").filter({ hasText: "updated the contract" })).toHaveCount(20);
  await expect(activity.getByText("created the contract")).toHaveCount(0);
  await activity.getByRole("button", { name: "Show older" }).click();
  await expect(activity.getByText("created the contract")).toBeVisible();
  await expect(activity.getByRole("button", { name: "Show older" })).toHaveCount(0);
  await expect(
    activity.getByText("Ελένη Παπαδοπούλου-Wolfeschlegelsteinhausenbergerdorff").first(),
  ).toBeVisible();
  await expect(activity).toContainText("opened the document to sign it");
  await expect(activity).toContainText("Title: Title 24 → Title 25");
  await expectAccessible(page);
});

test("marking a contract as executed asks for confirmation, in the status menu and in the command palette", async ({
  page,
  workspace,
}) => {
  const { id } = await workspace.contract({ title: "Signed on paper" });
  await signIn(page, workspace);
  await page.goto(`/contracts/${id}`);
  await page.getByRole("button", { name: "Status: Draft. Change" }).press("Enter");
  await page.getByRole("menuitem", { name: "Executed", exact: true }).press("Enter");
  const question = page.getByRole("dialog", { name: "Mark this contract as executed?" });
  await expectAccessible(page);
  await question.getByRole("button", { name: "Keep it" }).press("Enter");
  await expect(page.getByRole("button", { name: "Status: Draft. Change" })).toBeFocused();
  await page.keyboard.press("Control+k");
  await page.getByPlaceholder(/Find a contract/).fill("move to executed");
  await page.getByRole("option", { name: "Move to executed" }).click();
  await question.getByLabel("Reason").fill("Both signed on paper");
  expect((await workspace.api(`GET /contracts/${id}`)).body.contract.status).toBe("DRAFT");
  await question.getByRole("button", { name: "Mark as executed" }).press("Enter");
  await expect(page.getByRole("button", { name: "Status: Executed. Change" })).toBeVisible();
  // The palette that asked is closed: the focus returns to the page.
  await expect(page.getByRole("main")).toBeFocused();
});
