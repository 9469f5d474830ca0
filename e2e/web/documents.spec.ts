import { inJson } from "../documents.ts";
import type { Workspace } from "../fixtures.ts";
import { pdfOf } from "../pdf.ts";
import { docxOf } from "../templates.ts";
import { dragIn } from "./drop.ts";
import { expect, expectAccessible, signIn, test } from "./fixtures.ts";

const pdfType = "application/pdf";

/** Documents are read by processes of their own, which wait for their turn. */
const slowly = { timeout: 30_000 };

async function uploaded({ api }: Workspace, contractId: string, fileName: string, pages: string[][]) {
  const document = inJson({ fileName, contentType: pdfType, bytes: await pdfOf(pages) });
  const { body, status, text } = await api(`POST /contracts/${contractId}/versions`, { body: { document } });
  expect(status, text).toBe(201);
  return body.version as { id: string };
}

test("a document is added to a contract, and read page by page with the keyboard", async ({
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
  await page.reload();
  await expect(viewer.getByText("This is page 120 of many")).toBeVisible();
  await page.getByRole("searchbox", { name: "Search the document" }).fill("page 57 of");
  await page.keyboard.press("Enter");
  await expect(page.getByText("1 of 1")).toBeVisible(slowly);
  await expect(viewer.locator("mark")).toHaveText("page 57 of");
  await page.getByRole("button", { name: "Zoom in" }).click();
  await expect(page.getByRole("textbox", { name: "Page" })).toHaveValue("57");
  await expectAccessible(page);
});

test("what is no document is refused in plain words where it was dropped, and so is a copy", async ({
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
  await expect(part.getByRole("alert")).toContainText("notes.pdf was not taken", slowly);
  await expectAccessible(page);
  const copy = await workspace.api(`GET /contracts/${id}/versions`);
  const link = await page.request.post("/api/member/versions.viewUrl", {
    data: { contractId: id, versionId: copy.body.data[0].id, as: "original" },
    headers: { origin: process.env.BASE_URL! },
  });
  const buffer = await (await page.request.get((await link.json()).url)).body();
  await chooser.setInputFiles({ name: "again.pdf", mimeType: pdfType, buffer });
  await expect(part.getByRole("alert")).toContainText("again.pdf was not taken", slowly);
  await expect(part.getByRole("listitem")).toHaveCount(1);
});

test("two versions are compared word by word, from change to change by keyboard", async ({
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
});

test("a file dropped on the contracts makes a contract with it", async ({ page, workspace }) => {
  await signIn(page, workspace);
  await page.goto("/contracts");
  await expect(page.getByText("No contracts yet")).toBeVisible();
  const document = await docxOf(["The parties keep it to themselves."]);
  const drop = await dragIn(page, "mutual_nda with Northwind.docx", document);
  await expect(page.getByText("Drop it to make a contract of it")).toBeVisible();
  await drop();
  await expect(page).toHaveURL(/\/contracts\/new$/);
  await expect(page.getByLabel("Title")).toHaveValue("Mutual nda with Northwind");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Make the contract" }).click();
  await expect(page).toHaveURL(/\/contracts\/ctr_/, slowly);
  await expect(page.getByRole("link", { name: "mutual_nda with Northwind.docx" })).toBeVisible();
});

test("a viewer reads and downloads the versions of a contract, and is offered no upload", async ({
  page,
  workspace,
}) => {
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
