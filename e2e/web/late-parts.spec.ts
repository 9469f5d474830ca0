/** Parts of a page that load after it, on a network that delays them. */
import type { Page } from "@playwright/test";
import { createCustomField } from "#lib/custom-fields/custom-fields.ts";
import { VariableSettings } from "#lib/templates/schema.ts";
import { pdfOf } from "../pdf.ts";
import { templateIn } from "../templates.ts";
import { dragIn } from "./drop.ts";
import { expect, expectAccessible, hands, saveData, setOffline, signIn, test } from "./fixtures.ts";

/** After hold(), no script reaches the page until release(). Must be set up before the page is opened. */
async function gate(page: Page): Promise<{ hold(): void; release(): void }> {
  let opened = Promise.withResolvers<void>();
  opened.resolve();
  await page.route("**/_next/static/chunks/**", async (route) => {
    await opened.promise;
    await route.continue();
  });
  return {
    hold() {
      opened = Promise.withResolvers<void>();
    },
    release: () => opened.resolve(),
  };
}

test("a popover still loading its form takes focus, passes it to the form, and returns it when closed", async ({
  page,
  workspace,
}) => {
  await createCustomField(workspace.ctx, { key: "note", name: "Note", type: "text", options: [] });
  const { id } = await workspace.contract();
  await saveData(page);
  await signIn(page, workspace);
  const scripts = await gate(page);
  await page.goto(`/contracts/${id}`);
  const note = page.getByRole("button", { name: "Set Note" });
  await expect(note).toBeVisible();
  // The popover itself was loaded for the first button that was hovered.
  await note.hover();
  await expect(note).toHaveAttribute("data-state", "closed");
  const opened = [
    { button: "Set a value", popover: "Value", field: page.getByRole("textbox", { name: "Value" }) },
    { button: "Add a tag", popover: "Add a tag", field: page.getByRole("combobox") },
  ];
  for (const { button, popover, field } of opened) {
    scripts.hold();
    await page.getByRole("button", { name: button }).press("Enter");
    const dialog = page.getByRole("dialog", { name: popover });
    await expect(dialog).toBeFocused();
    scripts.release();
    await expect(dialog.and(page.locator(":has(input)"))).toBeVisible();
    await expect(field.last()).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(page.getByRole("button", { name: button })).toBeFocused();
  }
  await note.press("Enter");
  await expect(page.getByRole("dialog", { name: "Note" }).getByRole("textbox")).toBeFocused();
});

test("a confirmation requested offline before its code has loaded opens on reconnecting", async ({
  page,
  workspace,
}) => {
  await createCustomField(workspace.ctx, { key: "note", name: "Note", type: "text", options: [] });
  await saveData(page);
  await signIn(page, workspace, "owner");
  await page.goto("/settings/custom-fields");
  const remove = page.getByRole("button", { name: "Delete Note" });
  await setOffline(page, true);
  await remove.press("Enter");
  await expect(page.getByText(/this part of the page loads automatically/)).toBeVisible();
  await setOffline(page, false);
  const dialog = page.getByRole("dialog", { name: "Delete “Note”?" });
  await expect(dialog.getByRole("button", { name: "Close" })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(remove).toBeFocused();
});

test("text typed before the command palette has loaded is searched once it has, and triggers no shortcut", async ({
  page,
  workspace,
}) => {
  await saveData(page);
  await signIn(page, workspace);
  const scripts = await gate(page);
  await page.goto("/home");
  scripts.hold();
  await page.keyboard.press("Control+k");
  // The first of these letters alone would open the form for a new contract.
  await page.keyboard.type("ninettz");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("y days");
  await page.keyboard.press("Enter");
  scripts.release();
  const input = page.getByRole("combobox");
  await expect(input).toHaveValue("ninety days");
  await expect(input).toBeFocused();
  // Pressing it again changes nothing.
  await page.keyboard.press("Control+k");
  await page.keyboard.type(" notice");
  await expect(input).toHaveValue("ninety days notice");
  await expect(page).toHaveURL(/\/home$/);
  await page.keyboard.press("Escape");
  await expect(input).toBeHidden();
  await page.keyboard.press("Control+k");
  await expect(input).toHaveValue("");
  await page.keyboard.press("Escape");
  await page.keyboard.press("n");
  await expect(page).toHaveURL(/\/contracts\/new$/);
});

test("Enter pressed before the command palette has loaded opens the matching page or contract, or nothing", async ({
  page,
  workspace,
}) => {
  const { id } = await workspace.contract({ title: "Acme hosting" });
  await saveData(page);
  await signIn(page, workspace);
  const scripts = await gate(page);
  const ways = [
    ["my appr", /\/approvals$/],
    ["acme hosting", `/contracts/${id}`],
    ["nothing is called so", /\/home$/],
  ] as const;
  for (const [words, address] of ways) {
    await page.goto("/home");
    scripts.hold();
    await page.keyboard.press("Control+k");
    await page.keyboard.type(words);
    await page.keyboard.press("Enter");
    // Keys after Enter have no effect.
    await page.keyboard.type("n");
    scripts.release();
    await expect(page).toHaveURL(address);
  }
  await expect(
    page.getByRole("option", { name: "Search documents for “nothing is called so”" }),
  ).toBeVisible();
  await expect(page).toHaveURL(/\/home$/);
});

test("a form submitted before its validation has loaded shows that it is busy, and is sent once loaded", async ({
  page,
  workspace,
}) => {
  await saveData(page);
  await signIn(page, workspace, "owner");
  const scripts = await gate(page);
  await page.goto("/counterparties");
  await page.getByRole("button", { name: "New counterparty" }).first().click();
  const dialog = page.getByRole("dialog", { name: "New counterparty" });
  const name = dialog.getByRole("textbox", { name: "Name" });
  await expect(name).toBeFocused();
  scripts.hold();
  await name.fill("株式会社ノースウィンド");
  await name.press("Enter");
  await expect(dialog.getByRole("button", { name: "Add the counterparty" })).toHaveAttribute(
    "aria-busy",
    "true",
  );
  scripts.release();
  await expect(page.getByRole("heading", { name: "株式会社ノースウィンド" })).toBeVisible();
});

test("Escape or a click before the command palette has loaded cancels it and frees the keyboard", async ({
  page,
  workspace,
}) => {
  await saveData(page);
  await signIn(page, workspace);
  const scripts = await gate(page);
  const search = page.getByRole("searchbox", { name: "Search contracts" });
  const ways = [() => search.click(), () => page.keyboard.press("Escape").then(() => search.focus())];
  for (const leave of ways) {
    await page.goto("/contracts");
    await expect(search).toBeVisible();
    scripts.hold();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("gone");
    await leave();
    await page.keyboard.type("lease");
    await expect(search).toHaveValue("lease");
    scripts.release();
    await page.keyboard.type("s");
    await expect(search).toHaveValue("leases");
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("combobox")).toHaveValue("");
  }
});

test("files dropped on a contract before its Documents section has loaded become versions in order", async ({
  page,
  workspace,
}) => {
  const { id } = await workspace.contract();
  await signIn(page, workspace);
  // Holds back every script that the page does not name from the start, including the part that accepts documents.
  let isLate = true;
  const held: (() => void)[] = [];
  const document = await (await page.request.get(`/contracts/${id}`)).text();
  await page.route("**/_next/static/chunks/**", async (route) => {
    const isNamed = document.includes(new URL(route.request().url()).pathname.replace("/_next/", ""));
    if (isLate && !isNamed) await new Promise<void>((go) => held.push(go));
    await route.continue();
  });
  // Some of these scripts may be requested early, and then delay the load event, too.
  await page.goto(`/contracts/${id}`, { waitUntil: "domcontentloaded" });
  const section = page.getByRole("region", { name: "Documents" });
  await expect(section).toBeVisible();
  await expect(section.getByRole("button")).toHaveCount(0);
  const drop = await dragIn(
    page,
    [
      ["first-draft.pdf", await pdfOf([["One"]])],
      ["second-draft.pdf", await pdfOf([["Two"]])],
    ],
    "Drop it to add a version",
  );
  expect(await drop()).toBe("handled");
  isLate = false;
  for (const go of held) go();
  const versions = page.getByRole("list", { name: "Versions" }).getByRole("listitem");
  await expect(versions).toHaveCount(2, { timeout: 30_000 });
  await expect(versions.nth(0)).toContainText("second-draft.pdf");
  await expect(versions.nth(1)).toContainText("first-draft.pdf");
});

test("the template form renders before hydration and accepts no input that it would lose", async ({
  page,
  workspace,
}) => {
  const { id } = await templateIn(workspace.ctx, ["The fee is {fee}."], {
    name: "Services",
    variables: [VariableSettings.parse({ key: "fee", label: "Fee", type: "text" })],
  });
  await signIn(page, workspace);
  await page.goto("/home");
  const scripts = await gate(page);
  scripts.hold();
  await page.evaluate((path) => window.location.assign(path), `/templates/${id}/use`);
  const fee = page.getByLabel("Fee");
  await expect(fee).toBeVisible();
  await fee.click({ force: true });
  await page.keyboard.type("100");
  await expect(fee).toHaveValue("");
  scripts.release();
  await hands(page);
  await fee.fill("200 euros");
  await expect(fee).toHaveValue("200 euros");
  await expect(page.getByRole("status").filter({ hasText: "still missing" })).toBeVisible();
});
