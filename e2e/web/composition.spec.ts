/** Text composed from several keys, as in Chinese, Japanese and Korean: Enter only ends the composition. */
import type { Page } from "@playwright/test";
import { newMember } from "../members.ts";
import { linkOf, pdf, requestOf } from "../signing.ts";
import { expect, signIn, test } from "./fixtures.ts";

/** Composes the text in the focused field, presses keys before the composition has ended, and ends it. */
async function compose(page: Page, text: string, keys: readonly string[]): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  const caret = { selectionStart: text.length, selectionEnd: text.length };
  await browser.send("Input.imeSetComposition", { text, ...caret });
  for (const key of keys) {
    await browser.send("Input.dispatchKeyEvent", { type: "rawKeyDown", key, code: key });
    await browser.send("Input.dispatchKeyEvent", { type: "keyUp", key, code: key });
  }
  await browser.send("Input.insertText", { text });
  await browser.detach();
}

test("Enter and Escape during IME composition neither save a contract's title nor cancel editing it", async ({
  page,
  workspace,
}) => {
  const { id } = await workspace.contract({ title: "Hosting" });
  await signIn(page, workspace, "admin");
  await page.goto(`/contracts/${id}`);
  await page.getByRole("button", { name: "Title: Hosting. Edit" }).click();
  const title = page.getByRole("textbox", { name: "Title" });
  await title.fill("");
  await compose(page, "基本契約", ["Enter", "Escape"]);
  await expect(title).toHaveValue("基本契約");
  await expect(title).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Title: 基本契約. Edit" })).toBeVisible();
});

test("arrow, Enter and Escape keys during IME composition do not act on the mention list", async ({
  page,
  workspace,
}) => {
  const { id } = await workspace.contract();
  await newMember(workspace, "member", "김민준");
  await newMember(workspace, "member", "김민지");
  await signIn(page, workspace);
  await page.goto(`/contracts/${id}`);
  const comment = page.getByRole("combobox", { name: "Your comment" });
  await comment.fill("@김민");
  await expect(page.getByRole("option", { name: "김민지" })).toBeVisible();
  await compose(page, "지", ["ArrowDown", "Enter", "Escape"]);
  await expect(comment).toHaveValue("@김민지");
  await expect(page.getByRole("option", { name: "김민지" })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(comment).toHaveValue("@김민지 ");
});

test("Enter during IME composition does not move a signer to the next field", async ({ page, workspace }) => {
  const at = (yPct: number) => ({ pageIndex: 0, xPct: 10, yPct, wPct: 40, hPct: 5 });
  const places = [
    { type: "COMPANY", ...at(10) },
    { type: "TEXT", label: "Seat", ...at(20) },
    { type: "SIGNATURE", ...at(30) },
  ];
  const envelope = await requestOf(workspace, await pdf(), 2, places);
  await page.goto(await linkOf(workspace, envelope));
  await page.getByRole("checkbox", { name: "I agree" }).check();
  await page.getByRole("button", { name: "Agree and continue" }).click();
  const company = page.getByRole("textbox", { name: "Your company, page 1" });
  await company.focus();
  await compose(page, "株式会社", ["Enter"]);
  await expect(company).toHaveValue("株式会社");
  await expect(company).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("textbox", { name: "Seat, page 1" })).toBeFocused();
});
