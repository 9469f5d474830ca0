/** Members talk about a contract and its passages, in two browsers. */
import { inJson } from "../documents.ts";
import { newMember } from "../members.ts";
import { pdfOf } from "../pdf.ts";
import { expect, expectAccessible, signIn, test } from "./fixtures.ts";

const name = "Wolfeschlegelsteinhausenbergerdorff-김민준-Παπαδοπούλου";
const slowly = { timeout: 30_000 };

test("a passage is commented on and someone named; the other replies, resolves, and it is opened again", async ({
  page,
  workspace,
  another,
}) => {
  const bytes = await pdfOf([["1. Term"], ["2. Liability", "The cap is two percent."]]);
  const document = inJson({ fileName: "msa.pdf", contentType: "application/pdf", bytes });
  const { id } = await workspace.contract({ title: "Master agreement", document });
  await newMember(workspace, "viewer", name);
  await signIn(page, workspace, "member");
  await page.goto(`/contracts/${id}`);
  await page.getByRole("link", { name: /msa\.pdf/ }).click();
  const words = page.getByLabel("Page 2", { exact: true }).getByText("The cap is two percent.");
  await expect(async () => {
    await words.selectText({ timeout: 5_000 });
    await page.getByRole("button", { name: "Comment" }).click();
  }).toPass(slowly);
  const dialog = page.getByRole("dialog", { name: "Comment on a passage" });
  await expect(dialog.getByLabel("Passage")).toHaveValue("The cap is two percent.");
  await expect(dialog.getByLabel("Page", { exact: true })).toHaveValue("2");
  // All of it by the keyboard: the list of names, the name, the comment.
  const text = dialog.getByRole("combobox", { name: "Your comment" });
  await text.pressSequentially("@김");
  await expect(dialog.getByRole("option")).toHaveCount(0);
  await text.fill("");
  await text.pressSequentially("@wolf");
  await expect(dialog.getByRole("option", { name })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(text).toHaveValue(`@${name} `);
  await text.pressSequentially("is this agreed?");
  await page.keyboard.press("Control+Enter");
  await expect(dialog).toBeHidden();

  const theirs = await another();
  await signIn(theirs, workspace, "admin");
  await theirs.goto(`/contracts/${id}`);
  const comments = theirs.getByRole("region", { name: "Comments" });
  const thread = comments.getByRole("article");
  await expect(thread.getByText(`@${name}`, { exact: true })).toBeVisible();
  await thread.getByRole("button", { name: "Reply" }).click();
  await thread.getByLabel("Your reply").fill("It is.");
  await thread.getByRole("button", { name: "Reply" }).click();
  await expect(thread.getByText("It is.")).toBeVisible();
  await thread.getByRole("button", { name: "Resolve" }).click();
  await expect(comments.getByText("Every thread is resolved.")).toBeVisible();
  await expectAccessible(theirs);

  await page.goto(`/contracts/${id}`);
  const mine = page.getByRole("region", { name: "Comments" });
  await mine.getByRole("button", { name: "Resolved (1)" }).click();
  await mine.getByRole("button", { name: "Reopen" }).click();
  await mine.getByRole("button", { name: "Open (1)" }).click();
  await mine.getByRole("link", { name: "Version 1, page 2" }).click();
  await expect(page.locator("mark").filter({ hasText: "The cap is two percent." })).toBeVisible(slowly);
});

test("one's comment is edited and deleted, and an empty one is not sent", async ({ page, workspace }) => {
  const { id } = await workspace.contract();
  await signIn(page, workspace, "member");
  await page.goto(`/contracts/${id}`);
  const comments = page.getByRole("region", { name: "Comments" });
  const text = comments.getByLabel("Your comment");
  await text.fill("   ");
  await expect(comments.getByRole("button", { name: "Comment" })).toHaveCount(0);
  await text.fill("x".repeat(300));
  await comments.getByRole("button", { name: "Comment" }).click();
  const thread = comments.getByRole("article");
  await thread.getByRole("button", { name: /^More for the comment/ }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await thread.getByLabel("Your comment").fill("Better");
  await thread.getByRole("button", { name: "Save" }).click();
  await expect(thread.getByText("Better")).toBeVisible();
  await expect(thread).toContainText("edited");
  await page.reload();
  await expect(thread.getByText("Better")).toBeVisible();
  await thread.getByRole("button", { name: /^More for the comment/ }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(comments.getByText("No comments yet")).toBeVisible();
});
