/** Members discuss a contract and its passages, in two browsers. */
import { addComment } from "#lib/comments/comments.ts";
import { inJson } from "../documents.ts";
import { newMember } from "../members.ts";
import { pdfOf } from "../pdf.ts";
import { memberOf } from "../signing.ts";
import { expect, expectAccessible, signIn, test } from "./fixtures.ts";

const name = "Wolfeschlegelsteinhausenbergerdorff-김민준-Παπαδοπούλου";
const slowly = { timeout: 30_000 };

test("a passage can be commented on with a mention, and its thread answered, resolved and reopened", async ({
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
  // Uses only the keyboard: the list of names, the choice of a name, the comment.
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

test("comment threads are laid out on scrolling, and mention suggestions extend below the last thread", async ({
  page,
  workspace,
}) => {
  const { id } = await workspace.contract();
  for (let number = 1; number <= 6; number++) await newMember(workspace, "viewer", `${name} ${number}`);
  await signIn(page, workspace, "member");
  const ctx = memberOf(workspace);
  const count = 15;
  for (let number = 1; number <= count; number++)
    await addComment(ctx, { id, text: `Number ${number}`, mentions: [], passage: null });
  await page.goto(`/contracts/${id}`);
  const threads = page.getByRole("region", { name: "Comments" }).getByRole("article");
  await expect(threads).toHaveCount(count);
  const isLaidOut = (at: number) =>
    threads.nth(at).evaluate((thread) => thread.checkVisibility({ contentVisibilityAuto: true }));
  expect(await isLaidOut(count - 1)).toBe(false);
  await threads.last().getByRole("button", { name: "Reply" }).click();
  expect(await isLaidOut(count - 1)).toBe(true);
  await threads.last().getByLabel("Your reply").pressSequentially("@wolf");
  const offered = threads.last().getByRole("option", { name: `${name} 6` });
  // The list must extend beyond the end of the thread: a clipped option could not be clicked.
  await offered.click();
  await expect(threads.last().getByLabel("Your reply")).toHaveValue(`@${name} 6 `);
});

test("a member can edit and delete their own comment, and cannot send an empty one", async ({
  page,
  workspace,
}) => {
  const { id } = await workspace.contract();
  await signIn(page, workspace, "member");
  await page.goto(`/contracts/${id}`);
  const comments = page.getByRole("region", { name: "Comments" });
  const text = comments.getByLabel("Your comment");
  await text.fill("   ");
  await expect(comments.getByRole("button", { name: "Comment" })).toHaveCount(0);
  await text.fill("x".repeat(300));
  // What is typed while a comment is being sent belongs to the next one.
  const sent = Promise.withResolvers<void>();
  await page.route("**/comments.add", async (route) => {
    await sent.promise;
    await route.continue();
  });
  await comments.getByRole("button", { name: "Comment" }).click();
  await text.press("End");
  await text.pressSequentially(" And more");
  sent.resolve();
  await expect(text).toHaveValue("And more");
  await text.fill("");
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
  const question = page.getByRole("dialog", { name: "Delete this comment?" });
  await expectAccessible(page);
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(thread.getByText("Better")).toBeVisible();
  await thread.getByRole("button", { name: /^More for the comment/ }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await question.getByRole("button", { name: "Delete the comment" }).click();
  await expect(comments.getByText("No comments yet")).toBeVisible();
});

test("an unsent reply survives closing its form and someone resolving the thread, until it is cancelled", async ({
  page,
  another,
  workspace,
}) => {
  const { id } = await workspace.contract();
  await signIn(page, workspace, "member");
  await page.goto(`/contracts/${id}`);
  const comments = page.getByRole("region", { name: "Comments" });
  await comments.getByLabel("Your comment").fill("Is this agreed?");
  await comments.getByRole("button", { name: "Comment" }).click();
  const thread = comments.getByRole("article");
  const reply = thread.getByLabel("Your reply");
  await thread.getByRole("button", { name: "Reply" }).click();
  await reply.fill("Only if the cap");
  await reply.press("Escape");
  await expect(reply).toHaveCount(0);
  await thread.getByRole("button", { name: "Reply" }).click();
  await expect(reply).toHaveValue("Only if the cap");
  const theirs = await another();
  await signIn(theirs, workspace, "member");
  await theirs.goto(`/contracts/${id}`);
  await theirs.getByRole("button", { name: "Resolve", exact: true }).click();
  await expect(theirs.getByText("Every thread is resolved.")).toBeVisible();
  // The thread disappears once the comments are read again.
  await expect(comments.getByText("Every thread is resolved.")).toBeVisible(slowly);
  await comments.getByRole("button", { name: "Resolved (1)" }).click();
  await expect(reply).toHaveValue("Only if the cap");
  await thread.getByRole("button", { name: "Cancel" }).click();
  await thread.getByRole("button", { name: "Reply" }).click();
  await expect(reply).toHaveValue("");
});

test("focus returns to a comment after editing or replying, and moves to the next thread after resolving", async ({
  page,
  workspace,
}) => {
  const { id } = await workspace.contract();
  await signIn(page, workspace, "member");
  await page.goto(`/contracts/${id}`);
  const comments = page.getByRole("region", { name: "Comments" });
  const thread = (words: string) => comments.getByRole("article").filter({ hasText: words });
  for (const words of ["First", "Second"]) {
    await comments.getByLabel("Your comment").fill(words);
    await comments.getByLabel("Your comment").press("Control+Enter");
    await expect(thread(words)).toBeVisible();
  }
  const reply = thread("Second").getByRole("button", { name: "Reply" });
  await reply.press("Enter");
  await thread("Second").getByRole("button", { name: "Cancel" }).press("Enter");
  await expect(reply).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.type("Agreed");
  await page.keyboard.press("Control+Enter");
  await expect(thread("Second").getByText("Agreed")).toBeVisible();
  await expect(reply).toBeFocused();
  const more = thread("First").getByRole("button", { name: /^More for the comment/ });
  await more.press("Enter");
  await page.getByRole("menuitem", { name: "Edit" }).press("Enter");
  await page.keyboard.press("Escape");
  await expect(more).toBeFocused();
  await thread("Second").getByRole("button", { name: "Resolve" }).press("Enter");
  await expect(thread("Second")).toHaveCount(0);
  await expect(more).toBeFocused();
  await thread("First").getByRole("button", { name: "Resolve" }).press("Enter");
  await expect(comments.getByRole("button", { name: "Open (0)" })).toBeFocused();
});
