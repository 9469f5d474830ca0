/** The comments that members write on a contract. */
import { dayOf } from "#lib/core/dates.ts";
import { database } from "#lib/core/db.ts";
import { mentionsDue } from "#lib/notifications/daily.ts";
import { sectionsOf } from "#lib/notifications/lines.ts";
import { sendMentions } from "#lib/notifications/send.ts";
import { uploadForm } from "../documents.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { code, newMember, signedIn } from "../members.ts";
import { pdfOf } from "../pdf.ts";

// biome-ignore lint/suspicious/noExplicitAny: each test checks the parts of a response that it needs.
type Json = any;

const words = "Zephyr: is the cap of 2 % agreed?";

/** Returns the tables in which the workspace's rows contain these words. */
async function tablesWith({ organizationId }: Workspace, said: string): Promise<string[]> {
  const { prisma } = database();
  const tables = await prisma.$queryRaw<{ name: string }[]>`SELECT table_name AS name
    FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'organization_id'`;
  const found: string[] = [];
  for (const { name } of tables) {
    const [row] = await prisma.$queryRawUnsafe<{ count: number }[]>(
      `SELECT count(*)::int AS count FROM "${name}" t WHERE organization_id = $1 AND t::text LIKE $2`,
      organizationId,
      `%${said}%`,
    );
    if (row!.count > 0) found.push(name);
  }
  return found;
}

test("members can comment, reply, resolve and reopen, and viewers can only read", async ({ workspace }) => {
  const { id } = await workspace.contract();
  const [one, two, viewer] = await Promise.all([
    signedIn(workspace, "member"),
    signedIn(workspace, "member"),
    signedIn(workspace, "viewer"),
  ]);
  const { comment } = (await one.call("comments.add", { id, text: `  ${words}\n` })).body;
  const { body: second } = await two.call("comments.add", { id, text: "Second" });
  const reply = (await two.call("comments.reply", { id: comment.id, text: "Yes" })).body.comment;
  // A reply to a reply becomes a reply in the same thread.
  await one.call("comments.reply", { id: reply.id, text: "Thanks" });
  const read = (await viewer.call("comments.list", { id })).body;
  expect(read).toMatchObject({ openCount: 2, resolvedCount: 0, nextCursor: null });
  expect(read.data.map((thread: Json) => thread.id)).toEqual([second.comment.id, comment.id]);
  expect(read.data[1]).toMatchObject({
    text: words,
    author: { id: one.userId },
    version: null,
    editedAt: null,
    replies: [
      { text: "Yes", author: { id: two.userId } },
      { text: "Thanks", author: { id: one.userId } },
    ],
  });
  await two.call("comments.resolve", { id: comment.id });
  const open = (await viewer.call("comments.list", { id, state: "open" })).body;
  expect(open).toMatchObject({ openCount: 1, resolvedCount: 1, data: [{ id: second.comment.id }] });
  const resolved = (await viewer.call("comments.list", { id, state: "resolved" })).body.data;
  expect(resolved).toMatchObject([{ id: comment.id, resolvedBy: { id: two.userId } }]);
  await one.call("comments.reopen", { id: reply.id });
  expect((await viewer.call("comments.list", { id, state: "open" })).body.data).toHaveLength(2);
  for (const name of ["reply", "edit"] as const) {
    expect(code(await viewer.call(`comments.${name}`, { id: comment.id, text: "x" }))).toBe("403 forbidden");
  }
  expect(code(await viewer.call("comments.add", { id, text: "x" }))).toBe("403 forbidden");
  expect(code(await viewer.call("comments.resolve", { id: comment.id }))).toBe("403 forbidden");
  expect(code(await viewer.call("comments.remove", { id: comment.id }))).toBe("403 forbidden");
});

test("threads are paged newest first, each once", async ({ workspace }) => {
  const { id } = await workspace.contract();
  const one = await signedIn(workspace, "member");
  for (let number = 1; number <= 5; number++) await one.call("comments.add", { id, text: `${number}` });
  const read: string[] = [];
  let cursor: string | null = null;
  do {
    const { body }: Json = await one.call("comments.list", { id, limit: 2, ...(cursor ? { cursor } : {}) });
    read.push(...body.data.map((thread: Json) => thread.text));
    cursor = body.nextCursor;
  } while (cursor);
  expect(read).toEqual(["5", "4", "3", "2", "1"]);
});

test("only the author can edit a comment, and an admin but no other member can delete it", async ({
  workspace,
}) => {
  const { id } = await workspace.contract();
  const [one, two, admin] = await Promise.all([
    signedIn(workspace, "member"),
    signedIn(workspace, "member"),
    signedIn(workspace, "admin"),
  ]);
  const add = async (text: string) => (await one.call("comments.add", { id, text })).body.comment.id;
  const [mine, other] = [await add("Mine"), await add("Other")];
  for (const browser of [two, admin]) {
    expect(code(await browser.call("comments.edit", { id: mine, text: "x" }))).toBe("403 forbidden");
  }
  expect(code(await two.call("comments.remove", { id: mine }))).toBe("403 forbidden");
  expect((await one.call("comments.edit", { id: mine, text: "Mine, better" })).status).toBe(204);
  expect((await admin.call("comments.remove", { id: other })).status).toBe(204);
  const { data } = (await one.call("comments.list", { id })).body;
  expect(data).toMatchObject([{ id: mine, text: "Mine, better", editedAt: expect.any(String) }]);
  expect(code(await one.call("comments.edit", { id: other, text: "x" }))).toBe("404 not_found");
});

test("the audit log never contains a comment's text, and deleting it removes the text from every table", async ({
  workspace,
}) => {
  const { id } = await workspace.contract({ title: "Master agreement" });
  const one = await signedIn(workspace, "member");
  const { comment } = (await one.call("comments.add", { id, text: words })).body;
  const { body } = await one.call("comments.reply", { id: comment.id, text: "Quokka says no" });
  await one.call("comments.edit", { id: comment.id, text: `${words} Or 3 %?` });
  await one.call("comments.resolve", { id: comment.id });
  expect(await tablesWith(workspace, "Zephyr")).toEqual(["comments"]);
  // The thread stays for the reply, without its first text, and disappears with the last reply.
  await one.call("comments.remove", { id: comment.id });
  const { data } = (await one.call("comments.list", { id })).body;
  expect(data).toMatchObject([{ id: comment.id, text: null, replies: [{ text: "Quokka says no" }] }]);
  expect(await tablesWith(workspace, "Zephyr")).toEqual([]);
  await one.call("comments.remove", { id: body.comment.id });
  expect(await tablesWith(workspace, "Quokka")).toEqual([]);
  expect((await one.call("comments.list", { id })).body.data).toEqual([]);
  const { body: log } = await workspace.api(`GET /audit-events?contractId=${id}&limit=200`);
  const told = log.data.filter(({ action }: Json) => action.startsWith("COMMENT_"));
  expect(told.map(({ action }: Json) => action)).toEqual([
    "COMMENT_DELETED",
    "COMMENT_DELETED",
    "COMMENT_RESOLVED",
    "COMMENT_EDITED",
    "COMMENT_ADDED",
    "COMMENT_ADDED",
  ]);
  expect(told[0]).toMatchObject({ contract: { id, title: "Master agreement" }, actor: { id: one.userId } });
});

test("a comment's passage must be on a page of the contract's own version, and keeps its line breaks", async ({
  workspace,
}) => {
  const [{ id }, another] = [await workspace.contract(), await workspace.contract()];
  const one = await signedIn(workspace, "member");
  const bytes = await pdfOf([["Term"], ["Liability", "is limited"]]);
  const upload = async (contractId: string) => {
    const document = { fileName: "a.pdf", contentType: "application/pdf", bytes };
    return (await uploadForm(workspace.api, contractId, document)).body.version.id;
  };
  const [versionId, foreign] = [await upload(id), await upload(another.id)];
  const add = (passage: { versionId: string; page: number; quote: string }) =>
    one.call("comments.add", { id, text: "Here", passage });
  const { status } = await add({ versionId, page: 2, quote: "Liability\nis limited" });
  expect(status).toBe(201);
  const { data } = (await one.call("comments.list", { id })).body;
  expect(data[0]).toMatchObject({
    version: { id: versionId, versionNumber: 1 },
    page: 2,
    quote: "Liability\nis limited",
  });
  for (const wrong of [
    { versionId, page: 3, quote: "x" },
    { versionId, page: 1, quote: " " },
    { versionId: foreign, page: 1, quote: "x" },
  ]) {
    expect(code(await add(wrong)), JSON.stringify(wrong)).toBe("422 validation_error");
  }
});

test("only members of the workspace can be mentioned, and each is listed once by name", async ({
  workspace,
  other,
}) => {
  const { id } = await workspace.contract();
  const one = await signedIn(workspace, "member");
  const known = await newMember(workspace, "viewer", "Ελένη Παπαδοπούλου");
  const text = "@Ελένη Παπαδοπούλου please look";
  const stranger = await one.call("comments.add", { id, text, mentions: [other.ownerId] });
  expect(stranger.body.error.details.issues).toMatchObject([{ path: "mentions.0" }]);
  await one.call("comments.add", { id, text, mentions: [known.userId, known.userId] });
  const { data } = (await one.call("comments.list", { id })).body;
  expect(data[0].mentions).toEqual([{ id: known.userId, name: "Ελένη Παπαδοπούλου" }]);
});

test("an edit can keep the mention of a former member, but not add one", async ({ workspace }) => {
  const { id } = await workspace.contract();
  const owner = await signedIn(workspace, "owner");
  const leaver = await newMember(workspace, "member", "Lea Leaver");
  const mentions = [leaver.userId];
  const { comment } = (await owner.call("comments.add", { id, text: "@Lea Leaver please look", mentions }))
    .body;
  const other = (await owner.call("comments.add", { id, text: "Nobody" })).body.comment;
  expect((await owner.call("members.remove", { memberId: leaver.memberId })).status).toBe(204);
  const text = "@Lea Leaver please look, by Friday";
  expect((await owner.call("comments.edit", { id: comment.id, text, mentions })).status).toBe(204);
  const { data } = (await owner.call("comments.list", { id })).body;
  expect(data[1]).toMatchObject({ text, mentions: [{ id: leaver.userId, name: "Lea Leaver" }] });
  const anew = await owner.call("comments.edit", { id: other.id, text, mentions });
  expect(anew.body.error.details.issues).toMatchObject([{ path: "mentions.0" }]);
});

/** Runs the jobs of every minute for one workspace; the run's own server also runs them. */
async function tell({ organizationId }: Workspace): Promise<void> {
  const due = await mentionsDue(new Date());
  for (const told of due.filter((each) => each.organizationId === organizationId)) await sendMentions(told);
}

test("a mentioned member is notified once, without the comment's text", async ({ workspace }) => {
  const { id } = await workspace.contract({ title: "Master agreement" });
  const [one, two] = [await signedIn(workspace, "member"), await signedIn(workspace, "viewer")];
  const mentions = [one.userId, two.userId];
  const text = "@Mel member @Mel viewer Zephyr";
  const { comment } = (await one.call("comments.add", { id, text, mentions })).body;
  await Promise.all([tell(workspace), tell(workspace)]);
  const inboxOf = async (browser: typeof two) => (await browser.call("notifications.list")).body.data;
  const told = {
    kind: "MENTION",
    contract: { id },
    comment: { id: comment.id, author: "Mel member" },
    isOver: false,
  };
  expect(await inboxOf(two)).toMatchObject([told]);
  expect(await inboxOf(one), "no one hears of themselves").toEqual([]);
  await one.call("comments.edit", { id: comment.id, text: `${text}!`, mentions });
  await tell(workspace);
  expect(await inboxOf(two)).toHaveLength(1);
  const today = dayOf(new Date());
  const item = { kind: "MENTION" as const, subjectId: comment.id, contractId: id, date: today, stage: 0 };
  const { organizationId } = workspace;
  const sections = await sectionsOf(database().prisma, { organizationId, today }, [item]);
  expect(sections).toMatchObject([{ lines: [{ what: "Master agreement" }] }]);
  expect(sections[0]!.lines[0]!.detail, "in the e-mail").toBe("Mel member mentioned you in a comment");
  await one.call("comments.resolve", { id: comment.id });
  expect(await inboxOf(two)).toMatchObject([{ isOver: true }]);
  // A comment that is deleted before anyone was notified notifies no one.
  const { body } = await one.call("comments.add", { id, text, mentions });
  await one.call("comments.remove", { id: body.comment.id });
  const due = await mentionsDue(new Date());
  expect(due.filter((told) => told.organizationId === organizationId)).toEqual([]);
});

test("admins, but not plain members, can export a contract's comments as CSV, with formulas escaped", async ({
  workspace,
}) => {
  const { id } = await workspace.contract();
  const [admin, member] = [await signedIn(workspace, "admin"), await signedIn(workspace, "member")];
  const { comment } = (await member.call("comments.add", { id, text: "=HYPERLINK(1)" })).body;
  await admin.call("comments.reply", { id: comment.id, text: "Two\nlines" });
  await member.call("comments.add", { id: (await workspace.contract()).id, text: "Elsewhere" });
  const response = await admin.get(`/api/member-files/comments.csv?contractId=${id}`);
  const text = await response.text();
  expect([response.status, response.headers.get("x-row-count")]).toEqual([200, "2"]);
  expect(text).toContain("'=HYPERLINK(1)");
  expect(text).toContain('"Two\nlines"');
  expect(text).not.toContain("Elsewhere");
  expect((await member.get(`/api/member-files/comments.csv?contractId=${id}`)).status).toBe(403);
  expect((await admin.get("/api/member-files/comments.csv?contractId=ctr_x")).status).toBe(404);
});

test("concurrently deleting a thread's first comment and last reply removes the whole thread", async ({
  workspace,
}) => {
  const { id } = await workspace.contract();
  const one = await signedIn(workspace, "member");
  for (let round = 0; round < 5; round++) {
    const { comment } = (await one.call("comments.add", { id, text: "First" })).body;
    const { body } = await one.call("comments.reply", { id: comment.id, text: "Last" });
    await Promise.all([comment.id, body.comment.id].map((each) => one.call("comments.remove", { id: each })));
  }
  expect((await one.call("comments.list", { id })).body).toMatchObject({ data: [], openCount: 0 });
});
