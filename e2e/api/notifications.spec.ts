/** Notifications to members: each once, at eight in their time zone, by the channel they chose. */
import type { Email } from "postal-mime";
import { addDays, type Day, dayOf } from "#lib/core/dates.ts";
import { database } from "#lib/core/db.ts";
import { provideSettings } from "#lib/core/env.ts";
import { newId } from "#lib/core/ids.ts";
import { notificationKinds } from "#lib/notifications/catalogue.ts";
import { assignmentsDue, digestsDue, mentionsDue, urgentDue } from "#lib/notifications/daily.ts";
import { sendAssignments, sendDigest, sendMentions, sendUrgent } from "#lib/notifications/send.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { type Browser, type Member, newMember, openBrowser, signedIn } from "../members.ts";
import { mailsTo } from "../outbox.ts";
import { contractWithPdf } from "../signing.ts";

/** Nothing is sent there: the run's server takes the e-mails from the queue and writes them to its outbox. */
test.beforeEach(() => provideSettings({ SMTP_URL: "smtp://127.0.0.1:9" }));
test.afterEach(() => provideSettings({ SMTP_URL: "" }));

const today = dayOf(new Date());
const at = (day: Day, hour = 8) => new Date(`${day}T${String(hour).padStart(2, "0")}:00:00Z`);
/** A Friday in the far future, so that the server's own jobs have nothing to notify about on it. */
const friday = "2031-03-07" as Day;

/** Runs the jobs of a given moment for one workspace. */
async function tell({ organizationId }: Pick<Workspace, "organizationId">, now: Date): Promise<void> {
  const mine = (all: Awaited<ReturnType<typeof digestsDue>>) =>
    all.filter((told) => told.organizationId === organizationId);
  for (const told of mine(await digestsDue(now))) await sendDigest(told);
  for (const told of mine(await urgentDue(now))) await sendUrgent(told);
  for (const told of mine(await assignmentsDue(now))) await sendAssignments(told);
}

async function oblige(workspace: Workspace, title: string, fixedDate: Day, fields: object = {}) {
  const contractId = (fields as { contractId?: string }).contractId ?? (await workspace.contract()).id;
  const body = { contractId, kind: "PAYMENT", title, anchorType: "FIXED_DATE", fixedDate, ...fields };
  const made = await workspace.api("POST /obligations", { body });
  expect(made.status, made.text).toBe(201);
  return made.headers.get("location")!.split("/").at(-1)!;
}

/** What a member was told, oldest first, as `OBLIGATION_DUE Pay 7`. The run's server also sends assignments. */
async function toldTo(
  { organizationId }: Workspace,
  userId: string,
  { assignments = false } = {},
): Promise<string[]> {
  const { prisma } = database();
  const rows = await prisma.notification.findMany({
    where: { organizationId, userId, kind: assignments ? "ASSIGNMENT" : { not: "ASSIGNMENT" } },
    orderBy: [{ createdAt: "asc" }, { kind: "asc" }, { subjectId: "asc" }],
  });
  const obligations = await prisma.obligation.findMany({ where: { organizationId } });
  const titles = new Map(obligations.map(({ id, title }) => [id, title]));
  return rows.map(({ kind, subjectId, stage }) => `${kind} ${titles.get(subjectId) ?? "contract"} ${stage}`);
}

/** Waits until an address has at least `count` digests and urgent notices; returns them. */
async function noticesTo(email: string, count: number): Promise<Email[]> {
  const isNotice = ({ headers, subject }: Email) =>
    headers.some(({ key }) => key === "list-unsubscribe") && !subject?.includes("assigned to you");
  const found = async () => (await mailsTo(email, 0)).filter(isNotice);
  await expect.poll(async () => (await found()).length).toBeGreaterThanOrEqual(count);
  return found();
}

test("the digest announces an obligation once per stage: upcoming, overdue and escalated", async ({
  workspace,
}) => {
  const mel = await newMember(workspace, "member", "Mel");
  const carol = await newMember(workspace, "member", "Carol");
  const ada = await newMember(workspace, "admin", "Ada");
  const { id: contractId } = await workspace.contract({ ownerId: carol.userId, title: "Supply" });
  const due = addDays(friday, 30);
  await oblige(workspace, "Pay", due, { contractId, assigneeId: mel.userId });
  for (let days = -31; days <= 10; days++) {
    await tell(workspace, at(addDays(due, days)));
    await tell(workspace, at(addDays(due, days), 9));
  }
  expect(await toldTo(workspace, mel.userId)).toEqual([
    "OBLIGATION_DUE Pay 30",
    "OBLIGATION_DUE Pay 7",
    "OBLIGATION_DUE Pay 1",
    "OBLIGATION_OVERDUE Pay 0",
  ]);
  expect(await toldTo(workspace, carol.userId)).toEqual(["ESCALATION Pay 1"]);
  expect(await toldTo(workspace, ada.userId)).toEqual(["ESCALATION Pay 2"]);
  expect(await toldTo(workspace, workspace.ownerId)).toEqual(["ESCALATION Pay 2"]);
  const mails = await noticesTo(mel.email, 4);
  expect(mails.map(({ subject }) => subject)).toEqual([
    ...Array.from({ length: 3 }, () => "Test workspace: 1 due soon"),
    "Test workspace: 1 overdue",
  ]);
  expect(mails[2]?.text).toContain("Supply: due tomorrow, 6 April 2031");
  expect(mails[3]?.text).toContain("In all, 1 of your obligations are overdue and 0 are due within 30 days.");
  const [escalated] = await noticesTo(carol.email, 1);
  expect(escalated?.text).toContain("Supply: was due on 6 April 2031, assigned to Mel");
  const links = [...(escalated?.text ?? "").matchAll(/https?:\/\/\S+/g)].map(
    ([url]) => new URL(url).pathname,
  );
  expect(links).toEqual([
    `/contracts/${contractId}`,
    "/inbox",
    "/settings/notifications",
    expect.stringMatching(/^\/unsubscribe\//),
  ]);
});

test("a renewal notification names the last day to act, which an open notice obligation brings forward", async ({
  workspace,
}) => {
  const owner = await newMember(workspace, "member");
  const fields = {
    ownerId: owner.userId,
    effectiveDate: "2030-07-01",
    termMonths: 12,
    autoRenews: true,
    renewalMonths: 12,
  };
  const { id: contractId } = await workspace.contract({ ...fields, title: "Lease" });
  await workspace.api(`POST /contracts/${contractId}/status`, { body: { next: "EXECUTED" } });
  const notice = {
    kind: "RENEWAL_NOTICE",
    anchorType: "EXPIRATION_DATE",
    offsetValue: 60,
    offsetDirection: "BEFORE",
  };
  await workspace.api("POST /obligations", { body: { contractId, title: "Give notice", ...notice } });
  await tell(workspace, at("2031-02-01"));
  expect(await toldTo(workspace, owner.userId)).toEqual(["RENEWAL contract 90"]);
  const [mail] = await noticesTo(owner.email, 1);
  expect(mail?.text).toContain("renews after 30 June 2031, last day to act: on 1 May 2031");
});

test("the sender is notified once of a stuck signature request, and again only after it has moved", async ({
  workspace,
}) => {
  const sender = await newMember(workspace, "member");
  const { organizationId } = workspace;
  const { contract, version } = await contractWithPdf(workspace);
  const { prisma } = database();
  const id = newId("envelope");
  await prisma.envelope.create({
    data: {
      ...{
        organizationId,
        id,
        contractId: contract.id,
        documentVersionId: version.id,
        createdById: sender.userId,
      },
      ...{
        status: "SENT",
        subject: "Lease",
        sentAt: at(friday),
        createdAt: at(friday),
        updatedAt: at(friday),
      },
    },
  });
  for (let days = 0; days < 12; days++) await tell(workspace, at(addDays(friday, days)));
  expect(await toldTo(workspace, sender.userId)).toEqual(["SIGNATURE_STUCK contract 0"]);
  const [mail] = await noticesTo(sender.email, 1);
  expect(mail?.text).toContain("nothing has moved since 7 March 2031");
  expect(mail?.text).toContain(`/signatures/${id}`);
  const where = { organizationId_id: { organizationId, id } };
  await prisma.envelope.update({ where, data: { updatedAt: at(addDays(friday, 12)) } });
  for (let days = 12; days < 24; days++) await tell(workspace, at(addDays(friday, days)));
  expect(await toldTo(workspace, sender.userId)).toHaveLength(2);
});

test("digests arrive at 8:00 local time, and a quiet weekend's items arrive on Friday", async ({
  workspace,
}) => {
  const [tokyo, newYork] = [await signedIn(workspace, "member"), await signedIn(workspace, "member")];
  await tokyo.call("profile.patch", { timeZone: "Asia/Tokyo" });
  await newYork.call("profile.patch", { timeZone: "America/New_York" });
  await newYork.call("notifications.saveSettings", { quietWeekends: true });
  const { id: contractId } = await workspace.contract();
  const [saturday, monday] = [addDays(friday, 1), addDays(friday, 3)];
  for (const { userId } of [tokyo, newYork]) {
    for (const day of [saturday, monday]) {
      await oblige(workspace, `On ${day.slice(8)}`, day, { contractId, assigneeId: userId });
    }
  }
  await database().prisma
    .$executeRaw`UPDATE obligations SET assignee_told = assignee_id WHERE contract_id = ${contractId}`;
  // 22:00 UTC on Thursday is 7:00 in Tokyo; 12:00 is 7:00 in New York.
  await tell(workspace, at(addDays(friday, -1), 22));
  expect(await toldTo(workspace, tokyo.userId)).toEqual([]);
  await tell(workspace, at(addDays(friday, -1), 23));
  expect(await toldTo(workspace, tokyo.userId)).toEqual(["OBLIGATION_DUE On 08 1", "OBLIGATION_DUE On 10 7"]);
  const ofFriday = async () => (await toldTo(workspace, newYork.userId)).slice(2);
  await tell(workspace, at(friday, 12));
  expect(await ofFriday()).toEqual([]);
  await tell(workspace, at(friday, 13));
  expect(await ofFriday()).toEqual(["OBLIGATION_DUE On 08 1", "OBLIGATION_DUE On 10 1"]);
  for (const day of [saturday, addDays(saturday, 1)]) await tell(workspace, at(day, 13));
  expect(await toldTo(workspace, newYork.userId), "nothing on the weekend").toHaveLength(4);
  await tell(workspace, at(monday, 13));
  expect((await ofFriday()).slice(2)).toEqual(["OBLIGATION_OVERDUE On 08 0"]);
});

test("on quiet weekends, assignments and mentions wait for Monday, unless they go only to the inbox", async ({
  workspace,
}) => {
  const mel = await signedIn(workspace, "member");
  await mel.call("notifications.saveSettings", { quietWeekends: true });
  const { organizationId } = workspace;
  const { userId } = mel;
  const { id: contractId } = await workspace.contract();
  const far = addDays(today, 3000);
  await oblige(workspace, "Report", far, { contractId, assigneeId: userId });
  const admin = await signedIn(workspace, "admin");
  await admin.call("comments.add", { id: contractId, text: "Please look", mentions: [userId] });
  const { prisma } = database();
  const kinds = async () => {
    const rows = await prisma.notification.findMany({ where: { organizationId, userId } });
    return rows.map(({ kind }) => kind).sort();
  };
  /** Resets what was told. The run's server may notify at any moment, by its own date, hence the retries. */
  const untell = async () => {
    await prisma.notification.deleteMany({ where: { organizationId, userId } });
    await prisma.$executeRaw`UPDATE obligations SET assignee_told = NULL WHERE organization_id = ${organizationId}`;
    await prisma.$executeRaw`UPDATE comments SET untold_ids = mentioned_ids WHERE organization_id = ${organizationId}`;
  };
  const tellOthers = async (now: Date) => {
    const mine = (one: { userId: string }) => one.userId === userId;
    for (const told of (await assignmentsDue(now)).filter(mine)) await sendAssignments(told);
    for (const told of (await mentionsDue(now)).filter(mine)) await sendMentions(told);
  };
  const both = ["ASSIGNMENT", "MENTION"];
  const [saturday, monday] = [addDays(friday, 1), addDays(friday, 3)];
  await expect(async () => {
    await untell();
    for (const day of [saturday, addDays(saturday, 1)]) await tellOthers(at(day, 12));
    expect(await kinds()).toEqual([]);
  }).toPass();
  await tellOthers(at(monday, 1));
  expect(await kinds()).toEqual(both);
  const sent = await mailsTo(mel.email, 2);
  expect(sent.map(({ subject }) => subject).join()).toMatch(/assigned to you/);
  await mel.call("notifications.saveSettings", { channels: { ASSIGNMENT: "APP" } });
  await expect(async () => {
    await untell();
    await tellOthers(at(saturday, 12));
    expect(await kinds()).toEqual(["ASSIGNMENT"]);
  }).toPass();
  provideSettings({ SMTP_URL: "" });
  await untell();
  await tellOthers(at(saturday, 12));
  expect(await kinds(), "without a mail server the inbox is all there is").toEqual(both);
});

test("an obligation added after the digest is announced at once if due tomorrow, otherwise in the next digest", async ({
  workspace,
}) => {
  const { ownerId, organizationId } = workspace;
  const due = await digestsDue(at(friday));
  await tell(workspace, at(friday));
  const { id: contractId } = await workspace.contract();
  await oblige(workspace, "Tomorrow", addDays(friday, 1), { contractId });
  await oblige(workspace, "Next week", addDays(friday, 6), { contractId });
  // Like a worker that selected who is due before another one sent the digest.
  for (const told of due.filter((one) => one.organizationId === organizationId)) await sendDigest(told);
  expect(await toldTo(workspace, ownerId)).toEqual([]);
  await tell(workspace, at(friday, 10));
  await tell(workspace, at(friday, 11));
  expect(await toldTo(workspace, ownerId)).toEqual(["OBLIGATION_DUE Tomorrow 1"]);
  await tell(workspace, at(addDays(friday, 1)));
  expect(await toldTo(workspace, ownerId)).toEqual([
    "OBLIGATION_DUE Tomorrow 1",
    "OBLIGATION_DUE Next week 7",
  ]);
});

test("a member is notified once of each assignment, but not of one that they made themselves", async ({
  workspace,
}) => {
  const mel = await signedIn(workspace, "member");
  const { id: contractId } = await workspace.contract();
  const far = addDays(today, 900);
  for (const title of ["One", "Two"])
    await oblige(workspace, title, far, { contractId, assigneeId: mel.userId });
  const third = await oblige(workspace, "Three", far, { contractId });
  await mel.call("obligations.patch", { id: third, assigneeId: mel.userId });
  await Promise.all([tell(workspace, new Date()), tell(workspace, new Date())]);
  expect((await toldTo(workspace, mel.userId, { assignments: true })).toSorted()).toEqual([
    "ASSIGNMENT One 0",
    "ASSIGNMENT Two 0",
  ]);
});

test("an obligation reassigned to a member on the same day notifies them again and is unread in the inbox", async ({
  workspace,
}) => {
  const [eleni, marcus] = [await signedIn(workspace, "member"), await signedIn(workspace, "member")];
  const far = addDays(today, 900);
  const id = await oblige(workspace, "Report", far, { assigneeId: eleni.userId });
  const assign = async (to: Member) => {
    await workspace.api(`PATCH /obligations/${id}`, { body: { assigneeId: to.userId } });
    await tell(workspace, new Date());
  };
  const inbox = async () => (await eleni.call("notifications.list", {})).body.data;
  await tell(workspace, new Date());
  await eleni.call("notifications.mark", { as: "done" });
  await assign(marcus);
  expect(await inbox()).toEqual([]);
  await assign(eleni);
  const again = { kind: "ASSIGNMENT", isOver: false, readAt: null, doneAt: null };
  expect(await inbox()).toMatchObject([again]);
  await assign(eleni);
  expect(await toldTo(workspace, eleni.userId, { assignments: true })).toEqual(["ASSIGNMENT Report 0"]);
  const mails = (await mailsTo(eleni.email, 2)).filter(({ subject }) => subject?.includes("assigned to you"));
  expect(mails).toHaveLength(2);
});

test("notifications for a former member's obligations go to the workspace's owners", async ({
  workspace,
}) => {
  const admin = await signedIn(workspace, "admin");
  const gone = await newMember(workspace, "member");
  const { id: contractId } = await workspace.contract({ ownerId: gone.userId });
  await oblige(workspace, "Left behind", addDays(friday, 5), { contractId });
  expect((await admin.call("members.remove", { memberId: gone.memberId })).status).toBe(204);
  await tell(workspace, at(friday));
  expect(await toldTo(workspace, workspace.ownerId)).toEqual(["OBLIGATION_DUE Left behind 7"]);
  expect(await toldTo(workspace, admin.userId)).toEqual([]);
  expect(await toldTo(workspace, gone.userId)).toEqual([]);
});

test("proposed, completed and waived obligations notify no one", async ({ workspace }) => {
  const { id: contractId } = await workspace.contract();
  const ids = await Promise.all(
    ["A", "B", "C"].map((title) => oblige(workspace, title, friday, { contractId })),
  );
  const states = ["SUGGESTED", "COMPLETED", "WAIVED"];
  for (const [index, id] of ids.entries()) {
    await database().prisma.obligation.updateMany({ where: { id }, data: { state: states[index]! } });
  }
  await tell(workspace, at(friday));
  await tell(workspace, at(addDays(friday, 9)));
  expect(await toldTo(workspace, workspace.ownerId)).toEqual([]);
});

async function prepared(workspace: Workspace): Promise<Member & Browser> {
  const mel = await signedIn(workspace, "member");
  const { id: contractId } = await workspace.contract({ ownerId: mel.userId });
  for (let days = 0; days < 20; days++)
    await oblige(workspace, `Due ${days}`, addDays(friday, days * 10), { contractId });
  return mel;
}

test("preferences override the workspace's defaults per kind, and without a mail server only the inbox is used", async ({
  workspace,
}) => {
  const mel = await prepared(workspace);
  const owner = await signedIn(workspace, "owner");
  const defaults = { channels: { OBLIGATION_DUE: "APP" as const }, adminsAfterDays: null };
  expect((await mel.call("notifications.saveDefaults", defaults)).status).toBe(403);
  expect((await owner.call("notifications.saveDefaults", defaults)).body).toMatchObject({
    channels: { OBLIGATION_DUE: "APP", RENEWAL: "EMAIL" },
    ...{ ownerAfterDays: 3, adminsAfterDays: null },
  });
  const { body: log } = await workspace.api("GET /audit-events?action=NOTIFICATION_DEFAULTS_CHANGED");
  expect(log.data[0].payload.changes).toEqual({
    OBLIGATION_DUE: { from: "EMAIL", to: "APP" },
    adminsAfterDays: { from: 7, to: null },
  });
  const mailsOf = async (day: Day) => {
    const { prisma } = database();
    const where = { organizationId: workspace.organizationId, userId: mel.userId, day: new Date(day) };
    return (await prisma.notificationDigest.findFirst({ where }))?.mailId ?? null;
  };
  await tell(workspace, at(friday));
  expect([(await toldTo(workspace, mel.userId)).length, await mailsOf(friday)]).toEqual([4, null]);
  await mel.call("notifications.saveSettings", { channels: { OBLIGATION_DUE: "EMAIL" } });
  provideSettings({ SMTP_URL: "" });
  const second = addDays(friday, 10);
  await tell(workspace, at(second));
  expect(await mailsOf(second), "no mail server").toBeNull();
  const before = (await toldTo(workspace, mel.userId)).length;
  await mel.call("notifications.saveSettings", {
    channels: { OBLIGATION_DUE: "OFF", OBLIGATION_OVERDUE: "OFF" },
  });
  await tell(workspace, at(addDays(friday, 20)));
  expect(await toldTo(workspace, mel.userId)).toHaveLength(before);
  expect(
    (await mel.call("notifications.saveSettings", { channels: { OBLIGATION_DUE: null } })).body.channels,
  ).toMatchObject({
    OBLIGATION_DUE: null,
    OBLIGATION_OVERDUE: "OFF",
  });
});

test("an unsubscribe link works without a session, only when it is posted, and never if it was altered", async ({
  workspace,
}) => {
  const mel = await prepared(workspace);
  await tell(workspace, at(friday));
  const [mail] = await noticesTo(mel.email, 1);
  const header = (name: string) => mail?.headers.find(({ key }) => key === name)?.value ?? "";
  expect(header("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
  const address = header("list-unsubscribe").slice(1, -1);
  const token = address.split("/").at(-1)!;
  const looked = await fetch(address, { redirect: "manual" });
  expect([looked.status, looked.headers.get("location")]).toEqual([
    303,
    `${process.env.BASE_URL}/unsubscribe/${token}`,
  ]);
  const stranger = openBrowser();
  const found = await stranger.call("unsubscription.read", { token });
  expect(found.body).toEqual({
    workspaceName: "Test workspace",
    email: mel.email,
    what: "digest",
    isOver: false,
  });
  for (const other of [`${token}x`, token.replace(/^./, "A"), "x", "x.y", ""]) {
    expect((await stranger.call("unsubscription.confirm", { token: other })).status, other).toBe(404);
  }
  const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
  expect((await fetch(address, { method: "POST", body })).status).toBe(204);
  expect((await stranger.call("unsubscription.read", { token })).body.isOver).toBe(true);
  const { channels } = (await mel.call("notifications.settings")).body;
  expect(channels).toMatchObject({ OBLIGATION_DUE: "APP", RENEWAL: "APP", ASSIGNMENT: null });
});

test("the inbox counts unread items, lists done ones separately, and shows no one else's notifications", async ({
  workspace,
}) => {
  const mel = await prepared(workspace);
  await tell(workspace, at(friday));
  const list = async (input = {}) => (await mel.call("notifications.list", input)).body;
  const unread = async () => (await mel.call("notifications.unread")).body.unread;
  const first = await list();
  expect([first.total, await unread()]).toEqual([4, 4]);
  expect(first.data[0]).toMatchObject({
    kind: "OBLIGATION_DUE",
    isOver: false,
    contract: { title: "Agreement" },
  });
  const [one, two] = first.data;
  await mel.call("notifications.mark", { ids: [one.id], as: "read" });
  expect((await mel.call("notifications.mark", { ids: [two.id], as: "done" })).body).toEqual({ unread: 2 });
  expect([(await list()).total, (await list({ view: "done" })).total]).toEqual([3, 1]);
  const [, , third] = first.data;
  await workspace.api(`PATCH /obligations/${third.obligation.id}`, { body: { status: "COMPLETED" } });
  expect(await unread(), "what is completed is not news").toBe(1);
  expect((await list()).data.find(({ id }: { id: string }) => id === third.id)).toMatchObject({
    isOver: true,
    obligation: { status: "COMPLETED" },
  });
  const other = await signedIn(workspace, "owner");
  await other.call("notifications.mark", { ids: [one.id], as: "unread" });
  expect([await unread(), (await other.call("notifications.list")).body.total]).toEqual([1, 0]);
  await mel.call("notifications.mark", { as: "done" });
  expect([(await list()).total, await unread(), (await list({ view: "done" })).total]).toEqual([0, 0, 4]);
});

test("preferences that a member saves concurrently are all kept", async ({ workspace }) => {
  const mel = await signedIn(workspace, "member");
  const saving = notificationKinds.map((kind) =>
    mel.call("notifications.saveSettings", { channels: { [kind]: "OFF" } }),
  );
  for (const { status, text } of await Promise.all(saving)) expect(status, text).toBe(200);
  const { channels } = (await mel.call("notifications.settings")).body;
  expect(channels).toEqual(Object.fromEntries(notificationKinds.map((kind) => [kind, "OFF"])));
});
