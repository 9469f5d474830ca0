/** Archived contracts: where they can be found, and where they no longer show up. */
import { advanceContract, announceExpiring } from "#lib/contracts/daily.ts";
import { ContractQuery } from "#lib/contracts/schema.ts";
import { addDays, addMonths, dayOf } from "#lib/core/dates.ts";
import { database } from "#lib/core/db.ts";
import { unsentItems } from "#lib/notifications/items.ts";
import { announceDue } from "#lib/obligations/daily.ts";
import { exportCsv } from "#lib/overview/exports/csv.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { code, signedIn } from "../members.ts";
import { asMember, draft, memberOf, sent } from "../signing.ts";

// biome-ignore lint/suspicious/noExplicitAny: each test checks the parts of a response that it needs.
type Json = any;

const today = dayOf(new Date());

const archive = ({ api }: Pick<Workspace, "api">, id: string, archived = true) =>
  api(`PATCH /contracts/${id}`, { body: { archived } });

/** Returns the events of a workspace, oldest first. */
async function eventsOf({ organizationId }: Workspace): Promise<Json[]> {
  const rows = await database().prisma.event.findMany({ where: { organizationId }, orderBy: { id: "asc" } });
  return rows.map(({ payload }) => JSON.parse(payload));
}

/** No one listens at this address, but events are written all the same. */
async function listen({ api }: Workspace): Promise<void> {
  const made = await api("POST /webhook-endpoints", { body: { url: "http://127.0.0.1:9/" } });
  expect(made.status, made.text).toBe(201);
}

test("PATCH archives and unarchives a contract, shown once each in the response, audit log and webhooks", async ({
  workspace,
}) => {
  await listen(workspace);
  const { id } = await workspace.contract();
  const first = await archive(workspace, id);
  expect([first.status, first.body.contract.archivedAt]).toEqual([200, first.body.contract.updatedAt]);
  const again = await archive(workspace, id);
  expect(again.body).toEqual(first.body);
  const both = await workspace.api(`PATCH /contracts/${id}`, { body: { archived: false, title: "Back" } });
  expect(both.body.contract).toMatchObject({ archivedAt: null, title: "Back" });
  const { data } = (await workspace.api(`GET /audit-events?contractId=${id}`)).body;
  expect(data.map(({ action }: Json) => action)).toEqual([
    "CONTRACT_UNARCHIVED",
    "CONTRACT_UPDATED",
    "CONTRACT_ARCHIVED",
    "CONTRACT_CREATED",
  ]);
  const told = (await eventsOf(workspace)).filter(({ type }) => type.endsWith("archived"));
  expect(told.map(({ type, data: { previous } }) => [type, previous])).toEqual([
    ["contract.archived", { archivedAt: null }],
    ["contract.unarchived", { archivedAt: first.body.contract.archivedAt }],
  ]);
  expect(told[0].data.contract).toEqual(first.body.contract);
  const stale = { "if-match": '"other"' };
  const refused = await workspace.api(`PATCH /contracts/${id}`, { body: { archived: true }, headers: stale });
  expect(code(refused)).toBe("412 precondition_failed");
  for (const body of [{ archived: "yes" }, { archived: null }, { archivedAt: today }]) {
    expect(code(await workspace.api(`PATCH /contracts/${id}`, { body }))).toBe("422 validation_error");
  }
});

test("an archived contract is found by ID, counterparty, export and search, but in lists only on request", async ({
  workspace,
}) => {
  const { api, ctx } = workspace;
  const { counterparty } = (await api("POST /counterparties", { body: { name: "Northwind" } })).body;
  const fields = { title: "Kelp lease", counterpartyId: counterparty.id, tags: ["Sea"] };
  const [kept, aside] = [await workspace.contract(fields), await workspace.contract(fields)];
  await archive(workspace, aside.id);
  const found = async (query: string) => {
    const { body } = await api(`GET /contracts?sort=createdAt&dir=asc&${query}`);
    expect(body.total, query).toBe(body.data.length);
    return body.data.map(({ id }: Json) => id);
  };
  for (const filter of ["", "q=kelp", "tag=sea", "status=DRAFT", `counterpartyId=${counterparty.id}`]) {
    expect(await found(filter), filter).toEqual([kept.id]);
    expect(await found(`${filter}&archived=true`), filter).toEqual([aside.id]);
    expect(await found(`${filter}&archived=any`), filter).toEqual([kept.id, aside.id]);
  }
  expect(code(await api("GET /contracts?archived=maybe"))).toBe("422 validation_error");
  expect((await api(`GET /contracts/${aside.id}`)).body.contract.archivedAt).not.toBeNull();
  const { contracts, contractCount } = (await api(`GET /counterparties/${counterparty.id}`)).body
    .counterparty;
  expect([contracts.length, contractCount]).toEqual([2, 2]);
  const exported = async (query: object) => (await exportCsv(ctx, "contracts.csv", query)).rowCount;
  expect(await exported(ContractQuery.parse({}))).toBe(2);
  expect(await exported(ContractQuery.parse({ archived: "true" }))).toBe(1);
  const viewer = await signedIn(workspace, "viewer");
  expect((await viewer.call("search.jump", { q: "kelp" })).body.contracts).toHaveLength(1);
});

test("archived contracts and their obligations are left out of analytics, Home, the digest and calendar feeds", async ({
  workspace,
}) => {
  const { api, ownerId } = workspace;
  const member = await signedIn(workspace, "admin");
  const term = { effectiveDate: addDays(addMonths(today, -1), 5), termMonths: 1, valueCents: "500" };
  const { id } = await workspace.contract({ ...term, ownerId: member.userId });
  await api(`POST /contracts/${id}/status`, { body: { next: "EXECUTED" } });
  await advanceContract(workspace.ctx, id);
  const duty = { contractId: id, kind: "PAYMENT", title: "Pay", anchorType: "FIXED_DATE" };
  for (const days of [-3, 3])
    await api("POST /obligations", { body: { ...duty, fixedDate: addDays(today, days) } });
  const { url } = (await member.call("calendarFeed.create", { covers: "everything" })).body;
  const { organizationId } = workspace;
  const reader = {
    organizationId,
    userId: member.userId,
    role: "admin",
    today,
    now: new Date(),
    quietDays: 0,
  };
  const all = async () => {
    const { analytics } = (await api("GET /analytics/summary")).body;
    const { home } = (await member.call("home.summary")).body;
    const feed = await (await member.get(new URL(url).pathname)).text();
    return {
      active: analytics.contractsByStatus.ACTIVE,
      open: analytics.openValue.length,
      expiring: analytics.expiring.d30,
      obligations: analytics.obligations,
      mine: [home.mine.due.count, home.mine.overdue.count, home.mine.next.length],
      everyones: [home.workspace.due.count, home.workspace.overdue.count],
      renewals: [home.renewals.count, home.renewals.next.length],
      listed: (await api("GET /obligations")).body.total,
      feed: feed.match(/BEGIN:VEVENT/g)?.length ?? 0,
      // Sorted, because months differ in length: which of two of these dates comes first varies.
      told: (await unsentItems(database().prisma, { ...reader, ownerAfterDays: null, adminsAfterDays: null }))
        .map(({ kind }) => kind)
        .sort(),
    };
  };
  const shown = {
    ...{ active: 1, open: 1, expiring: 1, obligations: { due: 1, overdue: 1 }, mine: [1, 1, 2] },
    ...{ everyones: [1, 1], renewals: [1, 1], listed: 2, feed: 2 },
    told: ["OBLIGATION_DUE", "OBLIGATION_OVERDUE", "RENEWAL"],
  };
  expect(await all()).toEqual(shown);
  await archive(workspace, id);
  expect(await all()).toEqual({
    ...{ active: 0, open: 0, expiring: 0, obligations: { due: 0, overdue: 0 }, mine: [0, 0, 0] },
    ...{ everyones: [0, 0], renewals: [0, 0], listed: 0, feed: 0, told: [] },
  });
  for (const query of ["archived=true", "archived=any", `contractId=${id}`]) {
    expect((await api(`GET /obligations?${query}`)).body.total, query).toBe(2);
  }
  expect((await api(`GET /contracts/${id}/obligations`)).body.data).toHaveLength(2);
  // An obligation that is added meanwhile is hidden, too.
  await api("POST /obligations", { body: { ...duty, fixedDate: today } });
  expect((await all()).listed).toBe(0);
  await archive(workspace, id, false);
  expect((await all()).listed).toBe(3);
  expect(ownerId).not.toBe(member.userId);
});

test("an archived contract still expires, but webhooks get no expiring or obligation events for it", async ({
  workspace,
}) => {
  const { api, ctx } = workspace;
  await listen(workspace);
  const { id } = await workspace.contract({ effectiveDate: addDays(addMonths(today, -1), 5), termMonths: 1 });
  const duty = { contractId: id, kind: "PAYMENT", title: "Pay", anchorType: "EXPIRATION_DATE" };
  await api("POST /obligations", { body: duty });
  await api(`POST /contracts/${id}/status`, { body: { next: "EXECUTED" } });
  await archive(workspace, id);
  const before = (await eventsOf(workspace)).length;
  await advanceContract(ctx, id);
  await announceExpiring();
  await announceDue();
  const [obligation] = (await api(`GET /contracts/${id}/obligations`)).body.data;
  await api("POST /obligations", { body: { ...duty, title: "Another" } });
  await api(`PUT /contracts/${id}/anchors`, { body: { termMonths: 2 } });
  await api(`PATCH /obligations/${obligation.id}`, { body: { status: "COMPLETED" } });
  await advanceContract({ ...ctx, now: new Date(`${addMonths(today, 3)}T00:00:00Z`) }, id);
  const { contract } = (await api(`GET /contracts/${id}`)).body;
  expect([contract.status, contract.archivedAt !== null]).toEqual(["EXPIRED", true]);
  const types = (await eventsOf(workspace)).slice(before).map(({ type }) => type);
  expect(types.filter((type) => /obligation|expiring/.test(type))).toEqual([]);
  expect(types).toContain("contract.status_changed");
  await archive(workspace, id, false);
  await api(`PATCH /obligations/${obligation.id}`, { body: { title: "Paid" } });
  expect((await eventsOf(workspace)).at(-1).type).toBe("obligation.updated");
});

test("a contract out for signature cannot be archived, and an archived contract cannot be sent", async ({
  workspace,
}) => {
  const out = await sent(workspace, [{ name: "Ann" }]);
  const refused = await archive(workspace, out.contractId);
  expect([code(refused), refused.body.error.message]).toEqual([
    "409 conflict",
    "This contract is out for signature. Void the signature request first.",
  ]);
  const envelope = await draft(workspace, [{ name: "Ann" }]);
  await archive(workspace, envelope.contractId);
  await expect(asMember(memberOf(workspace), "send", { envelopeId: envelope.id })).rejects.toMatchObject({
    code: "conflict",
    message: "This contract is archived. Unarchive it before you send it.",
  });
});

test("bulk archiving and unarchiving reports a result per contract, and is forbidden to viewers", async ({
  workspace,
  other,
}) => {
  const out = await sent(workspace, [{ name: "Ann" }]);
  const [one, two, theirs] = [await workspace.contract(), await workspace.contract(), await other.contract()];
  await archive(workspace, two.id);
  const ids = [out.contractId, one.id, two.id, theirs.id];
  const member = await signedIn(workspace, "member");
  const { body } = await member.call("contracts.setArchivedOfMany", { ids, archived: true });
  expect(body.results.map(({ ok, changed, code }: Json) => [ok, changed, code])).toEqual([
    [false, false, "conflict"],
    [true, true, null],
    [true, false, null],
    [false, false, "not_found"],
  ]);
  expect((await workspace.api("GET /contracts?archived=true")).body.total).toBe(2);
  await member.call("contracts.setArchivedOfMany", { ids: [one.id, two.id], archived: false });
  expect((await workspace.api("GET /contracts?archived=true")).body.total).toBe(0);
  const viewer = await signedIn(workspace, "viewer");
  const refused = await viewer.call("contracts.setArchivedOfMany", { ids, archived: true });
  expect(code(refused)).toBe("403 forbidden");
});
