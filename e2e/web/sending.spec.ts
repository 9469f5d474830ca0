/** The members' side of signing: from a draft's document until it is sent, and what can be done afterwards. */

import type { Page } from "@playwright/test";
import { database } from "#lib/core/db.ts";
import { PDFDocument } from "#lib/documents/pdf/pdf-lib.ts";
import { twoFaced, unfreezable } from "../corpus/two-faced.ts";
import { inJson } from "../documents.ts";
import type { Workspace } from "../fixtures.ts";
import { newMember, signedIn } from "../members.ts";
import { pdfOf } from "../pdf.ts";
import { draft, pdf, sent, signerAt, unsealed } from "../signing.ts";
import { expect, expectAccessible, signIn, test } from "./fixtures.ts";

/** Creates a contract with an uploaded PDF and a counterparty that has a contact. */
async function contractToSend(workspace: Workspace, pages = 2, bytes?: Uint8Array) {
  const { api } = workspace;
  const made = await api("POST /counterparties", { body: { name: "Northwind Traders" } });
  const counterpartyId = made.body.counterparty.id;
  const contact = { name: "Dana Reyes", email: `dana-${Date.now()}@northwind.example` };
  await api(`POST /counterparties/${counterpartyId}/contacts`, { body: contact });
  const contract = await workspace.contract({ title: "Supply agreement", counterpartyId });
  const contentBase64 = Buffer.from(bytes ?? (await pdf(pages))).toString("base64");
  const document = { fileName: "supply.pdf", contentType: "application/pdf", contentBase64 };
  const uploaded = await api(`POST /contracts/${contract.id}/versions`, { body: { document } });
  expect(uploaded.status, uploaded.text).toBe(201);
  return { contract, contact };
}

/** Creates an empty draft, and signs a member in. */
async function draftOfOnePage(page: Page, workspace: Workspace) {
  const { contract } = await contractToSend(workspace, 1);
  const member = await signIn(page, workspace);
  const { envelope } = (await member.call("signatures.createDraft", { contractId: contract.id })).body;
  return { contract, member, envelope };
}

const saved = (page: Page) => expect(page.getByText("Draft saved")).toBeVisible();
const next = (page: Page, step: string) => page.getByRole("button", { name: `Next: ${step}` }).click();

/** The field boxes on the pages. */
const boxes = (page: Page) => page.getByRole("button", { name: /% from the left/ });

test("a contract with fields placed by pointer and by keyboard is sent and becomes “Out for signature”", async ({
  page,
  workspace,
}) => {
  const { contract, contact } = await contractToSend(workspace);
  const member = await signIn(page, workspace);
  await page.goto(`/contracts/${contract.id}`);
  await page.getByRole("link", { name: "Send for signature" }).click();
  await expect(page.getByRole("group", { name: "Version to sign" }).getByText("2 pages")).toBeVisible();
  await next(page, "signers");

  await page.getByRole("button", { name: "Add a member or a contact" }).click();
  await page.getByRole("option", { name: contact.name }).click();
  await page.getByRole("button", { name: "Add a member or a contact" }).click();
  await page.getByRole("option", { name: /\(you\)/ }).click();
  await expect(page.getByRole("textbox", { name: "Name" })).toHaveCount(2);
  await page.getByRole("button", { name: `Move ${contact.name}: drag` }).press("ArrowDown");
  await expect(page.getByRole("textbox", { name: "Name" }).last()).toHaveValue(contact.name);
  await page.getByLabel("Message").fill("Please sign by Friday.");
  await saved(page);
  await next(page, "fields");

  const paper = page.getByRole("region", { name: "Page 1 of 2" });
  await expect(paper.locator("canvas")).toBeVisible();
  const palette = page.getByRole("region", { name: "Fields to place" });
  const { x, y } = (await paper.boundingBox())!;
  await palette.getByRole("button", { name: "Signature" }).hover();
  await page.mouse.down();
  await page.mouse.move(x + 100, y + 100, { steps: 4 });
  await page.mouse.move(x + 200, y + 150, { steps: 4 });
  await page.mouse.up();
  await expect(boxes(page)).toHaveCount(1);
  await palette.getByLabel("For").selectOption({ label: contact.name });
  await palette.getByRole("button", { name: "Signature" }).press("Enter");
  await expect(boxes(page)).toHaveCount(2);
  const second = page.getByRole("button", { name: new RegExp(`Signature for ${contact.name}`) });
  await expect(second).toBeFocused();
  const left = page.getByLabel("Left %");
  await left.fill("10");
  await left.press("Enter");
  await page.getByLabel("Top %").fill("70");
  await page.getByLabel("Top %").press("Enter");
  await second.focus();
  const before = (await second.boundingBox())!;
  await second.press("Shift+ArrowRight");
  await second.press("ArrowRight");
  expect((await second.boundingBox())!.x - before.x).toBeCloseTo(11, 0);
  await second.press("Control+z");
  expect((await second.boundingBox())!.x - before.x).toBeCloseTo(0, 0);
  await page.getByRole("button", { name: "Copy to all pages" }).click();
  await expect(boxes(page)).toHaveCount(3);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(boxes(page)).toHaveCount(2);
  await saved(page);
  await next(page, "review");

  await expect(page.getByText("Nothing is missing: it can be sent.")).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText("Please sign by Friday.")).toBeVisible();
  await page.getByRole("button", { name: "Send for signature" }).click();
  await page.getByRole("button", { name: "Send now" }).click();
  await expect(page.getByText("0 of 2 signed")).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: member.email }).first()).toContainText(
    "Their turn",
  );
  await page.getByRole("link", { name: "Supply agreement" }).first().click();
  await expect(page.getByRole("button", { name: /^Status: Out for signature/ })).toBeVisible();
  await expect(page.getByText("It is already out for signature.")).toBeVisible();
});

test("the counterparty's contact is suggested first among possible signers, before members", async ({
  page,
  workspace,
}) => {
  const { contract, contact } = await contractToSend(workspace);
  const member = await signIn(page, workspace);
  const colleagues = Array.from({ length: 3 }, () => signedIn(workspace, "member", process.env.BASE_URL!));
  await Promise.all(colleagues);
  const { envelope } = (await member.call("signatures.createDraft", { contractId: contract.id })).body;
  await page.goto(`/signatures/${envelope.id}/edit?step=signers`);
  await page.getByRole("button", { name: "Add a member or a contact" }).click();
  await expect(page.getByRole("option").first()).toContainText(contact.name);
  await expect(page.getByRole("option")).toHaveCount(6);
});

test("a blank covered by a field or beside one on its line gives no warning, and any other does", async ({
  page,
  workspace,
}) => {
  const document = await PDFDocument.create();
  const paper = document.addPage([600, 800]);
  for (const [index, line] of ["Name: ________________", "Place: ________", "Fee: ____________"].entries())
    paper.drawText(line, { x: 60, y: 600 - index * 100, size: 12 });
  const { contract } = await contractToSend(workspace, 1, await document.save());
  const member = await signIn(page, workspace);
  const { envelope } = (await member.call("signatures.createDraft", { contractId: contract.id })).body;
  const signers = [{ name: "Kim", email: "kim@elsewhere.example" }];
  const saved = await member.call("signatures.updateDraft", { envelopeId: envelope.id, signers });
  const place = { signerId: saved.body.envelope.signers[0].id, pageIndex: 0, wPct: 25, hPct: 4 };
  const over = { ...place, type: "SIGNATURE" as const, xPct: 18, yPct: 22 };
  const beside = { ...place, type: "TEXT" as const, xPct: 60, yPct: 34.5, hPct: 3 };
  await member.call("signatures.updateDraft", { envelopeId: envelope.id, fields: [over] });
  await page.goto(`/signatures/${envelope.id}/edit?step=review`);
  // A separate job reads the document's text; the page waits for it.
  await expect(page.getByText(/Page 1 still says/)).toHaveCount(2, { timeout: 120_000 });
  await expect(page.getByText("Page 1 still says “________”")).toBeVisible();
  await member.call("signatures.updateDraft", { envelopeId: envelope.id, fields: [over, beside] });
  await page.reload();
  await expect(page.getByText(/Page 1 still says/)).toHaveCount(1, { timeout: 20_000 });
  const fee = { ...place, type: "TEXT" as const, xPct: 16, yPct: 48, hPct: 3 };
  await member.call("signatures.updateDraft", { envelopeId: envelope.id, fields: [over, beside, fee] });
  await page.reload();
  await expect(page.getByText("Nothing is missing: it can be sent.")).toBeVisible({ timeout: 20_000 });
});

test("at 1,280 × 800 a notification does not cover the “Send for signature” button", async ({
  page,
  workspace,
}) => {
  const { id } = await draft(workspace, [{ name: "Ana" }]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await signIn(page, workspace);
  await page.goto(`/signatures/${id}/edit?step=fields`);
  await page.getByRole("button", { name: "Place tags found in the document" }).click();
  const told = page.getByRole("region", { name: "Notifications" }).getByRole("listitem");
  // A separate process finds the tags in the document. The notification stays as long as the pointer rests on it.
  await told.hover();
  await page.getByRole("button", { name: "Next: review" }).press("Enter");
  const send = page.getByRole("button", { name: "Send for signature" });
  await expect(send).toBeEnabled({ timeout: 20_000 });
  await expect(told).toBeVisible();
  await send.click({ trial: true, timeout: 20_000 });
});

test("a member who has signed can go back to the signature request", async ({ page, workspace }) => {
  const member = await signIn(page, workspace);
  const own = { name: "Min-Ji", email: member.email, userId: member.userId };
  const { id } = await draft(workspace, [{ name: "Ana" }]);
  const signers = [{ ...own, orderIndex: 0 }];
  const saved = (await member.call("signatures.updateDraft", { envelopeId: id, signers })).body.envelope;
  const field = { type: "SIGNATURE" as const, pageIndex: 0, xPct: 5, yPct: 5, wPct: 30, hPct: 6 };
  const fields = [{ ...field, signerId: saved.signers[0].id }];
  await member.call("signatures.updateDraft", { envelopeId: id, fields });
  await member.call("signatures.send", { envelopeId: id });
  await page.goto(`/signatures/${id}`);
  await page.getByRole("button", { name: "Sign now" }).click();
  await page.getByRole("checkbox", { name: "I agree" }).check();
  await page.getByRole("button", { name: "Agree and continue" }).click();
  await page.getByRole("button", { name: /^Signature, page 1/ }).click();
  await page.getByRole("button", { name: "Adopt and sign" }).click();
  await page.getByRole("button", { name: "Finish" }).click();
  await expect(page.getByRole("heading", { name: /^(You have signed|Signed and sealed)$/ })).toBeVisible();
  await page.getByRole("link", { name: "Back to the request" }).click();
  await expect(page).toHaveURL(new RegExp(`/signatures/${id}$`));
});

test("a signature request's breadcrumbs name the list and the contract once and end with the contract", async ({
  page,
  workspace,
}) => {
  const { id } = await draft(workspace, [{ name: "Ana" }]);
  await signIn(page, workspace);
  for (const path of [`/signatures/${id}`, `/signatures/${id}/edit`]) {
    await page.goto(path);
    const crumbs = page.getByRole("navigation", { name: "Breadcrumbs" });
    await expect(crumbs.getByRole("link")).toHaveText(["Signatures", "Contract"]);
    await expect(crumbs.locator(":scope > :last-child > :last-child")).toHaveRole("link");
  }
});

test("every step of a signature request draft passes the accessibility checks, and it can be discarded", async ({
  page,
  workspace,
}) => {
  const { id, contractId } = await draft(workspace, [{ name: "Ana" }, { name: "Ben", orderIndex: 1 }]);
  await signIn(page, workspace);
  await page.goto(`/contracts/${contractId}/send`);
  await expect(page.getByText("1 draft of this contract")).toBeVisible();
  await expectAccessible(page);
  await page.goto(`/signatures/${id}/edit?step=signers`);
  await expect(page.getByText("Who signs?")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Next: fields" }).click();
  await expect(page.locator("canvas").first()).toBeVisible();
  await boxes(page).first().focus();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Next: review" }).click();
  await expect(page.getByText("Nothing is missing: it can be sent.")).toBeVisible({ timeout: 30_000 });
  await expectAccessible(page);
  await page.getByRole("link", { name: "Close" }).click();
  await expect(page.getByRole("link", { name: "Continue the draft" })).toBeVisible();
  await page.getByRole("button", { name: "More" }).first().click();
  await page.getByRole("menuitem", { name: "Discard the draft" }).click();
  await page.getByRole("button", { name: "Discard the draft" }).click();
  await expect(page).toHaveURL(new RegExp(`/contracts/${contractId}$`));
});

test("text tags become fields of the signers they name, and a tag without a signer is reported", async ({
  page,
  workspace,
}) => {
  const document = await PDFDocument.create();
  document.addPage().drawText("Signed: {{signature:1}}   {{signature:7}}", { x: 60, y: 400 });
  const { contract } = await contractToSend(workspace, 1, await document.save());
  const member = await signIn(page, workspace);
  const { envelope } = (await member.call("signatures.createDraft", { contractId: contract.id })).body;
  const signers = [{ name: "Kim", email: "kim@elsewhere.example" }];
  await member.call("signatures.updateDraft", { envelopeId: envelope.id, signers });
  await page.goto(`/signatures/${envelope.id}/edit?step=fields`);
  await page.getByRole("button", { name: "Place tags found in the document" }).click();
  await expect(page.getByText("1 field placed on tags")).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText("No signer has this number: {{signature:7}}")).toBeVisible();
  await expect(boxes(page)).toHaveCount(1);
});

test("a field can be moved and resized with the pointer, and its size is kept after a reload", async ({
  page,
  workspace,
}) => {
  const { id } = await draft(workspace, [{ name: "Ana" }]);
  await signIn(page, workspace);
  await page.goto(`/signatures/${id}/edit?step=fields`);
  const box = page.getByRole("button", { name: /^Signature for Ana, page/ });
  await box.scrollIntoViewIfNeeded();
  const from = (await box.boundingBox())!;
  await page.mouse.move(from.x + 20, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(from.x + 60, from.y + 110, { steps: 4 });
  await page.mouse.move(from.x + 120, from.y + 210, { steps: 4 });
  await page.mouse.up();
  const there = (await box.boundingBox())!;
  expect(there.x - from.x).toBeGreaterThan(90);
  expect(there.y - from.y).toBeGreaterThan(190);
  const corner = (await box.locator("[data-corner=se]").boundingBox())!;
  await page.mouse.move(corner.x + 10, corner.y + 10);
  await page.mouse.down();
  await page.mouse.move(corner.x + 60, corner.y + 40, { steps: 4 });
  await page.mouse.up();
  const larger = (await box.boundingBox())!;
  expect(larger.width - there.width).toBeCloseTo(50, 0);
  expect(larger.height - there.height).toBeCloseTo(30, 0);
  await saved(page);
  await page.reload();
  await expect(box).toBeVisible();
  await expect.poll(async () => Math.round((await box.boundingBox())!.width)).toBe(Math.round(larger.width));
});

test("a problem that blocks sending is listed in the review step with a button to fix it", async ({
  page,
  workspace,
}) => {
  const { contract } = await contractToSend(workspace, 1);
  await signIn(page, workspace);
  await page.goto(`/contracts/${contract.id}/send`);
  await next(page, "signers");
  await page.getByRole("button", { name: "Someone else" }).click();
  await next(page, "fields");
  await expect(page.getByText("Not saved: something is missing")).toBeVisible();
  await page.getByRole("textbox", { name: "Name" }).fill("Kim");
  await page.getByRole("textbox", { name: "E-mail address" }).fill("kim@elsewhere.example");
  await saved(page);
  await page.getByRole("button", { name: "Review" }).click();
  await expect(page.getByText("Kim has no required signature field.")).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole("button", { name: "Send for signature" })).toBeDisabled();
  await page.getByRole("button", { name: "Place one" }).click();
  await page.getByRole("button", { name: "Signature", exact: true }).click();
  await saved(page);
  await next(page, "review");
  await expect(page.getByRole("button", { name: "Send for signature" })).toBeEnabled({ timeout: 30_000 });
});

test("an incomplete signer survives step changes, does not block other saves, and is focused on Review", async ({
  page,
  workspace,
}) => {
  const { member, envelope } = await draftOfOnePage(page, workspace);
  const stored = async () =>
    (await member.call("signatures.progress", { envelopeId: envelope.id })).body.envelope;
  await page.goto(`/signatures/${envelope.id}/edit?step=signers`);
  const name = page.getByRole("textbox", { name: "Name" });
  const email = page.getByRole("textbox", { name: "E-mail address" });
  const here = (step: string) =>
    expect(page.getByRole("region", { name: step, exact: true }).first()).toBeVisible();
  const longName = "Wolfeschlegelsteinhausenbergerdorff-Ελένη Παπαδοπούλου 김민준";
  await page.getByRole("button", { name: "Someone else" }).click();
  await name.fill(longName);
  await page.getByLabel("Message").fill("Please sign by Friday.");
  await expect.poll(async () => (await stored()).message).toBe("Please sign by Friday.");

  await page.getByRole("button", { name: "Back" }).click();
  await here("Document");
  await expect(page.getByText("Not saved: something is missing")).toBeVisible();
  await page.getByRole("button", { name: "Review" }).click();
  await here("Signers");
  await expect(name).toHaveValue(longName);
  await expect(email).toBeFocused();
  await expect(email).toHaveAccessibleDescription("E-mail address is required.");
  await page.getByLabel("Subject").fill("");
  await page.getByRole("button", { name: "Document" }).click();
  await here("Document");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await expect(page.getByLabel("Subject")).toHaveAccessibleDescription(/Subject is required/);
  await page.goBack();
  await here("Document");
  await next(page, "signers");
  await here("Signers");
  await page.getByLabel("Subject").fill("Supply agreement");
  await email.fill("kim@elsewhere.example");
  await saved(page);
  expect((await stored()).signers).toMatchObject([{ name: longName, email: "kim@elsewhere.example" }]);
  await next(page, "fields");
  await here("Fields");
});

test("a signature request draft changed elsewhere is not overwritten, and the editor says so", async ({
  page,
  workspace,
}) => {
  const { member, envelope } = await draftOfOnePage(page, workspace);
  const envelopeId = envelope.id;
  const names = async () =>
    (await member.call("signatures.progress", { envelopeId })).body.envelope.signers.map(
      ({ name }: { name: string }) => name,
    );
  await page.goto(`/signatures/${envelopeId}/edit?step=signers`);
  const add = async (name: string) => {
    await page.getByRole("button", { name: "Someone else" }).click();
    await page.getByRole("textbox", { name: "Name" }).last().fill(name);
    await page.getByRole("textbox", { name: "E-mail address" }).last().fill("min-jun@elsewhere.example");
  };
  await expect(page.getByText("No signers yet")).toBeVisible();
  const theirs = "Ελένη Παπαδοπούλου";
  const signers = [{ name: theirs, email: "eleni@elsewhere.example" }];
  await member.call("signatures.updateDraft", { envelopeId, signers });
  await add("김민준");
  await expect(page.getByText("Not saved: this draft was changed elsewhere")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Name" })).toHaveValue("김민준");
  expect(await names()).toEqual([theirs]);
  await page.getByRole("button", { name: "Reload the draft" }).click();
  await expect(page.getByRole("textbox", { name: "Name" })).toHaveValue(theirs);
  await add("김민준");
  await page.getByLabel("Message").fill("Please sign by Friday.");
  await saved(page);
  expect(await names()).toEqual([theirs, "김민준"]);
});

test("the review step says while a document is still being read, and lists its blanks once known", async ({
  page,
  workspace,
}) => {
  const bytes = Buffer.from(await pdfOf([["Delivered to {{customer}}."]]));
  const { contract } = await contractToSend(workspace, 1, bytes);
  const { documentVersion } = database().prisma;
  const where = { organizationId: workspace.organizationId, contractId: contract.id };
  const textState = async () => (await documentVersion.findFirstOrThrow({ where })).textState;
  await expect.poll(textState, { timeout: 120_000 }).toBe("READY");
  await documentVersion.updateMany({ where, data: { textState: "PENDING" } });
  const member = await signIn(page, workspace);
  const { envelope } = (await member.call("signatures.createDraft", { contractId: contract.id })).body;
  const { id: versionId } = await documentVersion.findFirstOrThrow({ where });
  const pages = { where: { organizationId: workspace.organizationId, versionId } };
  const known = await database().prisma.documentPage.findMany(pages);
  await database().prisma.documentPage.deleteMany(pages);
  await page.goto(`/signatures/${envelope.id}/edit?step=review`);
  const status = page.getByRole("status").filter({ hasText: "The document is still being read for blanks." });
  await expect(status).toBeVisible();
  await expect(page.getByText("No signers yet.")).toBeVisible();
  await expectAccessible(page);
  await database().prisma.documentPage.createMany({ data: known });
  await documentVersion.updateMany({ where, data: { textState: "READY" } });
  await expect(page.getByText("Page 1 still says “{{customer}}”.")).toBeVisible({ timeout: 60_000 });
  await expect(status).toHaveCount(0);
  await documentVersion.updateMany({ where, data: { textState: "FAILED" } });
  await page.reload();
  await expect(
    page.getByText("The document cannot be read for blanks: look through it yourself."),
  ).toBeVisible();
});

test("each finding in the review step leads to the signer, field or page that it names", async ({
  page,
  workspace,
}) => {
  const { contract } = await contractToSend(workspace, 3);
  const bytes = await pdfOf([["Supply agreement"], ["Delivered to {{customer}}."]]);
  const document = inJson({ fileName: "shorter.pdf", contentType: "application/pdf", bytes });
  const shorter = await workspace.api(`POST /contracts/${contract.id}/versions`, { body: { document } });
  const member = await signIn(page, workspace);
  const versions = (await member.call("versions.list", { id: contract.id })).body.data;
  const documentVersionId = versions.at(-1).id;
  const draft = (await member.call("signatures.createDraft", { contractId: contract.id, documentVersionId }))
    .body.envelope;
  const email = "kim@elsewhere.example";
  const signers = ["Ana", "Ben"].map((name, orderIndex) => ({ name, email, orderIndex }));
  const envelopeId = draft.id;
  const { envelope } = (await member.call("signatures.updateDraft", { envelopeId, signers })).body;
  const box = { pageIndex: 2, xPct: 10, yPct: 10, wPct: 30, hPct: 6, type: "SIGNATURE" as const };
  const fields = [{ ...box, signerId: envelope.signers[0].id }];
  await member.call("signatures.updateDraft", { envelopeId, fields });
  const changed = { envelopeId, documentVersionId: shorter.body.version.id };
  expect((await member.call("signatures.updateDraft", changed)).status).toBe(200);
  // Leftover placeholders are known once the text has been read.
  const told = async () => (await member.call("signatures.check", { envelopeId })).body.warnings;
  await expect.poll(told, { timeout: 120_000 }).toHaveLength(1);
  const mend = async (finding: string) => {
    await page.goto(`/signatures/${envelopeId}/edit?step=review`);
    await page.getByRole("listitem").filter({ hasText: finding }).getByRole("button").click();
  };
  await mend("Ben's address is also Ana's");
  await expect(page.getByRole("textbox", { name: "E-mail address" }).nth(1)).toBeFocused();
  await mend("Ben has no required signature field.");
  await expect(page.getByRole("button", { name: "Signature", exact: true })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: /^Signature for Ben, page 1/ })).toBeFocused();
  await saved(page);
  await mend("Page 2 still says “{{customer}}”.");
  await expect(page.getByRole("region", { name: "Page 2 of 2" })).toBeFocused();
  await expect(page.getByRole("region", { name: "Page 2 of 2" })).toBeInViewport({ ratio: 0.3 });
  await page.setViewportSize({ width: 375, height: 740 });
  await mend("A field is on page 3, and the document has 2.");
  await expect(page.getByRole("textbox", { name: "Page", exact: true })).toBeFocused();
  await expect(page.getByRole("dialog").getByText("is not one of 2")).toBeVisible();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("2");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: /^Signature for Ana, page 2/ })).toBeVisible();
  await saved(page);
  await mend("Ben's address is also Ana's");
  await expect(page.getByRole("textbox", { name: "E-mail address" }).nth(1)).toBeFocused();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("ben@elsewhere.example");
  await saved(page);
  await next(page, "fields");
  await next(page, "review");
  await expect(page.getByRole("button", { name: "Send for signature" })).toBeEnabled({ timeout: 30_000 });
});

test("a sent request can be corrected, extended, voided and duplicated, and its signing link copied", async ({
  page,
  workspace,
}) => {
  const { id } = await sent(workspace, [{ name: "Ana" }, { name: "Ben", orderIndex: 1 }]);
  await signIn(page, workspace, "admin");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`/signatures/${id}`);
  await page.getByRole("button", { name: "Correct Ana" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("E-mail address").fill("ana.right@signers.example");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Correct the signer" }).click();
  await expect(page.getByText("ana.right@signers.example", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Copy the signing link of Ana" }).click();
  await expect(page.getByText("Whoever has it can sign as Ana, who is notified by e-mail")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("/sign/");
  // As on a page without TLS, where there is no clipboard.
  await page.evaluate(() =>
    Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true }),
  );
  await page.getByRole("button", { name: "Copy the signing link of Ana" }).click();
  await expect(page.getByRole("textbox", { name: "Signing link" })).toHaveValue(/\/sign\//);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "More" }).first().click();
  await page.getByRole("menuitem", { name: "Change the deadline" }).click();
  await page.getByLabel("Last day to sign").fill("2031-05-20");
  await page.getByRole("button", { name: "Save the deadline" }).click();
  await expect(page.getByRole("complementary", { name: "Details" })).toContainText("May 2031");
  await page.getByRole("button", { name: "More" }).first().click();
  await page.getByRole("menuitem", { name: "Void the request" }).click();
  await page.getByLabel("Reason").fill("Wrong version");
  await page.getByRole("button", { name: "Void the request" }).click();
  await expect(page.getByText("“Wrong version”")).toBeVisible();
  await expect(page.getByRole("button", { name: "Remind" })).toHaveCount(0);
  await page.getByRole("button", { name: "More" }).first().click();
  await page.getByRole("menuitem", { name: /Duplicate as draft/ }).click();
  await expect(page).toHaveURL(/\/edit/);
  await page.getByRole("navigation", { name: "Steps" }).getByRole("button", { name: "Signers" }).click();
  await expect(page.getByRole("textbox", { name: "Name" })).toHaveCount(2);
});

test("a request that could not be sealed shows why, and an owner can end it with a reason", async ({
  page,
  another,
  workspace,
}) => {
  test.setTimeout(300_000);
  const { id, sealing } = await unsealed(workspace, [{ name: "Ελένη-Παπαδοπούλου".repeat(4) }]);
  const members = await another();
  await signIn(members, workspace, "member");
  await members.goto(`/signatures/${id}`);
  await expect(members.getByText("an owner or admin can end the request")).toBeVisible();
  await expect(members.getByRole("button", { name: "End the request" })).toHaveCount(0);
  await signIn(page, workspace, "owner");
  await page.goto(`/signatures/${id}`);
  const notice = page.getByRole("region", { name: "It could not be sealed yet" });
  await expect(notice).toContainText(sealing.error);
  await notice.getByRole("button", { name: "End the request" }).click();
  const dialog = page.getByRole("dialog", { name: "End this request?" });
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "End the request" }).click();
  await expect(dialog.getByText(/is required/)).toBeVisible();
  await dialog.getByLabel("Reason").fill("Signed again on paper");
  await dialog.getByRole("button", { name: "End the request" }).click();
  await expect(page.getByText("“Signed again on paper”")).toBeVisible();
  await expect(members.getByText("“Signed again on paper”")).toBeVisible({ timeout: 60_000 });
});

test("a document that cannot be sealed is refused in the review step with the reason", async ({
  page,
  workspace,
}) => {
  const refused = unfreezable.find(({ what }) => what === "a layer that starts within a line of text")!;
  const { contract } = await contractToSend(workspace, 1, refused.bytes());
  await signIn(page, workspace);
  await page.goto(`/contracts/${contract.id}`);
  await page.getByRole("link", { name: "Send for signature" }).click();
  await next(page, "signers");
  await next(page, "fields");
  await next(page, "review");
  await expect(
    page.getByText(/The document switches off a layer in the middle of a line of text/),
  ).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole("button", { name: "Send for signature" })).toBeDisabled();
});

test("the review step warns that layers hidden on screen are left out of the signed document", async ({
  page,
  workspace,
}) => {
  const layered = twoFaced.find(({ what }) => what === "one layer for screens and another for print")!;
  const { contract } = await contractToSend(workspace, 1, layered.bytes());
  await signIn(page, workspace);
  await page.goto(`/contracts/${contract.id}`);
  await page.getByRole("link", { name: "Send for signature" }).click();
  await next(page, "signers");
  await next(page, "fields");
  await next(page, "review");
  await expect(page.getByText(/has layers that are switched off on a screen: they are left out/)).toBeVisible(
    { timeout: 60_000 },
  );
});

test("a request's page updates as signers sign, up to the sealed PDF", async ({ page, workspace }) => {
  const envelope = await sent(workspace, [{ name: "Ana" }, { name: "Ben", orderIndex: 1 }]);
  await signIn(page, workspace, "viewer");
  await page.goto(`/signatures/${envelope.id}`);
  await expect(page.getByText("0 of 2 signed")).toBeVisible();
  await expect(page.getByRole("main").getByRole("button", { name: /Remind|Correct|More|link/ })).toHaveCount(
    0,
  );
  await (await signerAt(workspace, envelope, 0)).sign();
  await expect(page.getByText("1 of 2 signed")).toBeVisible();
  await (await signerAt(workspace, envelope, 1)).sign();
  await expect(page.getByText("Everyone has signed, and it is sealed")).toBeVisible({ timeout: 30_000 });
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download the signed PDF" }).click();
  expect((await download).suggestedFilename()).toMatch(/\.pdf$/);
  await expectAccessible(page);
});

test("a member cannot copy another sender's signing link, nor an admin a member's, and both see why", async ({
  page,
  workspace,
}) => {
  const name = "Wolfeschlegelsteinhausenbergerdorff Ελένη Παπαδοπούλου-김민준";
  const colleague = await newMember(workspace, "owner", name);
  const people = [{ name: "Ana" }, { userId: colleague.userId, orderIndex: 1 }];
  const { id } = await sent(workspace, people);
  await signIn(page, workspace, "member");
  await page.goto(`/signatures/${id}`);
  const copy = page.getByRole("button", { name: "Copy the signing link of Ana" });
  await expect(copy).toBeDisabled();
  await expect(copy).toHaveAccessibleDescription(/by the sender of the request, an owner or an admin/);
  await page.context().clearCookies();
  await signIn(page, workspace, "admin");
  await page.goto(`/signatures/${id}`);
  await expect(copy).toBeEnabled();
  const ofMember = page.getByRole("button", { name: `Copy the signing link of ${name}` });
  await expect(ofMember).toBeDisabled();
  await expect(ofMember).toHaveAccessibleDescription(/sign with the link in their own e-mail/);
  await expectAccessible(page);
});

test("a member asked to sign can open their own signing page from the request", async ({
  page,
  workspace,
}) => {
  const member = await signIn(page, workspace, "member");
  const { id } = await sent(workspace, [{ userId: member.userId }]);
  await page.goto(`/signatures/${id}`);
  await page.getByRole("button", { name: "Sign now" }).click();
  await expect(page).toHaveURL(/\/sign\//);
  await expect(page.getByRole("checkbox", { name: "I agree" })).toBeVisible();
});
