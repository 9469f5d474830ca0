/** Lost connections, and a server that is updated while a page is open. */
import type { Locator, Page } from "@playwright/test";
import { draft, linkOf, sent } from "../signing.ts";
import { expect, outdate, partsLoaded, saveData, setOffline, signIn, test } from "./fixtures.ts";

async function agree(page: Page) {
  await page.getByRole("checkbox", { name: "I agree" }).check();
  await page.getByRole("button", { name: "Agree and continue" }).click();
  await expect(page.getByRole("button", { name: /^Signature, page 1/ })).toBeVisible();
}

const title = (page: Page) => page.getByRole("textbox", { name: /^Title of the post/ });
const words = "Leiterin Einkauf und Donaudampfschifffahrtsgesellschaftskapitänsmützen, 구매 책임자";

test("a signer who loses the connection is told, keeps all values, and signs exactly once when it returns", async ({
  page,
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ελένη Παπαδοπούλου" }, { name: "Ben", orderIndex: 1 }]);
  await saveData(page);
  await page.goto(await linkOf(workspace, envelope));
  await agree(page);
  await setOffline(page, true);
  await title(page).fill(words);
  await expect(
    page.getByText("No connection: what you enter is kept, and saved once it is back"),
  ).toBeVisible();
  await page.getByRole("button", { name: /^Signature, page 1/ }).click();
  await expect(page.getByText(/^There is no connection\./)).toBeVisible();
  await setOffline(page, false);
  await expect(page.getByRole("dialog", { name: "Your signature" })).toBeVisible();
  await page.getByRole("button", { name: "Adopt and sign" }).click();
  await expect(page.getByRole("button", { name: "Finish" })).toBeVisible();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await page.reload();
  await expect(title(page)).toHaveValue(words);
  await expect(page.getByRole("button", { name: "Finish" })).toBeVisible();
  await setOffline(page, true);
  await page.getByRole("button", { name: "Finish" }).click();
  await expect(page.getByText("No connection: your signature is sent as soon as it is back")).toBeVisible();
  await setOffline(page, false);
  await expect(page.getByRole("heading", { name: "You have signed" })).toBeVisible();
  const { body } = await workspace.api(`GET /signatures/${envelope.id}/events`);
  expect(body.data.filter(({ type }: { type: string }) => type === "SIGNED")).toHaveLength(1);
});

test("values that a signer could not save survive a reload and are then saved", async ({
  page,
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann Ames" }]);
  await page.goto(await linkOf(workspace, envelope));
  await agree(page);
  await page.route("**/api/sign/saveValues", (route) => route.abort());
  await setOffline(page, false);
  await title(page).fill(words);
  await expect(page.getByText("Not all is saved")).toBeVisible();
  await page.unroute("**/api/sign/saveValues");
  await page.reload();
  await expect(title(page)).toHaveValue(words);
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
});

test("a document that failed to load offline is shown when the connection returns", async ({
  page,
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann Ames" }]);
  const lost = ["**/livez", "**/pdf.worker*", "**/api/files/**"];
  for (const address of lost) await page.route(address, (route) => route.abort());
  await setOffline(page, false);
  await page.goto(await linkOf(workspace, envelope));
  await expect(page.getByRole("heading", { name: "asks you to sign" })).toBeVisible();
  await expect(page.locator("canvas")).toHaveCount(0);
  for (const address of lost) await page.unroute(address);
  await expect(page.locator("canvas").first()).toBeVisible({ timeout: 20_000 });
});

test("the signing page preloads its dialogs, so they open after the connection is lost", async ({
  page,
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann Ames" }]);
  await page.goto(await linkOf(workspace, envelope));
  await agree(page);
  await partsLoaded(page);
  await setOffline(page, true);
  await page.getByRole("button", { name: "More" }).click();
  await expect(page.getByRole("dialog", { name: "More" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Signature, page 1/ }).click();
  await expect(page.getByRole("dialog", { name: "Your signature" })).toBeVisible();
});

test("a server update during signing reloads the page without losing entered values", async ({
  page,
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann Ames" }]);
  await saveData(page);
  await page.goto(await linkOf(workspace, envelope));
  await agree(page);
  await title(page).fill(words);
  await outdate(page);
  const again = page.waitForEvent("load");
  await page.getByRole("button", { name: /^Signature, page 1/ }).click();
  await again;
  await expect(title(page)).toHaveValue(words);
  await page.getByRole("button", { name: /^Signature, page 1/ }).click();
  await expect(page.getByRole("dialog", { name: "Your signature" })).toBeVisible();
});

test("offline navigation keeps the page, and a dialog requested offline says so and opens on reconnecting", async ({
  page,
  workspace,
}) => {
  await saveData(page);
  await signIn(page, workspace, "owner");
  await page.goto("/settings/members");
  await expect(page.getByText("Olive Owner").first()).toBeVisible();
  await setOffline(page, true);
  await page.getByRole("link", { name: "Contracts" }).first().click();
  await page.getByRole("button", { name: "Invite" }).first().click();
  await expect(page.getByText(/this part of the page loads automatically/)).toBeVisible();
  await expect(page).toHaveURL(/settings\/members/);
  await setOffline(page, false);
  await expect(page.getByRole("dialog", { name: /Invite/ })).toBeVisible();
});

test("after a server update a member's page reloads itself, but not over unsaved input", async ({
  page,
  workspace,
}) => {
  await saveData(page);
  await signIn(page, workspace, "owner");
  await page.goto("/settings/members");
  await outdate(page);
  const again = page.waitForEvent("load");
  await page.getByRole("button", { name: "Invite" }).first().click();
  await again;
  await page.evaluate(() => sessionStorage.clear());
  await page.goto("/contracts/new");
  await page.getByLabel("Title").fill(words);
  await outdate(page);
  await page
    .getByRole("combobox", { name: /Counterparty/ })
    .or(page.getByRole("button", { name: /ounterparty/ }))
    .first()
    .click();
  await expect(page.getByRole("button", { name: "Reload the page" })).toBeVisible({ timeout: 20_000 });
  await expect(page.getByLabel("Title")).toHaveValue(words);
});

test("a signature request draft edited offline says so, keeps its entries, and saves them on reconnecting", async ({
  page,
  workspace,
}) => {
  const { id } = await draft(workspace, [{ name: "Ana" }]);
  await signIn(page, workspace);
  await page.goto(`/signatures/${id}/edit?step=signers`);
  await setOffline(page, true);
  await page.getByLabel("Message").fill(words);
  await expect(
    page.getByText("No connection: what you enter is kept, and saved once it is back"),
  ).toBeVisible();
  await page.getByRole("button", { name: "Next: fields" }).click();
  await expect(page.getByText(/the next step opens once your entries can be saved/)).toBeVisible();
  await setOffline(page, false);
  await expect(page.getByText("Draft saved")).toBeVisible();
  await page.getByRole("button", { name: "Next: fields" }).click();
  await expect(page.getByRole("region", { name: "Fields to place" })).toBeVisible();
  await page.reload();
  await page.goto(`/signatures/${id}/edit?step=signers`);
  await expect(page.getByLabel("Message")).toHaveValue(words);
});

test("the last edit of a signature request draft survives an immediate reload", async ({
  page,
  workspace,
}) => {
  const { id } = await draft(workspace, [{ name: "Ana" }]);
  await signIn(page, workspace);
  page.on("dialog", (dialog) => dialog.accept());
  // Simulates slow timers, so that what shows the draft learns late that it was saved.
  await page.addInitScript(() => {
    const later = window.setTimeout.bind(window);
    window.setTimeout = ((act: () => void, ms = 0) => later(act, ms + 100)) as typeof window.setTimeout;
  });
  await page.goto(`/signatures/${id}/edit?step=signers`);
  await page.getByLabel("Message").fill(words);
  await page.reload();
  await expect(page.getByLabel("Message")).toHaveValue(words);
  await expect(page.getByText("Draft saved")).toBeVisible();
});

test("“Finish later” asks to keep the page open until everything is saved, and then confirms it", async ({
  page,
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann Ames" }]);
  await page.goto(await linkOf(workspace, envelope));
  await agree(page);
  await setOffline(page, false);
  await page.route("**/api/sign/saveValues", (route) => route.abort());
  await title(page).fill(words);
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("button", { name: /^Finish later/ }).click();
  const dialog = page.getByRole("dialog", { name: "Finish later" });
  await expect(dialog.getByText(/^Not saved yet: keep this page open/)).toBeVisible();
  await expect(dialog.getByText(/is saved\. Close this page/)).toHaveCount(0);
  await page.unroute("**/api/sign/saveValues");
  await expect(dialog.getByText(/^Everything that you entered is saved\. Close this page/)).toBeVisible();
  await page.reload();
  await expect(title(page)).toHaveValue(words);
});

test("the lost-connection notice does not overlap a dialog or the command palette on a small screen", async ({
  page,
  workspace,
}) => {
  await signIn(page, workspace, "owner");
  // A small phone with its keyboard open, and a phone in landscape.
  for (const viewport of [
    { width: 320, height: 420 },
    { width: 667, height: 330 },
  ]) {
    await page.setViewportSize(viewport);
    await page.goto("/counterparties");
    await partsLoaded(page);
    const notice = page.getByRole("status").filter({ hasText: "The connection is lost." });
    await page.getByRole("button", { name: "New counterparty" }).first().click();
    const dialog = page.getByRole("dialog", { name: "New counterparty" });
    const name = dialog.getByRole("textbox", { name: "Name" });
    await name.press("Enter");
    await expect(name, "what checks it is there").toHaveAccessibleDescription(/\S/);
    await setOffline(page, true);
    await name.fill(words);
    await name.press("Enter");
    await expect(notice).toBeVisible();
    await expectClear(notice, dialog);
    await dialog.getByRole("button", { name: "Close" }).click();
    await page.keyboard.press("Control+k");
    await expectClear(notice, page.getByRole("dialog", { name: "Search and actions" }));
    await page.keyboard.press("Escape");
    await setOffline(page, false);
    await expect(notice).toBeHidden();
    await page.getByRole("button", { name: "New counterparty" }).first().click();
    const top = async () => (await dialog.boundingBox())!.y / viewport.height;
    await expect.poll(top, "it has its place again").toBeLessThan(0.13);
  }
});

/** The opened element must be entirely visible, below the notice. */
async function expectClear(notice: Locator, opened: Locator): Promise<void> {
  await expect
    .poll(async () => {
      const [above, below] = await Promise.all([notice.locator("> div").boundingBox(), opened.boundingBox()]);
      return below!.y - (above!.y + above!.height);
    })
    .toBeGreaterThanOrEqual(0);
  await expect(opened).toBeInViewport({ ratio: 1 });
}
