/** Texts for people contain no names, ids or advice that only programs understand. */

import type { Page } from "@playwright/test";
import { pdfOf } from "../pdf.ts";
import { expect, signIn, test } from "./fixtures.ts";

/** A separate process reads a document. */
const slowly = { timeout: 30_000 };

/** Words that only the API uses. */
const forPrograms = /allowDuplicate|[a-z]{2,3}_[0-9a-z]{26}|\b[A-Z]+_[A-Z]+\b/;

async function beginContract(page: Page, buffer: Buffer): Promise<void> {
  await page.goto("/contracts/new");
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "DRAFT_AGREEMENT.pdf", mimeType: "application/pdf", buffer });
  await page.getByLabel("Type").selectOption("MSA");
  await page.getByRole("button", { name: "Create the contract" }).click();
}

test("a duplicate document is reported in plain words and can be added anyway", async ({
  page,
  workspace,
}) => {
  await signIn(page, workspace);
  const document = await pdfOf([["Twice"]]);
  await beginContract(page, document);
  await expect(page).toHaveURL(/\/contracts\/ctr_/, slowly);
  await beginContract(page, document);
  const refusal = page.locator("form").getByRole("alert");
  await expect(refusal).toContainText(
    'This document already exists: it is version 1 of the contract "DRAFT AGREEMENT". If that is intended, create it anyway.',
    slowly,
  );
  // Except in the file's own name.
  expect((await refusal.innerText()).replaceAll("DRAFT_AGREEMENT.pdf", "")).not.toMatch(forPrograms);
  await page.getByRole("button", { name: "Create it anyway" }).click();
  await expect(page).toHaveURL(/\/contracts\/ctr_/, slowly);
  expect((await workspace.api("GET /contracts")).body.total).toBe(2);
});

test("a refused status change is explained without API constants", async ({ page, workspace }) => {
  const { id } = await workspace.contract();
  await signIn(page, workspace);
  await page.goto(`/contracts/${id}`);
  const status = page.getByRole("button", { name: /^Status: / });
  await status.click();
  await expect(page.getByRole("menuitem", { name: "In review" })).toBeVisible();
  // Someone else changes the status first.
  await workspace.api(`POST /contracts/${id}/status`, { body: { next: "EXECUTED" } });
  await page.getByRole("menuitem", { name: "In review" }).click();
  const toast = page.getByRole("region", { name: "Notifications" });
  await expect(toast).toContainText("That did not work");
  await expect(toast).not.toContainText(forPrograms);
  await expect(toast).not.toContainText(/\b[A-Z]{4,}\b/);
});

test("audit log details label fields in plain words", async ({ page, workspace }) => {
  const { id } = await workspace.contract({ effectiveDate: "2030-01-01" });
  const obligation = {
    ...{ contractId: id, kind: "REPORTING", title: "Report", anchorType: "EFFECTIVE_DATE" },
    recurrenceMonths: 3,
  };
  const made = await workspace.api("POST /obligations", { body: obligation });
  const path = `/obligations/${made.headers.get("location")!.split("/").at(-1)}` as const;
  await workspace.api(`PATCH ${path}`, { body: { status: "COMPLETED" } });
  await signIn(page, workspace, "admin");
  await page.goto("/settings/audit?action=OBLIGATION_COMPLETED");
  // The contract's name is a separate link, wherever it stands in the line.
  await page.getByRole("button", { name: /completed an obligation/ }).press("Enter");
  const sheet = page.getByRole("dialog");
  await expect(sheet).toContainText("Times completed");
  await expect(sheet).toContainText("Due date");
  await expect(sheet).not.toContainText("Completed count");
});

test("a new signature request starts from the list of requests by searching for a contract", async ({
  page,
  workspace,
}) => {
  const contract = await workspace.contract({ title: "Rahmenvertrag-Übertragungsleitungsmasten" });
  await signIn(page, workspace);
  await page.goto("/signatures");
  await expect(page.getByText("Nothing has been sent for signature yet")).toBeVisible();
  await page.getByRole("button", { name: "New request" }).first().click();
  const dialog = page.getByRole("dialog", { name: "New signature request" });
  await dialog.getByRole("searchbox", { name: "Search contracts" }).fill("übertragung");
  await dialog.getByRole("link", { name: contract.title }).click();
  await expect(page).toHaveURL(`/contracts/${contract.id}/send`);
});
