import { randomBytes } from "node:crypto";
import { truncate, writeFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { database } from "#lib/core/db.ts";
import { PDFDocument } from "#lib/documents/pdf/pdf-lib.ts";
import { inJson } from "../documents.ts";
import { docx, docxType } from "../docx.ts";
import type { Workspace } from "../fixtures.ts";
import { pdfOf } from "../pdf.ts";
import { docxOf } from "../templates.ts";
import { dragIn } from "./drop.ts";
import { expect, expectAccessible, signIn, test } from "./fixtures.ts";

const pdfType = "application/pdf";

/** Documents are read by separate processes, which wait for their turn. */
const slowly = { timeout: 120_000 };

async function uploaded({ api }: Workspace, contractId: string, fileName: string, pages: string[][]) {
  const document = inJson({ fileName, contentType: pdfType, bytes: await pdfOf(pages) });
  const { body, status, text } = await api(`POST /contracts/${contractId}/versions`, { body: { document } });
  expect(status, text).toBe(201);
  return body.version as { id: string };
}

/** Delays scroll events, and records the addresses without page=120 that are set meanwhile. */
function tellScrollsLate() {
  const addresses: string[] = [];
  Object.assign(window, { addresses });
  const replace = history.replaceState.bind(history);
  history.replaceState = (state, unused, url) => {
    if (url && !String(url).includes("page=120")) addresses.push(String(url));
    replace(state, unused, url);
  };
  addEventListener(
    "scroll",
    (event) => {
      if (!event.isTrusted) return;
      event.stopImmediatePropagation();
      setTimeout(() => event.target?.dispatchEvent(new Event("scroll")), 1500);
    },
    { capture: true },
  );
}

test("a document can be added to a contract and read page by page with the keyboard", async ({
  page,
  workspace,
}) => {
  const { id } = await workspace.contract({ title: "To be read" });
  await signIn(page, workspace);
  await page.goto(`/contracts/${id}`);
  const part = page.getByRole("region", { name: "Documents" });
  await expect(part.getByText("No document yet")).toBeVisible();
  const pages = Array.from({ length: 120 }, (_, index) => [`This is page ${index + 1} of many`]);
  await part
    .locator("input[type=file]")
    .setInputFiles({ name: "agreement.pdf", mimeType: pdfType, buffer: await pdfOf(pages) });
  await expect(part.getByText("120 pages")).toBeVisible(slowly);
  await expectAccessible(page);
  await part.getByRole("link", { name: "agreement.pdf" }).click();
  const viewer = page.getByRole("region", { name: "agreement.pdf, version 1" });
  await expect(viewer.getByText("This is page 1 of many")).toBeVisible();
  await viewer.focus();
  await page.keyboard.press("ArrowRight");
  await expect(page).toHaveURL(/page=2$/);
  await page.keyboard.press("End");
  await expect(viewer.getByText("This is page 120 of many")).toBeVisible();
  expect(await viewer.locator("canvas").count()).toBeLessThan(8);
  await expect(page).toHaveURL(/page=120$/);
  // The address keeps its page even if the browser reports scrolling late.
  await page.addInitScript(tellScrollsLate);
  await page.reload();
  await expect(viewer.getByText("This is page 120 of many")).toBeVisible();
  expect(await page.evaluate("window.addresses")).toEqual([]);
  await page.getByRole("searchbox", { name: "Search the document" }).fill("page 57 of");
  await page.keyboard.press("Enter");
  await expect(page.getByText("1 of 1")).toBeVisible(slowly);
  await expect(viewer.locator("mark")).toHaveText("page 57 of");
  // If a link to the document does not work, another one is requested.
  const files = "**/api/files/**";
  await page.route(files, (route) => route.fulfill({ status: 403 }));
  await page.reload();
  await expect(page.getByText("The PDF cannot be shown")).toBeVisible(slowly);
  await page.unroute(files);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(viewer.getByText("This is page 57 of many")).toBeVisible(slowly);
  await page.getByRole("button", { name: "Zoom in" }).click();
  await expect(page.getByRole("textbox", { name: "Page" })).toHaveValue("57");
  await expectAccessible(page);
});

test("a file that is not a document and a duplicate version are each refused in the Documents section", async ({
  page,
  workspace,
}) => {
  const { id } = await workspace.contract();
  await uploaded(workspace, id, "first.pdf", [["Only once"]]);
  await signIn(page, workspace);
  await page.goto(`/contracts/${id}`);
  const part = page.getByRole("region", { name: "Documents" });
  const chooser = part.locator("input[type=file]");
  await chooser.setInputFiles({ name: "notes.pdf", mimeType: pdfType, buffer: Buffer.from("Just words.") });
  await expect(part.getByRole("alert")).toContainText("notes.pdf was not added", slowly);
  await expectAccessible(page);
  const copy = await workspace.api(`GET /contracts/${id}/versions`);
  const link = await page.request.post("/api/member/versions.viewUrl", {
    data: { contractId: id, versionId: copy.body.data[0].id, as: "original" },
    headers: { origin: process.env.BASE_URL! },
  });
  const buffer = await (await page.request.get((await link.json()).url)).body();
  await chooser.setInputFiles({ name: "again.pdf", mimeType: pdfType, buffer });
  await expect(part.getByRole("alert")).toContainText("again.pdf was not added", slowly);
  await expect(part.getByRole("listitem")).toHaveCount(1);
});

test("two versions are compared word by word, and n and p move between changes", async ({
  page,
  workspace,
}) => {
  const { id } = await workspace.contract();
  const clauses = (days: number) => [
    ["1. Payment", `The customer pays within ${days} days of the invoice.`],
    ["2. Term", "The agreement lasts for twelve months."],
    ["3. Law", `The law of ${days > 30 ? "Scotland" : "England"} applies to this agreement.`],
  ];
  const from = await uploaded(workspace, id, "first.pdf", clauses(30));
  const to = await uploaded(workspace, id, "second.pdf", clauses(45));
  const member = await signIn(page, workspace, "viewer");
  const states = async () =>
    (await member.call("versions.progress", { contractId: id })).body.data.map(
      ({ textState }: { textState: string }) => textState,
    );
  await expect.poll(states, slowly).toEqual(["READY", "READY"]);
  await page.goto(`/contracts/${id}`);
  await page.getByRole("link", { name: "Compare versions" }).click();
  await expect(page).toHaveURL(new RegExp(`from=${from.id}&to=${to.id}`));
  await expect(page.getByText("Clauses: 2 changed")).toBeVisible(slowly);
  await expect(page.locator("del").first()).toContainText("30");
  await expect(page.locator("ins").first()).toContainText("45");
  await page.keyboard.press("n");
  await expect(page.locator("[data-change]").nth(0)).toBeFocused();
  await page.keyboard.press("n");
  await expect(page.locator("[data-change]").nth(1)).toBeFocused();
  await page.keyboard.press("p");
  await expect(page.locator("[data-change]").nth(0)).toBeFocused();
  await page.getByRole("switch", { name: "Only changes" }).check();
  await expect(page.getByText("twelve months")).toHaveCount(0);
  await expect(page).toHaveURL(/only=true/);
  await expectAccessible(page);
  const next = page.getByRole("button", { name: "Next" });
  await expect(next).toHaveAttribute("aria-keyshortcuts", "n");
  await page.keyboard.press("?");
  await page.getByRole("switch", { name: "Single-key shortcuts" }).uncheck();
  await page.keyboard.press("Escape");
  await expect(next).not.toHaveAttribute("aria-keyshortcuts");
  // The dialog returns the focus when it closes; before that it would take the focus from the button.
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await next.focus();
  await page.keyboard.press("n");
  await expect(next, "the key leads nowhere").toBeFocused();
});

test("a file dropped on the contract list creates a contract with that document", async ({
  page,
  workspace,
}) => {
  await signIn(page, workspace);
  await page.goto("/contracts");
  await expect(page.getByText("No contracts yet")).toBeVisible();
  const document = await docxOf(["The parties keep it to themselves."]);
  const drop = await dragIn(
    page,
    [["mutual_nda with Northwind.docx", document]],
    "Drop it to create a contract",
  );
  await drop();
  await expect(page).toHaveURL(/\/contracts\/new$/);
  await expect(page.getByLabel("Title")).toHaveValue("Mutual nda with Northwind");
  await expectAccessible(page);
  await page.getByLabel("Type").selectOption("NDA");
  await page.getByRole("button", { name: "Create the contract" }).click();
  await expect(page).toHaveURL(/\/contracts\/ctr_/, slowly);
  await expect(page.getByRole("link", { name: "mutual_nda with Northwind.docx" })).toBeVisible();
});

/** Fills in the form for a new contract, with this document. */
async function newContract(page: Page, fileName: string, document: Buffer | string) {
  await page.goto("/contracts/new");
  await page.getByLabel("Title").fill("Framework agreement");
  await page.getByLabel("Type").selectOption("MSA");
  await page.getByLabel("Term in months", { exact: true }).fill("24");
  const file =
    typeof document === "string" ? document : { name: fileName, mimeType: pdfType, buffer: document };
  await page.locator("input[type=file]").setInputFiles(file);
  await page.getByRole("button", { name: "Create the contract" }).click();
}

/** The entered values are still there. */
async function expectKept(page: Page) {
  await expect(page.getByLabel("Title")).toHaveValue("Framework agreement");
  await expect(page.getByLabel("Term in months", { exact: true })).toHaveValue("24");
}

test("an upload shows its progress, can be cancelled and retried, and keeps the entered values", async ({
  page,
  workspace,
}) => {
  const member = await signIn(page, workspace);
  const network = await page.context().newCDPSession(page);
  await network.send("Network.enable");
  const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 500_000 };
  await network.send("Network.emulateNetworkConditions", slow);
  const framework = await PDFDocument.create();
  framework.addPage();
  await framework.attach(randomBytes(6_000_000), "annex.bin");
  const bytes = Buffer.from(await framework.save());
  await newContract(page, "framework.pdf", bytes);
  const progress = page.getByRole("progressbar", { name: "Sending framework.pdf" });
  await expect(progress).toBeVisible();
  await expect(page.getByText(/[1-9]\d* % sent/)).toBeVisible({ timeout: 20_000 });
  await expectAccessible(page);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(progress).toBeHidden();
  await expectKept(page);
  expect((await member.call("contracts.list")).body.data).toEqual([]);
  await network.send("Network.emulateNetworkConditions", { ...slow, uploadThroughput: -1 });
  await page.route("**/contracts.create", (route) => route.abort("connectionreset"), { times: 1 });
  await page.getByRole("button", { name: "Create the contract" }).click();
  await page.getByRole("button", { name: "Send again" }).click();
  await expect(page).toHaveURL(/\/contracts\/ctr_/, slowly);
  await expect(page.getByRole("link", { name: "framework.pdf" })).toBeVisible();
});

test("a file of the wrong type, empty or too large is refused on selection without being sent", async ({
  page,
  workspace,
}, info) => {
  await signIn(page, workspace);
  const sent: string[] = [];
  page.on("request", (request) => sent.push(new URL(request.url()).pathname));
  const refusal = page.locator("form").getByRole("alert");
  await page.goto("/contracts/new");
  await page.getByLabel("Title").fill("Framework agreement");
  await page.getByLabel("Type").selectOption("MSA");
  await page.getByLabel("Term in months", { exact: true }).fill("24");
  const choose = (name: string, buffer: Buffer) =>
    page.locator("input[type=file]").setInputFiles({ name, mimeType: pdfType, buffer });
  await choose("photo.pdf", Buffer.from("\x89PNG\r\n and so on"));
  await expect(refusal).toContainText("photo.pdf was not added. It is not a PDF or Word document (DOCX).");
  await choose("empty.pdf", Buffer.alloc(0));
  await expect(refusal).toContainText("empty.pdf was not added. The file is empty.");
  await choose("old.doc", Buffer.from("\xd0\xcf\x11\xe0", "latin1"));
  await expect(refusal).toContainText("old.doc was not added. It is in an older Word format");
  await choose("really-a-pdf.docx", await pdfOf([["A PDF"]]));
  await expect(refusal).toContainText("Its name ends in .docx, but it is a PDF.");
  const large = info.outputPath("large.pdf");
  await writeFile(large, await pdfOf([["Large"]]));
  await truncate(large, 60_000_000);
  await page.locator("input[type=file]").setInputFiles(large);
  await expect(refusal).toContainText("large.pdf was not added. It is 57.2 MB; the limit is 50 MB.");
  await expectKept(page);
  await expectAccessible(page);
  expect(sent.filter((path) => path.includes("contracts.create"))).toEqual([]);
  await choose("right.pdf", await pdfOf([["Right"]]));
  await expect(refusal).toBeHidden();
  await page.getByRole("button", { name: "Create the contract" }).click();
  await expect(page).toHaveURL(/\/contracts\/ctr_/, slowly);
  await expect(page.getByRole("link", { name: "right.pdf" })).toBeVisible();
  await page.locator("input[type=file]").setInputFiles(large);
  await expect(page.getByRole("alert").filter({ hasText: "large.pdf was not added" })).toContainText("50 MB");
  expect(sent.filter((path) => path.includes("versions.create"))).toEqual([]);
});

test("files dropped on a contract become versions in order, and a refused file keeps its error visible", async ({
  page,
  workspace,
}) => {
  const { id } = await workspace.contract();
  await signIn(page, workspace);
  await page.goto(`/contracts/${id}`);
  const drop = await dragIn(
    page,
    [
      ["first-draft.pdf", await pdfOf([["One"]])],
      ["notes.pdf", Buffer.from("Just words.")],
      ["second-draft.pdf", await pdfOf([["Two"]])],
    ],
    "Drop it to add a version",
  );
  await drop();
  const versions = page.getByRole("list", { name: "Versions" }).getByRole("listitem");
  await expect(versions).toHaveCount(2, slowly);
  await expect(versions.nth(0)).toContainText("second-draft.pdf");
  await expect(versions.nth(1)).toContainText("first-draft.pdf");
  const part = page.getByRole("region", { name: "Documents" });
  await expect(part.getByRole("alert")).toContainText("notes.pdf was not added");
});

for (const path of ["/home", "/signatures", "/obligations", "/counterparties"]) {
  test(`a document dropped on ${path} starts a contract, and a drop of two there reports the one not added`, async ({
    page,
    workspace,
  }) => {
    await signIn(page, workspace);
    await page.goto(path);
    const drop = await dragIn(page, [["first.pdf", await pdfOf([["Zero"]])]], "Drop it to create a contract");
    expect(await drop()).toBe("handled");
    await expect(page).toHaveURL(/\/contracts\/new$/);
    await expect(page.getByLabel("Title")).toHaveValue("First");
    const both = await dragIn(page, [
      ["Übereinkunft.pdf", await pdfOf([["One"]])],
      ["second.pdf", await pdfOf([["Two"]])],
    ]);
    expect(await both()).toBe("handled");
    await expect(page.getByText("Übereinkunft.pdf was added; 1 other file was not.")).toBeVisible();
  });
}

test("a document dropped on a settings page with unsaved input is refused and leaves the input unchanged", async ({
  page,
  workspace,
}) => {
  await signIn(page, workspace, "admin");
  await page.goto("/settings/workspace");
  await page.getByLabel("Name").fill("Half typed");
  const drop = await dragIn(page, [["agreement.pdf", await pdfOf([["One"]])]]);
  expect(await drop()).toBe("handled");
  await expect(page.getByText("agreement.pdf was not added")).toBeVisible();
  await expect(page.getByLabel("Name")).toHaveValue("Half typed");
});

test("a failed rendering shows its cause and can be retried", async ({ page, workspace }) => {
  // The first document that a server renders waits for LibreOffice to start.
  test.setTimeout(300_000);
  const { id: contractId } = await workspace.contract();
  const bytes = docx(["1. Only. One clause."]);
  const document = inJson({ fileName: "services.docx", contentType: docxType, bytes });
  const made = await workspace.api(`POST /contracts/${contractId}/versions`, { body: { document } });
  const versionId: string = made.body.version.id;
  const member = await signIn(page, workspace);
  const state = async () =>
    (await member.call("versions.progress", { contractId })).body.data[0].textState as string;
  await expect.poll(state, { timeout: 90_000 }).toBe("READY");
  // The state that a renderer leaves after it was out of order for too long.
  const { organizationId } = workspace;
  const { documentPage, documentVersion } = database().prisma;
  await documentPage.deleteMany({ where: { organizationId, versionId } });
  await documentVersion.update({
    where: { organizationId_id: { organizationId, id: versionId } },
    data: {
      ...{ pdfState: "FAILED", pdfError: "The renderer did not answer.", textState: "FAILED" },
      ...{ pdfSha256: null, pageCount: null },
    },
  });
  await page.goto(`/contracts/${contractId}`);
  const row = page.getByRole("list", { name: "Versions" }).getByRole("listitem");
  await expect(row).toContainText("The renderer did not answer. Try again, or add a PDF.");
  await expectAccessible(page);
  await row.getByRole("button", { name: "Retry" }).click();
  await expect(row).toContainText("1 page", { timeout: 60_000 });
  await expect(row.getByRole("button", { name: "Retry" })).toHaveCount(0);
  await row.getByRole("link", { name: "services.docx" }).click();
  await expect(page.getByText("1. Only. One clause.")).toBeVisible(slowly);
});

test("a viewer can download a contract's PDF and is offered no upload", async ({ page, workspace }) => {
  const { id } = await workspace.contract();
  await uploaded(workspace, id, "shown.pdf", [["Hello"]]);
  await signIn(page, workspace, "viewer");
  await page.goto(`/contracts/${id}`);
  const part = page.getByRole("region", { name: "Documents" });
  await expect(part.locator("input[type=file]")).toHaveCount(0);
  const arrived = page.waitForEvent("download");
  await part.getByRole("button", { name: "More about version 1" }).click();
  await page.getByRole("menuitem", { name: "Download the PDF" }).click();
  expect((await arrived).suggestedFilename()).toBe("shown.pdf");
});
