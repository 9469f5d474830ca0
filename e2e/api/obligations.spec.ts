/** Obligations: dates that are calculated and follow their contract. */
import { advanceContract } from "#lib/contracts/daily.ts";
import { systemContext } from "#lib/core/context.ts";
import { addDays, dayOf } from "#lib/core/dates.ts";
import { database } from "#lib/core/db.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { newMember, signedIn } from "../members.ts";

const today = dayOf(new Date());

async function oblige(workspace: Workspace, contractId: string, fields: Record<string, unknown> = {}) {
  const made = await workspace.api("POST /obligations", {
    body: {
      contractId,
      kind: "RENEWAL_NOTICE",
      title: "Give notice",
      anchorType: "EXPIRATION_DATE",
      ...fields,
    },
  });
  expect([made.status, made.text]).toEqual([201, ""]);
  const path = made.headers.get("location")!.replace("/api/v1", "");
  const read = async () => (await workspace.api(`GET ${path}` as `GET /${string}`)).body.obligation;
  const patch = (body: unknown) => workspace.api(`PATCH ${path}` as `PATCH /${string}`, { body });
  return { read, patch, id: path.split("/").at(-1)! };
}

test("an obligation is pending until its anchor date is known, and then explains how its date was calculated", async ({
  workspace,
}) => {
  const { id } = await workspace.contract();
  const notice = await oblige(workspace, id, { offsetValue: 60, offsetDirection: "BEFORE" });
  expect(await notice.read()).toMatchObject({
    status: "PENDING_ANCHOR",
    source: "MANUAL",
    offsetUnit: "DAY",
    resolvedDate: null,
    resolutionBasis: "Waiting for EXPIRATION_DATE",
  });
  const put = await workspace.api(`PUT /contracts/${id}/anchors`, {
    body: { effectiveDate: "2026-01-01", termMonths: 12 },
  });
  expect([put.status, put.text]).toEqual([204, ""]);
  expect(await notice.read()).toMatchObject({
    resolvedDate: "2026-11-01T00:00:00.000Z",
    resolutionBasis: "EXPIRATION_DATE 2026-12-31 (effective 2026-01-01 + 12 months) - 60 DAY = 2026-11-01",
  });
  await workspace.api(`PATCH /contracts/${id}`, { body: { termMonths: 24 } });
  expect((await notice.read()).resolvedDate).toBe("2027-11-01T00:00:00.000Z");
  await workspace.api(`PUT /contracts/${id}/anchors`, { body: { effectiveDate: null } });
  expect(await notice.read()).toMatchObject({ resolvedDate: null, status: "PENDING_ANCHOR" });
});

test("an open obligation's status follows from its date, in responses and filters alike", async ({
  workspace,
}) => {
  const { id } = await workspace.contract();
  const due: Record<string, number> = { OVERDUE: -1, DUE: 30, UPCOMING: 31 };
  for (const [status, days] of Object.entries(due)) {
    await oblige(workspace, id, {
      title: status,
      anchorType: "FIXED_DATE",
      fixedDate: addDays(today, days),
    });
  }
  for (const status of Object.keys(due)) {
    const { body } = await workspace.api(`GET /obligations?status=${status}`);
    expect(body.data.map((row: { title: string; status: string }) => [row.title, row.status])).toEqual([
      [status, status],
    ]);
  }
  const { body } = await workspace.api("GET /analytics/summary");
  expect(body.analytics.obligations).toEqual({ due: 1, overdue: 1 });
});

test("a recurring obligation moves to its next date when it is completed", async ({ workspace }) => {
  const { id } = await workspace.contract();
  const quarterly = await oblige(workspace, id, {
    anchorType: "FIXED_DATE",
    fixedDate: "2026-01-31",
    recurrenceMonths: 3,
  });
  const dates = [];
  for (let i = 0; i < 5; i++) {
    dates.push((await quarterly.read()).resolvedDate.slice(0, 10));
    const reply = await quarterly.patch({ status: "COMPLETED" });
    expect(reply.status).toBe(200);
    expect(["UPCOMING", "DUE", "OVERDUE"]).toContain(reply.body.obligation.status);
  }
  expect(dates).toEqual(["2026-01-31", "2026-04-30", "2026-07-31", "2026-10-31", "2027-01-31"]);
});

test("an obligation can be completed, waived and reopened, and other transitions respond 409", async ({
  workspace,
}) => {
  const { id } = await workspace.contract();
  const it = await oblige(workspace, id, { anchorType: "FIXED_DATE", fixedDate: today });
  const ask = async (status: string) => {
    const { status: code, body } = await it.patch({ status });
    return [code, body.obligation?.status ?? body.error.code];
  };
  expect(await ask("UPCOMING")).toEqual([409, "invalid_transition"]);
  expect(await ask("OVERDUE")).toEqual([409, "invalid_transition"]);
  expect(await ask("COMPLETED")).toEqual([200, "COMPLETED"]);
  expect(await ask("WAIVED")).toEqual([409, "invalid_transition"]);
  expect(await ask("UPCOMING")).toEqual([200, "DUE"]);
  expect(await ask("WAIVED")).toEqual([200, "WAIVED"]);
  const actions = await workspace.api(`GET /audit-events?contractId=${id}`);
  expect(actions.body.data.map((event: { action: string }) => event.action)).toEqual([
    "OBLIGATION_WAIVED",
    "OBLIGATION_UPDATED",
    "OBLIGATION_COMPLETED",
    "OBLIGATION_CREATED",
    "CONTRACT_CREATED",
  ]);
});

test("ending a contract cancels its open obligations", async ({ workspace }) => {
  for (const [first, end] of [
    [null, "CANCELLED"],
    ["EXECUTED", "TERMINATED"],
  ] as const) {
    const { id } = await workspace.contract();
    const open = await oblige(workspace, id);
    const done = await oblige(workspace, id);
    await done.patch({ status: "COMPLETED" });
    const waived = await oblige(workspace, id, {
      ...{ anchorType: "FIXED_DATE", fixedDate: "2026-01-31", recurrenceMonths: 3 },
    });
    await waived.patch({ status: "WAIVED" });
    if (first) await workspace.api(`POST /contracts/${id}/status`, { body: { next: first } });
    await workspace.api(`POST /contracts/${id}/status`, { body: { next: end } });
    expect((await open.read()).status).toBe("CANCELLED");
    expect((await done.read()).status).toBe("COMPLETED");
    for (const refused of [
      await open.patch({ status: "UPCOMING" }),
      await waived.patch({ status: "UPCOMING" }),
      // Rejected because it recurs: completing it would open the next occurrence.
      await waived.patch({ status: "COMPLETED" }),
    ]) {
      expect([refused.status, refused.body.error.code]).toEqual([409, "invalid_transition"]);
    }
    expect((await waived.read()).status).toBe("WAIVED");
  }
});

test("FIXED_DATE requires a date, and EVENT waits until one is set", async ({ workspace }) => {
  const { id } = await workspace.contract();
  const refused = await workspace.api("POST /obligations", {
    body: { contractId: id, kind: "OTHER", title: "T", anchorType: "FIXED_DATE" },
  });
  expect([refused.status, refused.body.error.details.issues[0].path]).toEqual([422, "fixedDate"]);
  const event = await oblige(workspace, id, {
    anchorType: "EVENT",
    offsetValue: 5,
    offsetUnit: "BUSINESS_DAY",
  });
  expect((await event.read()).resolutionBasis).toBe("Waiting for EVENT");
  await event.patch({ fixedDate: "2026-05-01" });
  expect((await event.read()).resolvedDate).toBe("2026-05-08T00:00:00.000Z");
  for (const body of [
    { offsetValue: 3651 },
    { recurrenceMonths: 0 },
    { source: "AI" },
    { offsetUnit: "HOUR" },
  ]) {
    const reply = await workspace.api("POST /obligations", {
      body: { contractId: id, kind: "OTHER", title: "T", anchorType: "EVENT", ...body },
    });
    expect([reply.status, reply.body.error.details.issues[0].path]).toEqual([422, Object.keys(body)[0]]);
  }
});

test("all validation errors of an obligation are reported together, before its state is checked", async ({
  workspace,
}) => {
  const { id } = await workspace.contract();
  const refused = async (body: object) => {
    const reply = await workspace.api("POST /obligations", {
      body: { contractId: id, kind: "OTHER", ...body },
    });
    return reply.body.error.details.issues.map(({ path }: { path: string }) => path).toSorted();
  };
  expect(await refused({ title: "", anchorType: "FIXED_DATE" })).toEqual(["fixedDate", "title"]);
  const unknown = { contractId: "ctr_x", assigneeId: "usr_x" };
  expect(await refused({ title: "Pay", anchorType: "EVENT", ...unknown })).toEqual([
    "assigneeId",
    "contractId",
  ]);
  const open = await oblige(workspace, id, { anchorType: "EVENT" });
  expect((await open.patch({ status: "UPCOMING", anchorType: "FIXED_DATE" })).status).toBe(422);
  await open.patch({ status: "COMPLETED" });
  const late = await open.patch({ status: "WAIVED", assigneeId: "usr_x" });
  expect([late.status, late.body.error.details?.issues[0].path]).toEqual([422, "assigneeId"]);
});

test("a recurring obligation whose interval changes continues after its last completed occurrence", async ({
  workspace,
}) => {
  const { id } = await workspace.contract();
  const monthly = { anchorType: "FIXED_DATE", fixedDate: "2026-01-31", recurrenceMonths: 1 };
  const it = await oblige(workspace, id, monthly);
  for (let i = 0; i < 3; i++) await it.patch({ status: "COMPLETED" });
  const yearly = await it.patch({ recurrenceMonths: 12 });
  expect(yearly.body.obligation.resolvedDate).toBe("2027-01-31T00:00:00.000Z");
  const ended = await it.patch({ recurrenceMonths: null, status: "COMPLETED" });
  expect(ended.body.obligation.status).toBe("COMPLETED");
});

test("a renewal neither skips nor repeats a date of a recurring obligation", async ({ workspace }) => {
  const year = Number(today.slice(0, 4));
  const term = { effectiveDate: `${year}-01-01`, termMonths: 12, autoRenews: true, renewalMonths: 12 };
  const { id } = await workspace.contract(term);
  await workspace.api(`POST /contracts/${id}/status`, { body: { next: "EXECUTED" } });
  const notice = await oblige(workspace, id, {
    offsetValue: 60,
    offsetDirection: "BEFORE",
    recurrenceMonths: 12,
  });
  const due = async () => (await notice.read()).resolvedDate.slice(0, 10);
  for (const ahead of [0, 1, 2]) {
    expect(await due()).toBe(`${year + ahead}-11-01`);
    await notice.patch({ status: "COMPLETED" });
    expect(await due()).toBe(`${year + ahead + 1}-11-01`);
    const renewal = new Date(`${year + ahead + 1}-01-01T00:05:00Z`);
    await advanceContract(systemContext(workspace.organizationId, "calendar", renewal), id);
    const { contract } = (await workspace.api(`GET /contracts/${id}`)).body;
    expect(contract.termMonths).toBe(12 * (ahead + 2));
  }
  expect(await due()).toBe(`${year + 3}-11-01`);
  // Nor does a change of the term, or a term that is removed for a while.
  await workspace.api(`PUT /contracts/${id}/anchors`, { body: { termMonths: null } });
  expect(await notice.read()).toMatchObject({ resolvedDate: null });
  await workspace.api(`PUT /contracts/${id}/anchors`, { body: { termMonths: 12 } });
  expect(await due()).toBe(`${year + 3}-11-01`);
});

test("a recurring obligation whose first date moves continues after its last completed occurrence", async ({
  workspace,
}) => {
  const { id } = await workspace.contract();
  const monthly = { anchorType: "FIXED_DATE", fixedDate: "2026-06-30", recurrenceMonths: 1 };
  const it = await oblige(workspace, id, monthly);
  for (let i = 0; i < 6; i++) await it.patch({ status: "COMPLETED" });
  const due = async () => (await it.read()).resolvedDate.slice(0, 10);
  const moved = async (fixedDate: string) => {
    await it.patch({ fixedDate });
    return due();
  };
  expect(await due()).toBe("2026-12-30");
  expect(await moved("2027-01-15")).toBe("2027-01-15");
  expect(await moved("2026-01-15")).toBe("2026-12-15");
  expect(await moved("2026-06-30")).toBe("2026-12-30");
  // Moved and completed in one request: the new date is the one completed.
  await it.patch({ fixedDate: "2027-02-10", status: "COMPLETED" });
  expect(await due()).toBe("2027-03-10");
});

test("completing a waived occurrence counts as of its original date, even if the contract's dates have moved", async ({
  workspace,
}) => {
  const { id } = await workspace.contract({ effectiveDate: "2026-01-01", termMonths: 12 });
  const yearly = await oblige(workspace, id, { recurrenceMonths: 12 });
  await yearly.patch({ status: "WAIVED" });
  await workspace.api(`PUT /contracts/${id}/anchors`, { body: { termMonths: 24 } });
  await yearly.patch({ status: "COMPLETED" });
  expect((await yearly.read()).resolvedDate).toBe("2027-12-31T00:00:00.000Z");
});

test("occurrences completed before there is a date count from the first date once it is set", async ({
  workspace,
}) => {
  const { id } = await workspace.contract();
  const event = await oblige(workspace, id, { anchorType: "EVENT", recurrenceMonths: 1 });
  for (let i = 0; i < 2; i++) await event.patch({ status: "COMPLETED" });
  const from = async (fixedDate: string | null) =>
    (await event.patch({ fixedDate })).body.obligation.resolvedDate?.slice(0, 10);
  expect(await from("2026-03-01")).toBe("2026-05-01");
  expect(await from("2026-01-01")).toBe("2026-03-01");
  await event.patch({ status: "COMPLETED" });
  // Completed once more while the date is missing again.
  await from(null);
  await event.patch({ status: "COMPLETED" });
  expect(await from("2026-02-15")).toBe("2026-04-15");
});

test("an obligation completed by an earlier version keeps its next date when the contract's dates change", async ({
  workspace,
}) => {
  const { id } = await workspace.contract({ effectiveDate: "2026-01-01", termMonths: 12 });
  const yearly = await oblige(workspace, id, { recurrenceMonths: 12 });
  await yearly.patch({ status: "COMPLETED" });
  const key = { organizationId: workspace.organizationId, id: yearly.id };
  await database().prisma.obligation.update({
    where: { organizationId_id: key },
    data: { completedThrough: null, throughCount: null },
  });
  const due = async (termMonths: number | null) => {
    await workspace.api(`PUT /contracts/${id}/anchors`, { body: { termMonths } });
    return (await yearly.read()).resolvedDate?.slice(0, 10);
  };
  expect(await due(12)).toBe("2027-12-31");
  expect(await due(24)).toBe("2027-12-31");
  expect(await due(null)).toBeUndefined();
  expect(await due(24)).toBe("2027-12-31");
});

test("only one of two concurrent completions succeeds, and a past occurrence cannot be waived", async ({
  workspace,
}) => {
  const { id } = await workspace.contract();
  const monthly = { anchorType: "FIXED_DATE", fixedDate: "2026-06-30", recurrenceMonths: 1 };
  const it = await oblige(workspace, id, monthly);
  const { resolvedDate: occurrence } = await it.read();
  const done = { status: "COMPLETED", occurrence };
  const both = await Promise.all([it.patch(done), it.patch(done)]);
  const late = both.find(({ status }) => status !== 200)!;
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(late.body.error).toMatchObject({
    code: "conflict",
    message: "The occurrence of 2026-06-30 is no longer the next one: the next is now the one of 2026-07-30.",
  });
  expect((await it.read()).resolvedDate).toBe("2026-07-30T00:00:00.000Z");
  expect((await it.patch({ ...done, occurrence: null })).body.error.code).toBe("conflict");
  expect((await it.patch({ ...done, occurrence: "2026-07-30" })).status).toBe(200);
  expect((await it.patch({ status: "WAIVED", occurrence })).status).toBe(409);
  expect(await it.read()).not.toMatchObject({ status: "WAIVED" });
});

test("a bulk completion does not advance recurring obligations that someone else has just completed", async ({
  workspace,
}) => {
  const member = await signedIn(workspace, "member");
  const { id } = await workspace.contract();
  const monthly = { anchorType: "FIXED_DATE", fixedDate: "2026-06-30", recurrenceMonths: 1 };
  const [first, second] = [await oblige(workspace, id, monthly), await oblige(workspace, id, monthly)];
  const occurrences = [first, second].map((each) => ({ id: each.id, occurrence: "2026-06-30" }));
  await first.patch({ status: "COMPLETED" });
  const ids = [first.id, second.id];
  const many = await member.call("obligations.patchMany", { ids, status: "COMPLETED", occurrences });
  expect(many.body.results.map((each: { code: string }) => each.code)).toEqual(["conflict", null]);
  for (const each of [first, second]) {
    expect((await each.read()).resolvedDate).toBe("2026-07-30T00:00:00.000Z");
  }
});

test("an ended contract accepts no new obligations", async ({ workspace }) => {
  const { id } = await workspace.contract();
  const done = await oblige(workspace, id);
  await done.patch({ status: "COMPLETED" });
  await workspace.api(`POST /contracts/${id}/status`, { body: { next: "CANCELLED" } });
  expect((await done.patch({ status: "UPCOMING" })).status).toBe(409);
  const late = await workspace.api("POST /obligations", {
    body: { contractId: id, kind: "OTHER", title: "Late", anchorType: "EVENT" },
  });
  expect([late.status, late.body.error.code]).toEqual([409, "conflict"]);
});

test("an obligation cannot be created on another workspace's contract", async ({ workspace, other }) => {
  const { id } = await other.contract();
  const reply = await workspace.api("POST /obligations", {
    body: { contractId: id, kind: "OTHER", title: "T", anchorType: "EVENT" },
  });
  expect([reply.status, reply.body.error.details.issues[0].path]).toEqual([422, "contractId"]);
});

test("obligations are listed 25 per page, soonest due first and undated ones last", async ({ workspace }) => {
  const { id } = await workspace.contract();
  const { counterparty } = (await workspace.api("POST /counterparties", { body: { name: "C" } })).body;
  const second = await workspace.contract({ counterpartyId: counterparty.id });
  for (let i = 0; i < 26; i++) {
    await oblige(workspace, id, {
      anchorType: "FIXED_DATE",
      fixedDate: addDays(today, 40 - i),
      kind: "PAYMENT",
    });
  }
  await oblige(workspace, second.id, { title: "50% undated_x" });
  const one = await workspace.api("GET /obligations");
  const two = await workspace.api("GET /obligations?page=2");
  expect([one.body.total, one.body.pageSize, one.body.pageCount, two.body.data.length]).toEqual([
    27, 25, 2, 2,
  ]);
  const dates = [...one.body.data, ...two.body.data].map((row) => row.resolvedDate);
  expect(dates).toEqual([...dates.slice(0, 26).toSorted(), null]);
  const total = async (query: string) => (await workspace.api(`GET /obligations?${query}`)).body.total;
  expect(await total("kind=PAYMENT")).toBe(26);
  expect(await total(`counterpartyId=${counterparty.id}`)).toBe(1);
  expect(await total(`contractId=${second.id}`)).toBe(1);
  expect(await total("q=50%25")).toBe(1);
  expect(await total("q=d_x")).toBe(1);
  expect(await total("q=nothing_like_it")).toBe(0);
  expect(await total(`dueFrom=${addDays(today, 40)}&dueTo=${addDays(today, 40)}`)).toBe(1);
  const own = await workspace.api(`GET /contracts/${id}/obligations`);
  expect(own.body.data).toHaveLength(26);
});

test("an obligation belongs to its assignee, or else to its contract's owner, in responses, filters and the log", async ({
  workspace,
  other,
}) => {
  const { userId: mel, email } = await newMember(workspace, "member", "Mel");
  const { id } = await workspace.contract();
  const follows = await oblige(workspace, id, { title: "Follows" });
  const given = await oblige(workspace, id, { title: "Given", assigneeId: mel });
  const olive = { id: workspace.ownerId, name: "Olive Owner", email: expect.stringContaining("@") };
  expect(await follows.read()).toMatchObject({ assigneeId: null, assignee: olive });
  expect(await given.read()).toMatchObject({ assigneeId: mel, assignee: { id: mel, name: "Mel", email } });
  const titles = async (assigneeId: string) =>
    (await workspace.api(`GET /obligations?assigneeId=${assigneeId}`)).body.data.map(
      ({ title }: { title: string }) => title,
    );
  expect([await titles(workspace.ownerId), await titles(mel)]).toEqual([["Follows"], ["Given"]]);
  await workspace.api(`PATCH /contracts/${id}`, { body: { ownerId: mel } });
  expect([await titles(workspace.ownerId), (await titles(mel)).length]).toEqual([[], 2]);
  expect(await follows.read()).toMatchObject({ assigneeId: null, assignee: { id: mel } });
  const patched = await given.patch({ assigneeId: workspace.ownerId });
  expect(patched.body.obligation).toMatchObject({ assigneeId: workspace.ownerId, assignee: olive });
  const { body } = await workspace.api(`GET /audit-events?contractId=${id}&action=OBLIGATION_UPDATED`);
  expect(body.data[0].payload.changes).toEqual({ assigneeId: { from: mel, to: workspace.ownerId } });
  expect((await given.patch({ assigneeId: null })).body.obligation.assignee.id).toBe(mel);
  const gone = await newMember(workspace, "viewer");
  const admin = await signedIn(workspace, "admin");
  expect((await admin.call("members.remove", { memberId: gone.memberId })).status).toBe(204);
  for (const assigneeId of [gone.userId, other.ownerId, "usr_x"]) {
    const refused = await given.patch({ assigneeId });
    expect([refused.status, refused.body.error.details.issues[0].path]).toEqual([422, "assigneeId"]);
  }
  const foreign = await other.api(`GET /obligations?assigneeId=${mel}`);
  expect(foreign.body.total).toBe(0);
});

test("bulk completions and reassignments succeed or fail for each obligation independently", async ({
  workspace,
  other,
}) => {
  const member = await signedIn(workspace, "member");
  const { id } = await workspace.contract();
  const [open, done] = [await oblige(workspace, id), await oblige(workspace, id)];
  await done.patch({ status: "WAIVED" });
  const strange = await oblige(other, (await other.contract()).id);
  const ids = [open.id, done.id, strange.id];
  const reassigned = await member.call("obligations.patchMany", { ids, assigneeId: member.userId });
  const codes = ({ body }: typeof reassigned) => body.results.map((each: { code: string }) => each.code);
  expect(codes(reassigned)).toEqual([null, null, "not_found"]);
  expect((await open.read()).assigneeId).toBe(member.userId);
  const completed = await member.call("obligations.patchMany", { ids, status: "COMPLETED" });
  expect(codes(completed)).toEqual([null, null, "not_found"]);
  const again = await member.call("obligations.patchMany", { ids: ids.slice(0, 2), status: "WAIVED" });
  expect(codes(again)).toEqual(["invalid_transition", "invalid_transition"]);
  expect((await member.call("obligations.patchMany", { ids })).status).toBe(422);
  expect(await strange.read()).toMatchObject({ assigneeId: null, status: "PENDING_ANCHOR" });
});

test("removing a member passes contracts and obligations to a successor, or else obligations to contract owners", async ({
  workspace,
}) => {
  const owner = await signedIn(workspace, "owner");
  const [leaver, next, third] = [
    await newMember(workspace, "member"),
    await newMember(workspace, "member"),
    await newMember(workspace, "member"),
  ];
  const mine = await workspace.contract({ ownerId: leaver.userId });
  const others = await workspace.contract();
  const assigned = await oblige(workspace, others.id, { assigneeId: leaver.userId });
  const follows = await oblige(workspace, mine.id);
  expect((await owner.call("members.holdings", { memberId: leaver.memberId })).body).toEqual({
    contracts: 1,
    obligations: 1,
    approvals: 0,
  });
  const remove = (memberId: string, successorId?: string) =>
    owner.call("members.remove", { memberId, ...(successorId ? { successorId } : {}) });
  for (const successorId of [leaver.userId, "usr_x"]) {
    const refused = await remove(leaver.memberId, successorId);
    expect([refused.status, refused.body.error.details.issues[0].path]).toEqual([422, "successorId"]);
  }
  expect((await remove(leaver.memberId, next.userId)).status).toBe(204);
  const contract = (await workspace.api(`GET /contracts/${mine.id}`)).body.contract;
  expect(contract.ownerId).toBe(next.userId);
  expect(await follows.read()).toMatchObject({ assigneeId: null, assignee: { id: next.userId } });
  expect((await assigned.read()).assigneeId).toBe(next.userId);
  expect((await remove(next.memberId)).status).toBe(204);
  expect((await workspace.api(`GET /contracts/${mine.id}`)).body.contract.ownerId, "as written").toBe(
    next.userId,
  );
  expect(await assigned.read()).toMatchObject({ assigneeId: null, assignee: { id: workspace.ownerId } });
  expect((await owner.call("members.holdings", { memberId: next.memberId })).status).toBe(404);
  const viewer = await signedIn(workspace, "viewer");
  expect((await viewer.call("members.holdings", { memberId: third.memberId })).status).toBe(403);
});
