/** Search finds documents by their words, quotes the passage, and opens it at its place. */
import type { Page } from "@playwright/test";
import { inJson } from "../documents.ts";
import type { Workspace } from "../fixtures.ts";
import { pdfOf } from "../pdf.ts";
import { expect, expectAccessible, signIn, test } from "./fixtures.ts";

/** Documents are read by separate processes, which wait for their turn, and are then indexed. */
const slowly = { timeout: 120_000 };

const renewal = "4.2 Either party may prevent the renewal by a written notice of ninety days.";
const pages = [
  ["1. Definitions", "In this agreement capitalized terms have the meaning given below."],
  ["4.1 The term is twelve months.", renewal, "4.3 Fees are paid within thirty days."],
];

async function agreement(workspace: Workspace, fields: Record<string, unknown> = {}): Promise<string> {
  const document = inJson({
    fileName: "agreement.pdf",
    contentType: "application/pdf",
    bytes: await pdfOf(pages),
  });
  const { id } = await workspace.contract({ document, allowDuplicate: true, ...fields });
  return id;
}

/** Waits until the words are found, by reloading the page, as a user would. */
async function untilFound(page: Page, address: string): Promise<void> {
  await expect(async () => {
    await page.goto(address);
    await expect(page.getByRole("list", { name: "Clauses" })).toBeVisible({ timeout: 2_000 });
  }).toPass(slowly);
}

test("text in documents is found from the contract list, quoted, and opened at its page with a highlight", async ({
  page,
  workspace,
}) => {
  await agreement(workspace, { title: "Hosting – Northwind" });
  await signIn(page, workspace);
  await untilFound(page, "/contracts?in=documents&q=renewal+notice");
  await page.goto("/contracts");
  await page.getByRole("searchbox", { name: "Search contracts" }).fill("prevent the renewal");
  await page.getByRole("button", { name: "Search inside documents" }).click();
  await expect(page).toHaveURL(/in=documents/);
  const hit = page.getByRole("list", { name: "Clauses" }).getByRole("listitem").first();
  await expect(hit).toContainText("Either party may prevent the renewal by a written notice of ninety days");
  await expect(hit).toContainText("Version 1, page 2");
  await expect(hit.locator("mark", { hasText: "renewal" })).toBeVisible();
  await expectAccessible(page);
  await hit.getByRole("link", { name: "Hosting – Northwind" }).press("Enter");
  const viewer = page.getByRole("region", { name: "agreement.pdf, version 1" });
  const mark = viewer.locator("mark", { hasText: "renewal" });
  await expect(mark.first()).toBeInViewport();
  await expect(page.getByRole("textbox", { name: "Page" })).toHaveValue("2");
});

test("the contract list's filters also apply to search inside documents", async ({ page, workspace }) => {
  await agreement(workspace, { title: "Under an NDA", type: "NDA" });
  await agreement(workspace, { title: "Under a lease", type: "LEASE" });
  await signIn(page, workspace);
  await untilFound(page, "/contracts?in=documents&q=renewal&type=LEASE");
  await expect(page.getByRole("link", { name: "Under a lease" }).first()).toBeVisible();
  await expect(page.getByRole("link", { name: "Under an NDA" })).toHaveCount(0);
  await page.getByRole("searchbox", { name: "Search documents" }).fill("earthquake");
  await expect(page.getByText("No clause found")).toBeVisible();
});

test("the command palette finds text inside documents and opens its page, even in a version already open", async ({
  page,
  workspace,
}) => {
  const id = await agreement(workspace, { title: "Hosting" });
  await signIn(page, workspace);
  await untilFound(page, "/contracts?in=documents&q=ninety+days");
  await page.goto("/home");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("ninety days notice");
  const found = page.getByRole("group", { name: "In documents" }).getByRole("option");
  await expect(found.nth(1)).toContainText("written notice of ninety days");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/contracts/${id}/versions/.*page=2.*mark=ninety`));
  // The version is already open, at another page.
  const viewer = page.getByRole("region", { name: "agreement.pdf, version 1" });
  const number = page.getByRole("textbox", { name: "Page" });
  await expect(viewer.locator("mark", { hasText: "ninety" }).first()).toBeInViewport();
  await viewer.press("Home");
  await expect(number).toHaveValue("1");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("fees are paid within thirty");
  await expect(found.nth(1)).toContainText("Fees are paid within thirty days");
  await found.nth(1).click();
  await expect(viewer.locator("mark", { hasText: "thirty" }).first()).toBeInViewport();
  await expect(number).toHaveValue("2");
  // A reader who has moved on is not taken back.
  await viewer.press("Home");
  await expect(page).not.toHaveURL(/page=2/);
  await expect(number).toHaveValue("1");
});

test("Enter in the command palette opens the contract with that title before any match inside documents", async ({
  page,
  workspace,
}) => {
  const id = await agreement(workspace, { title: "Ninety days of renewal" });
  await signIn(page, workspace);
  await untilFound(page, "/contracts?in=documents&q=ninety+days");
  await page.goto("/home");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("ninety days");
  await expect(page.getByRole("group", { name: "In documents" }).getByRole("option").nth(1)).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/contracts/${id}`);
});

test("search results with long unbroken names fit on a 320 px screen", async ({ page, workspace }) => {
  const name = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";
  const party = await workspace.api("POST /counterparties", { body: { name } });
  const title = "Αγγειοχειρουργική".repeat(8);
  await agreement(workspace, { title, counterpartyId: party.body.counterparty.id });
  await signIn(page, workspace);
  await page.setViewportSize({ width: 320, height: 700 });
  await untilFound(page, "/contracts?in=documents&q=renewal");
  await expect(page.getByRole("link", { name: title }).first()).toBeVisible();
  const sideways = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(sideways).toBe(0);
  await expectAccessible(page);
});
