/** What the web app offers beyond the API: home, previews, bulk changes, jump search, exports, the calendar. */
import { randomUUID } from "node:crypto";
import { addDays, dayOf } from "#lib/core/dates.ts";
import { database } from "#lib/core/db.ts";
import { newId } from "#lib/core/ids.ts";
import { summarizeHome } from "#lib/overview/home/summary.ts";
import { removeMember } from "#lib/people/members/members.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { code, newMember, openBrowser, signedIn } from "../members.ts";
import { memberOf } from "../signing.ts";

const today = dayOf(new Date());

type Counted = { count: number; list: "contracts" | "obligations"; query: string };

test("every number on the home page equals the count of the list it links to", async ({ workspace }) => {
  const member = await signedIn(workspace, "member");
  const fields = {
    ownerId: member.userId,
    valueCents: "100",
    effectiveDate: addDays(today, -330),
    termMonths: 12,
  };
  const mine = await workspace.contract({ ...fields, valueCurrency: "EUR" });
  const dollars = await workspace.contract({ valueCents: "2500", valueCurrency: "USD", autoRenews: true });
  const later = await workspace.contract({ valueCents: "1", valueCurrency: "USD" });
  await workspace.api(`POST /contracts/${mine.id}/status`, { body: { next: "EXECUTED" } });
  await workspace.api(`POST /contracts/${dollars.id}/status`, { body: { next: "CANCELLED" } });
  const duty = { kind: "PAYMENT", anchorType: "FIXED_DATE" };
  for (const [contractId, title, days, assignee] of [
    [mine.id, "Late", -3],
    [mine.id, "Soon", 3],
    [mine.id, "Some day", 90],
    [dollars.id, "Not mine", 3],
    [later.id, "Assigned", 4, member.userId],
    [mine.id, "Given away", 2, workspace.ownerId],
  ]) {
    const fixedDate = addDays(today, days as number);
    const body = { ...duty, contractId, title, fixedDate, assigneeId: assignee ?? null };
    await workspace.api("POST /obligations", { body });
  }
  await envelope(workspace, { createdById: workspace.ownerId, status: "SENT" }, [member.userId]);
  await envelope(workspace, { createdById: workspace.ownerId, status: "VOIDED" }, [member.userId]);
  const { home } = (await member.call("home.summary")).body;
  expect(home.mine.next.map(({ title }: { title: string }) => title)).toEqual(["Late", "Soon", "Assigned"]);
  expect(home.renewals.next).toMatchObject([{ id: mine.id, autoRenews: false }]);
  expect(home.valueByCurrency).toMatchObject([
    { currency: "EUR", valueCents: "100", count: 1 },
    { currency: "USD", valueCents: "1", count: 1 },
  ]);
  const admin = await signedIn(workspace, "admin");
  const { home: overseen } = (await admin.call("home.summary")).body;
  expect(home.workspace).toBe(null);
  expect(overseen.mine.overdue.count).toBe(0);
  expect(overseen.workspace).toMatchObject({ overdue: { count: 1 }, due: { count: 3 } });
  expect(overseen.signing.count).toBe(1);
  const numbers: Counted[] = [
    ...[home.mine.due, home.mine.overdue, home.renewals],
    ...[overseen.workspace.due, overseen.workspace.overdue, overseen.signing],
    ...[...home.contractsByStatus, ...home.valueByCurrency],
  ];
  expect(numbers.length).toBeGreaterThan(14);
  for (const { count, list, query } of numbers) {
    const { body } = await workspace.api(`GET /${list}?${query}`);
    expect(body.total, `${list}?${query}`).toBe(count);
  }
});

test("the home page lists the most common currency first, not the largest amount", async ({ workspace }) => {
  for (const [valueCurrency, valueCents] of [
    ["JPY", "900000"],
    ["EUR", "100"],
    ["USD", "100"],
    ["USD", "200"],
  ])
    await workspace.contract({ valueCents, valueCurrency });
  const member = await signedIn(workspace, "viewer");
  const { home } = (await member.call("home.summary")).body;
  const currencies = home.valueByCurrency.map(({ currency }: { currency: string }) => currency);
  expect(currencies).toEqual(["USD", "EUR", "JPY"]);
});

test("the home page shows whose signature is awaited and which signature requests are stuck", async ({
  workspace,
}) => {
  const me = await signedIn(workspace, "member");
  const other = await newMember(workspace, "member");
  const sent = await envelope(workspace, { createdById: me.userId, status: "SENT" }, [
    other.userId,
    me.userId,
  ]);
  const expired = await envelope(workspace, { createdById: me.userId, status: "EXPIRED" }, [other.userId]);
  const turn = await envelope(workspace, { createdById: other.userId, status: "SENT" }, [me.userId]);
  const { home } = (await me.call("home.summary")).body;
  expect(home.mine.signatures).toMatchObject([{ envelopeId: turn.id, contractTitle: "Agreement" }]);
  expect(home.waiting).toMatchObject([{ envelopeId: sent.id, signerName: "Signer 0" }]);
  expect(home.mine.stuck).toMatchObject([{ envelopeId: expired.id, reason: "expired" }]);
});

test("the home page shows a signature request as expired from the moment of its deadline", async ({
  workspace,
}) => {
  const deadline = new Date(Date.now() + 60 * 60 * 1000);
  const createdById = workspace.ownerId;
  const { id } = await envelope(workspace, { createdById, status: "SENT", deadline }, [createdById]);
  const homeAt = async (now: Date) => (await summarizeHome(memberOf(workspace, { now }))).home;
  const before = await homeAt(new Date(deadline.getTime() - 1));
  expect([before.mine.signatures, before.mine.stuck]).toMatchObject([[{ envelopeId: id }], []]);
  const after = await homeAt(deadline);
  expect([after.mine.signatures, after.waiting]).toEqual([[], []]);
  expect(after.mine.stuck).toMatchObject([{ envelopeId: id, reason: "expired" }]);
});

/** Creates a request whose signers sign one after another. */
async function envelope(
  { organizationId, contract }: Workspace,
  fields: { createdById: string; status: string; deadline?: Date },
  userIds: string[],
) {
  const { prisma } = database();
  const id = newId("envelope");
  const { id: contractId } = await contract();
  const document = { fileName: "a.pdf", contentType: "application/pdf", sizeBytes: 1, source: "UPLOADED" };
  const version = await prisma.documentVersion.create({
    data: {
      organizationId,
      id: newId("version"),
      contractId,
      versionNumber: 1,
      sha256: randomUUID(),
      ...document,
    },
  });
  const made = await prisma.envelope.create({
    data: { organizationId, id, contractId, documentVersionId: version.id, ...fields },
  });
  await prisma.signer.createMany({
    data: userIds.map((userId, orderIndex) => ({
      ...{ organizationId, id: newId("signer"), envelopeId: id, userId, orderIndex, party: "ORG_USER" },
      ...{ name: `Signer ${orderIndex}`, email: `${orderIndex}@test.example` },
    })),
  });
  return made;
}

test("previewing a date change shows its exact effects on the contract and its obligations, and writes nothing", async ({
  workspace,
}) => {
  const member = await signedIn(workspace, "member");
  const { id } = await workspace.contract({ effectiveDate: "2030-01-01", termMonths: 12 });
  const notice = { contractId: id, kind: "RENEWAL_NOTICE", title: "Notice", anchorType: "EXPIRATION_DATE" };
  const offset = { offsetValue: 60, offsetDirection: "BEFORE" };
  await workspace.api("POST /obligations", { body: { ...notice, ...offset } });
  await workspace.api("POST /obligations", { body: { ...notice, title: "Fixed", anchorType: "EVENT" } });
  const before = (await workspace.api(`GET /contracts/${id}`)).text;
  const input = { id, termMonths: 24 };
  const told = (await member.call("contracts.previewAnchors", input)).body;
  expect(told).toMatchObject({
    expiresAt: { from: "2030-12-31T00:00:00.000Z", to: "2031-12-31T00:00:00.000Z" },
    status: { from: "DRAFT", to: "DRAFT" },
    obligations: [
      {
        title: "Notice",
        resolvedDate: { from: "2030-11-01T00:00:00.000Z", to: "2031-11-01T00:00:00.000Z" },
      },
    ],
  });
  expect((await workspace.api(`GET /contracts/${id}`)).text).toBe(before);
  await member.call("contracts.setAnchors", input);
  const { data } = (await workspace.api(`GET /contracts/${id}/obligations`)).body;
  const notices = data.filter((one: { title: string }) => one.title === "Notice");
  expect(notices).toMatchObject([
    { resolvedDate: "2031-11-01T00:00:00.000Z", resolutionBasis: told.obligations[0].resolutionBasis },
  ]);
});

test("a bulk status change moves each contract that it can, and reports why it did not move the others", async ({
  workspace,
}) => {
  const member = await signedIn(workspace, "member");
  const [one, two] = [await workspace.contract(), await workspace.contract()];
  await workspace.api(`POST /contracts/${two.id}/status`, { body: { next: "CANCELLED" } });
  const ids = [one.id, two.id, "ctr_nothing"];
  const { results } = (await member.call("contracts.setStatusOfMany", { ids, next: "APPROVED" })).body;
  expect(results).toMatchObject([
    { id: one.id, ok: true, status: "APPROVED", code: null },
    { id: two.id, ok: false, status: null, code: "invalid_transition" },
    { id: "ctr_nothing", ok: false, code: "not_found" },
  ]);
  const feed = await workspace.api("GET /audit-events?action=CONTRACT_STATUS_CHANGED&via=user");
  expect(feed.body.data).toMatchObject([{ contract: { id: one.id }, actor: { id: member.userId } }]);
});

test("jump search finds contracts and counterparties by part of a name, and treats wildcards literally", async ({
  workspace,
}) => {
  const member = await signedIn(workspace, "viewer");
  const party = await workspace.api("POST /counterparties", { body: { name: "Zephyr 100% Ltd" } });
  const { id } = party.body.counterparty;
  await workspace.contract({ title: "Airship lease", counterpartyId: id });
  await workspace.contract({ title: "A zephyr of an agreement" });
  await workspace.contract({ title: "Zephyr NDA" });
  const found = (await member.call("search.jump", { q: "zephyr" })).body;
  const titles = found.contracts.map(({ title }: { title: string }) => title);
  expect(titles[0]).toBe("Zephyr NDA");
  expect(titles.sort()).toEqual(["A zephyr of an agreement", "Airship lease", "Zephyr NDA"]);
  expect(found.counterparties).toEqual([{ id, name: "Zephyr 100% Ltd" }]);
  expect((await member.call("search.jump", { q: "100%" })).body.counterparties).toHaveLength(1);
  expect((await member.call("search.jump", { q: "%" })).body.contracts).toEqual([
    expect.objectContaining({ title: "Airship lease" }),
  ]);
  expect((await member.call("search.jump", { q: "" })).body.contracts).toEqual([]);
});

test("jump search finds contacts by name and address, and signature requests, but never another workspace's", async ({
  workspace,
  other,
}) => {
  const member = await signedIn(workspace, "viewer");
  const stranger = await signedIn(other, "owner");
  const party = await workspace.api("POST /counterparties", { body: { name: "Northwind" } });
  const { id: counterpartyId } = party.body.counterparty;
  const person = { name: "Ελένη Παπαδοπούλου", email: "eleni@northwind.example" };
  const { contact } = (
    await workspace.api(`POST /counterparties/${counterpartyId}/contacts`, { body: person })
  ).body;
  const request = await envelope(workspace, { createdById: workspace.ownerId, status: "SENT" }, [
    workspace.ownerId,
  ]);
  const found = async (q: string, as = member) => (await as.call("search.jump", { q })).body;
  const expected = { ...person, id: contact.id, counterpartyId, counterpartyName: "Northwind" };
  expect((await found("ελένη")).contacts).toEqual([expected]);
  expect((await found("eleni@")).contacts).toEqual([expected]);
  expect((await found("agree")).signatureRequests).toEqual([
    { id: request.id, contractTitle: "Agreement", status: "SENT" },
  ]);
  for (const q of ["ελένη", "agree", "north"]) {
    expect(Object.values(await found(q, stranger)).flat(), "of another workspace").toEqual([]);
  }
});

test("an export has every row that the filter matches, neutralizes formulas, and is recorded in the audit log", async ({
  workspace,
  other,
}) => {
  const admin = await signedIn(workspace, "admin");
  const dangerous = ["=1+1", "+1", "-1", "@SUM(A1)"];
  for (const title of [...dangerous, 'A "quoted", title']) await workspace.contract({ title });
  await workspace.contract({ title: "Another kind", type: "MSA" });
  const answer = await admin.get("/api/member-files/contracts.csv?type=NDA&sort=title&dir=asc&page=7");
  expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(answer.headers.get("content-disposition")).toBe('attachment; filename="contracts.csv"');
  expect(answer.headers.get("x-row-count")).toBe("5");
  const text = await answer.text();
  const lines = text.split("\r\n");
  expect(lines[0]).toContain("id,title,type,ourRole,status");
  expect(lines).toHaveLength(7);
  for (const title of dangerous) expect(text).toContain(`,'${title},NDA,`);
  expect(text).toContain(',"A ""quoted"", title",NDA,');
  const log = await admin.get("/api/member-files/audit-events.csv?action=CONTRACT_CREATED");
  expect([log.headers.get("x-row-count"), (await log.text()).split("\r\n").length]).toEqual(["6", 8]);
  const feed = await workspace.api("GET /audit-events?action=DATA_EXPORTED");
  const { nextCursor } = (await workspace.api("GET /audit-events?action=CONTRACT_CREATED&limit=4")).body;
  const paged = await admin.get(
    `/api/member-files/audit-events.csv?action=CONTRACT_CREATED&cursor=${nextCursor}`,
  );
  expect([paged.headers.get("x-row-count"), (await paged.text()).split("\r\n").length]).toEqual(["6", 8]);
  expect(feed.body.data.map((one: { payload: { target: object } }) => one.payload.target)).toEqual([
    { type: "audit_events", id: workspace.organizationId },
    { type: "contracts", id: workspace.organizationId },
  ]);
  const wrong = await admin.get("/api/member-files/contracts.csv?status=NOPE");
  expect([wrong.status, (await wrong.json()).error.code]).toEqual([422, "validation_error"]);
  const member = await signedIn(workspace, "member");
  const refused = await member.get("/api/member-files/contracts.csv");
  expect([refused.status, (await refused.json()).error.code]).toEqual([403, "forbidden"]);
  const elsewhere = { "x-page-of": `${admin.userId} ${other.organizationId}` };
  const changed = await admin.get("/api/member-files/contracts.csv", elsewhere);
  expect([changed.status, (await changed.json()).error.code]).toEqual([409, "session_changed"]);
  expect((await openBrowser().get("/api/member-files/contracts.csv")).status).toBe(401);
  expect((await admin.get("/api/member-files/nothing.csv")).status).toBe(404);
});

test("a long export that is read in batches has every row", async ({ workspace }) => {
  const admin = await signedIn(workspace, "admin");
  const { organizationId, ownerId } = workspace;
  const row = { organizationId, ownerId, type: "NDA", ourRole: "VENDOR", updatedAt: new Date() };
  const rows = Array.from({ length: 1203 }, (_, at) => ({
    ...row,
    id: newId("contract"),
    title: `No. ${at}`,
  }));
  await database().prisma.contract.createMany({ data: rows });
  const answer = await admin.get("/api/member-files/contracts.csv");
  const titles = (await answer.text())
    .split("\r\n")
    .slice(1, -1)
    .map((line) => line.split(",")[1]);
  expect(new Set(titles).size).toBe(1203);
  expect(answer.headers.get("x-row-count")).toBe("1203");
});

test("a calendar feed has the member's open obligations from all their workspaces, until it is revoked", async ({
  workspace,
  other,
}) => {
  const member = await signedIn(workspace, "viewer");
  const { addMember } = await import("#lib/people/members/workspaces.ts");
  const elsewhere = await addMember(other.ctx, { ...member, name: "Mel", role: "viewer" });
  for (const { api, contract } of [workspace, other]) {
    const contractId = (await contract({ title: "Lease; first, floor" })).id;
    const body = { contractId, kind: "PAYMENT", title: "Pay, please", anchorType: "FIXED_DATE" };
    await api("POST /obligations", { body: { ...body, fixedDate: "2031-05-06" } });
    await api("POST /obligations", { body: { ...body, title: "Some day", anchorType: "EVENT" } });
  }
  expect((await member.call("calendarFeed.read")).body).toEqual({
    isOn: false,
    createdAt: null,
    covers: "mine",
  });
  const first = (await member.call("calendarFeed.create")).body.url as string;
  const read = async (url: string) => {
    const answer = await fetch(url);
    return { status: answer.status, type: answer.headers.get("content-type"), text: await answer.text() };
  };
  const calendar = await read(first);
  expect(calendar.type).toBe("text/calendar; charset=utf-8");
  expect(calendar.text.match(/BEGIN:VEVENT/g)).toHaveLength(2);
  expect(calendar.text).toContain("DTSTART;VALUE=DATE:20310506\r\nDTEND;VALUE=DATE:20310507");
  expect(calendar.text).toContain("SUMMARY:Pay\\, please");
  await removeMember(other.ctx, elsewhere.memberId);
  expect((await read(first)).text.match(/BEGIN:VEVENT/g)).toHaveLength(1);
  await member.call("calendarFeed.choose", { covers: "mine" });
  expect((await read(first)).text, "nothing is assigned to a viewer").not.toContain("VEVENT");
  const { data } = (await workspace.api("GET /obligations?q=Pay")).body;
  await workspace.api(`PATCH /obligations/${data[0].id}`, { body: { assigneeId: member.userId } });
  expect((await read(first)).text.match(/BEGIN:VEVENT/g)).toHaveLength(1);
  const second = (await member.call("calendarFeed.create")).body.url as string;
  expect((await read(first)).status).toBe(404);
  expect((await read(second)).status).toBe(200);
  const stored = await database().prisma.calendarFeed.findMany({ where: { userId: member.userId } });
  expect(JSON.stringify(stored)).not.toContain(second.slice(-20));
  expect((await member.call("calendarFeed.revoke")).status).toBe(204);
  expect((await read(second)).status).toBe(404);
  expect(code(await openBrowser().call("calendarFeed.read"))).toBe("401 signed_out");
});

test("a calendar with more than 5,000 obligations has those due next, and says that it is not complete", async ({
  workspace,
}) => {
  const member = await signedIn(workspace, "viewer");
  const { id: contractId } = await workspace.contract();
  const { organizationId } = workspace.ctx;
  const row = {
    organizationId,
    contractId,
    kind: "OTHER",
    anchorType: "FIXED_DATE",
    resolutionBasis: "fixed",
  };
  const due = (title: string, day: string) => ({
    ...row,
    id: newId("obligation"),
    title,
    resolvedDate: new Date(day),
  });
  const overdue = Array.from({ length: 5000 }, () => due("Overdue", addDays(today, -30)));
  const data = [...overdue, due("Pay next", addDays(today, 30))];
  await database().prisma.obligation.createMany({ data });
  const { url } = (await member.call("calendarFeed.create", { covers: "everything" })).body;
  const read = async () => (await fetch(url)).text();
  const events = (calendar: string, summary: string) => calendar.split(`SUMMARY:${summary}`).length - 1;
  const incomplete = "Countersign: this calendar is not complete";
  const calendar = await read();
  expect([events(calendar, "Pay next"), events(calendar, "Overdue")]).toEqual([1, 4999]);
  expect(events(calendar, incomplete)).toBe(1);
  const [last] = overdue;
  await database().prisma.obligation.deleteMany({ where: { organizationId, id: last!.id } });
  expect(events(await read(), incomplete)).toBe(0);
});
