/** Many documents at once: dropped, interrupted, resumed. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page, Route } from "@playwright/test";
import { database } from "#lib/core/db.ts";
import { memberPassword } from "../accounts.ts";
import { inJson } from "../documents.ts";
import { pdfOf } from "../pdf.ts";
import { docxOf } from "../templates.ts";
import { dragIn } from "./drop.ts";
import { expect, expectAccessible, setOffline, signIn, test } from "./fixtures.ts";

/** Documents are read by separate processes, one after another. */
const slowly = { timeout: 120_000 };

type Named = [name: string, bytes: Buffer];

/** Returns this many different documents, in the time that it takes to create one. */
async function files(count: number): Promise<Named[]> {
  const bytes = await pdfOf([["Dear Ann, thank you for your order."]]);
  return Array.from({ length: count }, (_, n) => [
    `order_${String(n + 1).padStart(2, "0")}.pdf`,
    Buffer.concat([bytes, Buffer.from(`\n%${n}\n`)]),
  ]);
}

const chooseAll = (page: Page, chosen: Named[]) =>
  page
    .getByLabel("Choose files")
    .setInputFiles(chosen.map(([name, buffer]) => ({ name, mimeType: "application/pdf", buffer })));

const list = (page: Page, name: RegExp) => page.getByRole("region", { name }).getByRole("listitem");

test("fifty dropped files become contracts despite duplicates, a broken file and an interrupted upload", async ({
  page,
  workspace,
}) => {
  test.setTimeout(300_000);
  const all = await files(47);
  const kept = await pdfOf([["Kept here already"]]);
  const longName = `${"Vertragsverlängerungsvereinbarung".repeat(5)}.pdf`;
  all.push(["copy.pdf", all[0]![1]], [longName, kept]);
  all.push(["broken.pdf", Buffer.from("%PDF-1.7\nand nothing more")]);
  const there = inJson({ fileName: "kept.pdf", contentType: "application/pdf", bytes: kept });
  await workspace.api("POST /contracts", {
    body: { title: "Kept", type: "NDA", ourRole: "VENDOR", ownerId: workspace.ownerId, document: there },
  });
  await signIn(page, workspace);
  await page.goto("/contracts");

  // Half of them arrive, then the page is closed.
  let sent = 0;
  let isCutOff = false;
  const held: Route[] = [];
  const lose = (route: Route) => route.abort("internetdisconnected");
  await page.route("**/api/member/uploads.send", async (route) => {
    if (++sent <= 20) await route.continue();
    else if (isCutOff) await lose(route);
    else held.push(route);
  });
  const drop = await dragIn(page, all, "Drop it to create a contract");
  expect(await drop()).toBe("handled");
  await expect(page).toHaveURL(/\/contracts\/upload$/);
  await expect(page.getByRole("heading", { name: "20 contracts created" })).toBeVisible(slowly);
  await expect(page.getByRole("progressbar", { name: "All files" })).toBeVisible();
  await expect.poll(() => held.length, slowly).toBe(3);
  const context = page.context();
  // Held requests would be sent as the page closes, so they are aborted first.
  await context.setOffline(true);
  isCutOff = true;
  await Promise.all(held.map(lose));
  await page.close();
  await context.setOffline(false);

  const later = await context.newPage();
  await later.goto("/contracts");
  await expect(later.getByText("30 of the 50 files of your upload are still missing.")).toBeVisible();
  await later.getByRole("link", { name: "Continue the upload" }).press("Enter");
  await expect(list(later, /^30 files still missing/)).toHaveCount(30);
  await expectAccessible(later);
  await later.setViewportSize({ width: 320, height: 700 });
  const isWhole = () => later.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  expect(await isWhole()).toBe(true);
  await later.setViewportSize({ width: 1280, height: 900 });

  // The same files again: those already uploaded are not sent again.
  const again: string[] = [];
  later.on("request", (request) => {
    if (request.url().endsWith("uploads.send")) again.push(request.url());
  });
  await chooseAll(later, all);
  const undecided = list(later, /^3 files without a contract/);
  await expect(undecided).toHaveCount(3, slowly);
  await expect(later.getByRole("heading", { name: "47 contracts created" })).toBeVisible(slowly);
  expect(again).toHaveLength(30);
  const line = (name: string) => undecided.filter({ hasText: name });
  await expect(line("copy.pdf")).toContainText("The same document is in Order 01.");
  await expect(line(longName)).toContainText("The same document is in Kept.");
  await expect(line("broken.pdf")).toContainText("is cut off");
  await expectAccessible(later);
  await later.getByRole("button", { name: "Create anyway: copy.pdf" }).press("Enter");
  await expect(later.getByRole("heading", { name: "48 contracts created" })).toBeVisible(slowly);
  await later.getByRole("button", { name: `Skip: ${longName}` }).press("Enter");
  await later.getByRole("button", { name: "Skip: broken.pdf" }).press("Enter");
  await expect(list(later, /^2 files skipped/)).toHaveCount(2);
  const { body } = await workspace.api("GET /contracts?q=order");
  expect(body.total).toBe(47);
  expect((await workspace.api("GET /contracts")).body.total).toBe(49);
  await later.getByRole("button", { name: "Clear the list" }).press("Enter");
  await expect(later.getByRole("region", { name: /created$/ })).toHaveCount(0);
  await later.goto("/contracts");
  await expect(later.getByText("of your upload")).toHaveCount(0);
});

test("an upload resumes by itself after reconnecting or signing in, and lists invalid files until resolved", async ({
  page,
  workspace,
}) => {
  const member = await signIn(page, workspace);
  await page.goto("/contracts/upload");
  const [first, second, third, fourth] = (await files(4)) as [Named, Named, Named, Named];
  const words = Buffer.from("Only words");
  const noDocuments = page.getByText("It is not a PDF or Word document");
  await chooseAll(page, [
    [first[0], words],
    ["notes.txt", words],
  ]);
  await expect(noDocuments).toHaveCount(2);
  await chooseAll(page, [first]);
  await expect(noDocuments).toHaveCount(1);
  await expect(page.getByRole("heading", { name: "1 contract created" })).toBeVisible(slowly);
  await setOffline(page, true);
  await chooseAll(page, [second]);
  await expect(page.getByText("The connection is lost.")).toBeVisible();
  await setOffline(page, false);
  await expect(page.getByRole("heading", { name: "2 contracts created" })).toBeVisible(slowly);
  await database().prisma.session.updateMany({
    where: { userId: member.userId },
    data: { revokedAt: new Date() },
  });
  await chooseAll(page, [third]);
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  await dialog.getByLabel("Password", { exact: true }).fill(memberPassword);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "3 contracts created" })).toBeVisible(slowly);

  // A folder, without the hidden files that operating systems leave in it.
  const folder = test.info().outputPath("Suppliers");
  await mkdir(join(folder, "North"), { recursive: true });
  await writeFile(join(folder, "North", fourth[0]), fourth[1]);
  await writeFile(join(folder, "order_form.docx"), await docxOf(["Dear Ben, thank you for your order."]));
  await writeFile(join(folder, ".DS_Store"), "hidden");
  await page.getByLabel("Choose a folder").setInputFiles(folder);
  await expect(page.getByRole("heading", { name: "5 contracts created" })).toBeVisible(slowly);
  await expect(page.getByText(`Suppliers/North/${fourth[0]}`)).toBeVisible();
  await expect(page.getByText("DS_Store")).toHaveCount(0);
  await expect(page.getByText("Suppliers/order_form.docx")).toBeVisible();
  const { total, data } = (await workspace.api("GET /contracts?q=order+form")).body;
  expect(total).toBe(1);
  const versions = (await workspace.api(`GET /contracts/${data[0].id}/versions`)).body.data;
  expect(versions[0]).toMatchObject({ fileName: "order_form.docx", source: "UPLOADED" });
  expect((await workspace.api("GET /contracts")).body.total).toBe(5);
  const clear = page.getByRole("button", { name: "Clear the list" });
  await clear.click();
  await expect(noDocuments).toHaveCount(0);
  await expect(clear).toHaveCount(0);
  await chooseAll(page, [["notes.txt", words]]);
  await expect(noDocuments).toHaveCount(1);
  await clear.click();
  await expect(noDocuments).toHaveCount(0);
});
