/** Two browsers review a contract: comment, send it back, add a new version, approve it, and get it ready to send. */
import type { Page } from "@playwright/test";
import { colleague } from "../approvals.ts";
import { inJson } from "../documents.ts";
import { pdfOf } from "../pdf.ts";
import { expect, expectAccessible, signIn, test } from "./fixtures.ts";

const title = "Wolfeschlegelsteinhausenbergerdorff-Παπαδοπούλου-김민준 master agreement";
const slowly = { timeout: 30_000 };

/** Uses only the keyboard. */
async function delegate(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Delegate", exact: true }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Delegate your approval?" });
  await dialog.getByRole("button", { name: "Delegate", exact: true }).press("Enter");
  await expect(dialog.getByText("Choose who approves in your place.")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: /^To/ }).press("Enter");
  await page.keyboard.type(name);
  await expect(page.getByRole("option", { name })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("button", { name: /^To/ })).toContainText(name);
  await dialog.getByRole("button", { name: "Delegate", exact: true }).press("Enter");
  await expect(dialog).toBeHidden();
}

test("an approval can be withdrawn, delegated or sent back, and a new version needs a new approval", async ({
  page,
  workspace,
  another,
}) => {
  const documentOf = async (words: string) => ({
    fileName: "msa.pdf",
    contentType: "application/pdf",
    bytes: await pdfOf([[words]]),
  });
  const { id } = await workspace.contract({
    title,
    document: inJson(await documentOf("The cap is two percent.")),
  });
  // An admin adds the rule with the keyboard.
  const admin = await another();
  await signIn(admin, workspace, "admin");
  await admin.goto("/settings/approvals");
  await admin.getByRole("button", { name: "Add a rule" }).first().press("Enter");
  const dialog = admin.getByRole("dialog", { name: "Add a rule" });
  await expect(dialog.getByLabel("Name")).toBeFocused();
  await admin.keyboard.press("Enter");
  await expect(dialog.getByText("Enter a name.")).toBeVisible();
  await dialog.getByLabel("Name").pressSequentially("Every contract");
  await expectAccessible(admin);
  await dialog.getByLabel("Name").press("Enter");
  await expect(admin.getByRole("heading", { name: "Every contract" })).toBeVisible();
  await expect(admin.getByText("Any admin")).toBeVisible();

  await signIn(page, workspace, "member");
  await page.goto(`/contracts/${id}`);
  const approval = page.getByRole("region", { name: "Approval" });
  await approval.getByRole("button", { name: "Request approval" }).press("Enter");
  await expect(approval.getByText("Waiting for Mel admin")).toBeVisible();
  await expect(page.getByRole("region", { name: "Signature requests" })).toContainText(
    "needs approval first",
  );
  await approval.getByRole("button", { name: "Withdraw the request" }).press("Enter");
  await expect(approval.getByText("Mel member withdrew the request")).toBeVisible();
  await approval.getByRole("button", { name: "Request approval again" }).press("Enter");
  await expect(approval.getByText("Waiting for Mel admin")).toBeVisible();

  // The approval is delegated and delegated back.
  const asked = admin.getByRole("region", { name: "Approval" });
  await admin.goto(`/contracts/${id}`);
  await delegate(admin, "Mel member");
  await expect(asked.getByText("Waiting for Mel member")).toBeVisible();
  await page.reload();
  await expect(approval.getByText("Mel admin delegated to Mel member")).toBeVisible();
  await delegate(page, "Mel admin");
  await expect(approval.getByText("Waiting for Mel admin")).toBeVisible();
  await page.getByRole("button", { name: /^Status: In review/ }).click();
  await expect(page.getByRole("menuitem", { name: /^Approved/ })).toContainText("Needs approval first.");
  await page.keyboard.press("Escape");
  await page.getByLabel("Your comment").fill("Is two percent agreed?");
  await page.getByRole("button", { name: "Comment", exact: true }).click();

  await admin.goto("/home");
  await admin.getByRole("region", { name: "Needs you now" }).getByRole("link", { name: title }).click();
  await expect(admin.getByText("Is two percent agreed?")).toBeVisible();
  await asked.getByRole("button", { name: "Send back" }).press("Enter");
  const sending = admin.getByRole("dialog", { name: "Send this contract back?" });
  await sending.getByLabel("Reason").fill("One percent, please.");
  await expectAccessible(admin);
  await sending.getByRole("button", { name: "Send back" }).click();
  await expect(asked.getByText("One percent, please.")).toBeVisible();

  await page.reload();
  await expect(approval.getByText("One percent, please.")).toBeVisible();
  const { fileName: name, contentType: mimeType, bytes } = await documentOf("The cap is one percent.");
  await page.locator("input[type=file]").setInputFiles({ name, mimeType, buffer: Buffer.from(bytes) });
  await expect(approval.getByRole("link", { name: "Version 2" })).toBeVisible(slowly);
  await expect(approval.getByText("Waiting for Mel admin")).toBeVisible();
  // Scroll to the top: the sticky section links would otherwise cover the element that was scrolled to.
  await page.goto(`/contracts/${id}`);
  await expect(approval.getByRole("link", { name: "Version 2" })).toBeVisible();
  await expectAccessible(page);

  await admin.goto("/approvals");
  await admin.getByRole("link", { name: title }).click();
  await expect(asked.getByRole("link", { name: "Version 2" })).toBeVisible();
  await asked.getByRole("button", { name: "Approve", exact: true }).press("Enter");
  await expect(admin.getByRole("button", { name: /^Status: Approved/ })).toBeVisible();
  await admin.goto("/approvals");
  await expect(admin.getByText("Nothing waits for your approval")).toBeVisible();
  await expectAccessible(admin);

  await page.reload();
  await expect(page.getByRole("link", { name: "Send for signature" }).first()).toBeVisible();
  await expect(approval.getByText("Mel admin approved")).toBeVisible();
});

test("an approval step that needs everyone lists all who are pending, and a viewer is offered no action", async ({
  page,
  workspace,
}) => {
  const admins = await Promise.all(["Ada", "Grace"].map((name) => colleague(workspace, "admin", name)));
  const conditions = { types: [], ourRoles: [], value: null, relationshipTypes: [], deviation: null };
  const steps = [{ needs: "ALL" as const, role: null, userIds: admins.map(({ id }) => id) }];
  await admins[0]!.does("approvalRules.create", { name: "Both", conditions, steps });
  const { id } = await workspace.contract({ title });
  await admins[0]!.does("approvals.request", { id });
  await signIn(page, workspace, "viewer");
  await page.goto(`/contracts/${id}`);
  const approval = page.getByRole("region", { name: "Approval" });
  await expect(approval.getByText(/^Waiting for (Ada and Grace|Grace and Ada)$/)).toBeVisible();
  await expect(approval.getByRole("button")).toHaveCount(0);
});

test("an approval rule's value that is too large or refused by the server shows the error at its field", async ({
  page,
  workspace,
}) => {
  await signIn(page, workspace, "admin");
  await page.goto("/settings/approvals");
  await page.getByRole("button", { name: "Add a rule" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Add a rule" });
  await dialog.getByLabel("Name").fill("Large purchases");
  const from = dialog.getByLabel("Value from");
  await from.fill("99,999,999,999,999,999,999");
  await dialog.getByRole("button", { name: "Add the rule" }).click();
  await expect(dialog.getByText("Value must be at most $92,233,720,368,547,758.07.")).toBeVisible();
  await expectAccessible(page);
  const message = "The request is not valid: see conditions.value.atLeastCents";
  const issues = [{ path: "conditions.value.atLeastCents", message: "must be less" }];
  const refusal = { error: { code: "validation_error", message, details: { issues } } };
  const creates = "**/api/member/approvalRules.create";
  await page.route(creates, (route) => route.fulfill({ status: 422, json: refusal }));
  await from.fill("10,000");
  await dialog.getByRole("button", { name: "Add the rule" }).click();
  await expect(dialog.getByText("Value must be less.")).toBeVisible();
  await expect(dialog.getByText("The request is not valid")).toBeHidden();
  await page.unroute(creates);
  await dialog.getByRole("button", { name: "Add the rule" }).click();
  await expect(dialog).toBeHidden();
});
