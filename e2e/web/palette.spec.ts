/** Ctrl-K finds anything with a name, creates anything, and moves a contract on. */
import type { Page } from "@playwright/test";
import { sent } from "../signing.ts";
import { expect, partsLoaded, setOffline, signIn, test } from "./fixtures.ts";

async function open(page: Page, words: string) {
  await page.keyboard.press("Control+k");
  await page.getByPlaceholder(/Find a contract/).fill(words);
  // Results from the contract or the server arrive a moment later.
  await expect(page.getByRole("option", { name: words, selected: true })).toBeVisible();
}

test("the command palette finds contacts and signature requests by name", async ({ page, workspace }) => {
  const envelope = await sent(workspace, [{ name: "Sam Signer" }]);
  const party = await workspace.api("POST /counterparties", { body: { name: "株式会社ノースウィンド" } });
  const { id } = party.body.counterparty;
  const person = { name: "김민준", email: "minjun@northwind.example" };
  await workspace.api(`POST /counterparties/${id}/contacts`, { body: person });
  await signIn(page, workspace);
  await page.goto("/home");
  await open(page, "김민");
  await page
    .getByRole("group", { name: "Contacts" })
    .getByRole("option", { name: /김민준/ })
    .click();
  await expect(page).toHaveURL(`/counterparties/${id}`);
  await open(page, "master services");
  await page.getByRole("group", { name: "Signature requests" }).getByRole("option").click();
  await expect(page).toHaveURL(`/signatures/${envelope.id}`);
});

test("a page under a dialog takes no clicks, and its elements' own pointer-events are unchanged", async ({
  page,
  workspace,
}) => {
  await signIn(page, workspace, "owner");
  await page.goto("/home");
  const link = page.getByRole("navigation", { name: "Workspace" }).getByText("Obligations");
  const { x, y, width, height } = (await link.boundingBox())!;
  const look = () =>
    page.evaluate(
      ([left, top]) => ({
        inPage: getComputedStyle(document.getElementById("main")!).pointerEvents,
        // The area around the toasts must not intercept a dialog's clicks.
        aroundToasts: getComputedStyle(document.querySelector('[aria-label="Notifications"]')!).pointerEvents,
        isReached: document.elementFromPoint(left!, top!)?.closest("nav") != null,
      }),
      [x + width / 2, y + height / 2],
    );
  const open = { inPage: "auto", aroundToasts: "none", isReached: true };
  expect(await look()).toEqual(open);
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(await page.evaluate(() => document.body.style.pointerEvents)).toBe("none");
  expect(await look()).toEqual({ ...open, isReached: false });
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect.poll(look).toEqual(open);
});

test("the command palette opens the dialogs for a new counterparty, template and invitation", async ({
  page,
  workspace,
}) => {
  await signIn(page, workspace, "owner");
  await page.goto("/home");
  for (const [words, dialog] of [
    ["new counterparty", "New counterparty"],
    ["new template", /template/i],
    ["invite", "Invite someone"],
  ] as const) {
    await open(page, words);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog", { name: dialog })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }
});

test("the command palette changes the open contract's status, and asks before cancelling it", async ({
  page,
  workspace,
}) => {
  const { id } = await workspace.contract({ title: "Lease" });
  await signIn(page, workspace);
  await page.goto(`/contracts/${id}`);
  await open(page, "move to in review");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Status: In review. Change" })).toBeVisible();
  await open(page, "move to cancelled");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Cancel the contract" }).click();
  await expect(page.getByRole("button", { name: "Status: Cancelled. Change" })).toBeVisible();
  const status = async () => (await workspace.api(`GET /contracts/${id}`)).body.contract.status;
  await expect.poll(status).toBe("CANCELLED");
});

test("the command palette offers a viewer no action that would be refused", async ({ page, workspace }) => {
  const { id } = await workspace.contract();
  await signIn(page, workspace, "viewer");
  await page.goto(`/contracts/${id}`);
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("option", { name: "Contracts" })).toBeVisible();
  await expect(page.getByRole("option", { name: /^(New|Move to|Invite|Mint|Add|Send)/ })).toHaveCount(0);
});

test("the keyboard shortcuts dialog opens without a connection", async ({ page, workspace, context }) => {
  await signIn(page, workspace);
  await page.goto("/home");
  await partsLoaded(page);
  await context.setOffline(true);
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await context.setOffline(false);
});

/** Holds all searches by name until the returned function is called. */
async function holdSearches(page: Page): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route(/search\.jump/, async (route) => {
    await held.promise;
    await route.continue();
  });
  return held.resolve;
}

test("Enter in the command palette waits for the current words' results and never opens an earlier one", async ({
  page,
  workspace,
}) => {
  const acme = await workspace.contract({ title: "Acme hosting" });
  const beta = await workspace.contract({ title: "Beta hosting" });
  await signIn(page, workspace);
  await page.goto("/home");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("acme");
  const found = page.getByRole("group", { name: "Contracts" }).getByRole("option");
  await expect(found).toContainText("Acme hosting");
  const release = await holdSearches(page);
  await page.keyboard.press("Control+a");
  await page.keyboard.type("beta");
  await page.keyboard.press("Enter");
  await expect(found, "it stays where it is until the answer has come").toContainText("Acme hosting");
  release();
  await expect(page).toHaveURL(`/contracts/${beta.id}`);
  await page.goBack();
  await expect(page, `it led to ${acme.id} before`).toHaveURL("/home");
});

test("Enter before the command palette has results opens the match, unless the words change or it closes", async ({
  page,
  workspace,
}) => {
  const acme = await workspace.contract({ title: "Acme hosting" });
  const beta = await workspace.contract({ title: "Beta hosting" });
  await signIn(page, workspace);
  await page.goto("/home");
  const release = await holdSearches(page);
  const openPalette = async () => {
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("combobox")).toBeFocused();
  };
  await openPalette();
  await page.keyboard.type("acme");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("beta");
  release();
  const found = page.getByRole("group", { name: "Contracts" }).getByRole("option");
  await expect(found).toContainText("Beta hosting");
  await expect(page.getByRole("option", { name: "Search documents for “beta”" })).toBeVisible();
  await expect(page).toHaveURL("/home");
  await page.keyboard.press("Escape");
  const releaseAgain = await holdSearches(page);
  await openPalette();
  await page.keyboard.type("acme hosting");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await openPalette();
  await page.keyboard.type("beta hosting");
  await page.keyboard.press("Enter");
  releaseAgain();
  await expect(page).toHaveURL(`/contracts/${beta.id}`);
  await page.goBack();
  await expect(page, `it led to ${acme.id} before`).toHaveURL("/home");
});

test("Enter that ends an IME composition in the command palette opens nothing", async ({
  page,
  workspace,
}) => {
  const sakura = await workspace.contract({ title: "さくらホスティング基本契約書" });
  await signIn(page, workspace);
  await page.goto("/home");
  const release = await holdSearches(page);
  await page.keyboard.press("Control+k");
  const input = page.getByRole("combobox");
  await expect(input).toBeFocused();
  await page.keyboard.insertText("さくら");
  // The event as Safari reports it.
  await input.dispatchEvent("keydown", { key: "Enter", keyCode: 229 });
  release();
  await expect(page.getByRole("option", { name: "Search documents for “さくら”" })).toBeVisible();
  await expect(page).toHaveURL("/home");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/contracts/${sakura.id}`);
});

test("the command palette reports a failed search instead of saying that nothing matches", async ({
  page,
  workspace,
}) => {
  await signIn(page, workspace);
  await page.goto("/home");
  await setOffline(page, false);
  await page.route(/search\.jump/, (route) => route.abort());
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("Donaudampfschifffahrt");
  await expect(page.getByRole("dialog").getByRole("alert")).toContainText(/\S/, { timeout: 20_000 });
  await expect(page.getByText(/^Nothing matches/)).toHaveCount(0);
});
