/** What a webhook receiver can rely on: which events arrive, and what they contain. */
import { advanceContract, announceExpiring } from "#lib/contracts/daily.ts";
import { addDays, addMonths, dayOf } from "#lib/core/dates.ts";
import { database } from "#lib/core/db.ts";
import { payloadOf } from "#lib/events/catalogue.ts";
import { announceDue } from "#lib/obligations/daily.ts";
import { addMember } from "#lib/people/members/workspaces.ts";
import type { EventType } from "#lib/webhooks/schema.ts";
import { newWorkspace } from "../fixtures.ts";
import { isSigned, type Receiver } from "../receiver.ts";
import { expect, quickestMs, received, subscribe, test } from "../webhooks.ts";

const today = dayOf(new Date());

test("a change is delivered within a second, signed, with the resource as the REST API returns it", async ({
  workspace,
  receiver,
}) => {
  const { secret } = await subscribe(workspace, receiver);
  const contract = await workspace.contract();
  const [request] = await received(receiver, 1);
  expect(await quickestMs(workspace, receiver)).toBeLessThan(1000);
  expect(isSigned(secret, request!)).toBe(true);
  expect(request!.headers).toMatchObject({
    "content-type": "application/json",
    "user-agent": "Countersign-Webhooks",
    "webhook-id": expect.stringMatching(/^msg_[0-9a-z]{26}$/),
  });
  expect(request!.event).toEqual({
    id: expect.stringMatching(/^evt_[0-9a-z]{26}$/),
    type: "contract.created",
    timestamp: contract.createdAt,
    apiVersion: "v1",
    organizationId: workspace.organizationId,
    actor: { kind: "API_KEY", id: workspace.keyId, assistant: null },
    data: { contract, previous: null },
  });
});

/** Returns the received events by type; each must match its schema in openapi.json. */
function eventsOf(receiver: Receiver) {
  for (const { event } of receiver.received) {
    expect(payloadOf(event.type).safeParse(event).error?.issues, event.type).toBeUndefined();
  }
  return new Map(receiver.received.map(({ event }) => [event.type as EventType, event]));
}

test("each change sends its own event, with the previous values of the changed fields", async ({
  workspace,
  receiver,
}) => {
  const { api } = workspace;
  await subscribe(workspace, receiver);
  const { id } = await workspace.contract({ title: "Before" });
  const { counterparty } = (
    await api("POST /counterparties", { body: { name: "Northwind", notes: "n".repeat(500) } })
  ).body;
  await api(`PATCH /contracts/${id}`, { body: { title: "After" } });
  await api(`PUT /contracts/${id}/counterparty`, { body: { counterpartyId: counterparty.id } });
  await api(`POST /contracts/${id}/status`, { body: { next: "IN_REVIEW" } });
  await api(`PUT /counterparties/${counterparty.id}/notes`, { body: { notes: null } });
  const contact = { name: "Ann", email: "ann@northwind.example" };
  const made = await api(`POST /counterparties/${counterparty.id}/contacts`, { body: contact });
  await api(`PATCH /counterparties/${counterparty.id}/contacts/${made.body.contact.id}`, {
    body: { name: "Anna" },
  });
  await received(receiver, 8);
  const events = eventsOf(receiver);
  const previous = (type: EventType) => events.get(type).data.previous;
  expect(previous("contract.created")).toBeNull();
  expect(previous("contract.updated")).toEqual({ title: "Before" });
  expect(events.get("contract.updated").data.contract.title).toBe("After");
  expect(previous("contract.counterparty_changed")).toEqual({ counterpartyId: null });
  expect(events.get("contract.counterparty_changed").data.contract.counterparty.name).toBe("Northwind");
  expect(previous("contract.status_changed")).toEqual({ status: "DRAFT" });
  expect(previous("counterparty.created")).toBeNull();
  expect(previous("counterparty.updated")).toEqual({ notes: "n".repeat(500) });
  expect(previous("contact.created")).toBeNull();
  expect(previous("contact.updated")).toEqual({ name: "Ann" });
});

test("an obligation sends an event when it is created, moves with its contract, and is completed", async ({
  workspace,
  receiver,
}) => {
  const { api } = workspace;
  await subscribe(workspace, receiver, {
    events: ["obligation.created", "obligation.updated", "obligation.completed"],
  });
  const { id } = await workspace.contract();
  const body = { contractId: id, kind: "OTHER", title: "Pay", anchorType: "EFFECTIVE_DATE" };
  const obligation = (await api("POST /obligations", { body })).headers.get("location")!;
  await received(receiver, 1);
  await api(`PUT /contracts/${id}/anchors`, { body: { effectiveDate: "2040-01-01" } });
  await received(receiver, 2);
  await api(`PATCH ${obligation.replace("/api/v1", "")}` as "PATCH /", { body: { status: "COMPLETED" } });
  await received(receiver, 3);
  const events = eventsOf(receiver);
  expect(events.get("obligation.created").data).toMatchObject({
    obligation: { title: "Pay", status: "PENDING_ANCHOR" },
    previous: null,
  });
  expect(events.get("obligation.updated").data).toMatchObject({
    obligation: { resolvedDate: "2040-01-01T00:00:00.000Z", status: "UPCOMING" },
    previous: { resolvedDate: null, status: "PENDING_ANCHOR" },
  });
  expect(events.get("obligation.completed").data).toMatchObject({
    obligation: { status: "COMPLETED" },
    previous: { status: "UPCOMING" },
  });
});

test("an invitation and a role change each send an event", async ({ workspace, receiver }) => {
  await subscribe(workspace, receiver, { events: ["member.invited", "member.role_changed"] });
  const person = { email: `m-${Date.now()}@test.example`, name: "Max", password: "a long password" };
  const { memberId } = await addMember(workspace.ctx, { ...person, role: "member" });
  await workspace.api(`PATCH /members/${memberId}`, { body: { role: "viewer" } });
  await workspace.api("POST /members/invitations", { body: { email: "new@test.example" } });
  await received(receiver, 2);
  const events = eventsOf(receiver);
  expect(events.get("member.role_changed").data).toMatchObject({
    member: { memberId, role: "viewer", name: "Max" },
    previous: { role: "member" },
  });
  expect(events.get("member.invited").data).toMatchObject({
    invitation: { email: "new@test.example", status: "pending" },
    previous: null,
  });
});

test("an approaching end of term is announced once by the system, and once more if it moves", async ({
  workspace,
  receiver,
}) => {
  await subscribe(workspace, receiver, { events: ["contract.expiring"] });
  const effectiveDate = addDays(addMonths(today, -1), 15);
  const { id } = await workspace.contract({ effectiveDate, termMonths: 1 });
  await workspace.api(`POST /contracts/${id}/status`, { body: { next: "EXECUTED" } });
  await advanceContract(workspace.ctx, id);
  for (let hour = 0; hour < 3; hour++) await announceExpiring();
  const [{ event } = { event: null }] = await received(receiver, 1);
  expect(event).toMatchObject({
    type: "contract.expiring",
    actor: { kind: "SYSTEM", id: null, assistant: null },
    data: { contract: { id, status: "ACTIVE" }, previous: null },
  });
  await workspace.api(`PUT /contracts/${id}/anchors`, { body: { effectiveDate: addDays(effectiveDate, 1) } });
  for (let hour = 0; hour < 3; hour++) await announceExpiring();
  await received(receiver, 2);
});

test("a renewal sends contract.renewed", async ({ workspace, receiver }) => {
  await subscribe(workspace, receiver, { events: ["contract.renewed"] });
  const { id } = await workspace.contract({ effectiveDate: "2024-01-01", termMonths: 12, autoRenews: true });
  await workspace.api(`POST /contracts/${id}/status`, { body: { next: "EXECUTED" } });
  const { ctx } = workspace;
  await advanceContract({ ...ctx, now: new Date("2025-02-01") }, id);
  const [{ event } = { event: null }] = await received(receiver, 1);
  expect(event.data).toMatchObject({ contract: { id, termMonths: 24 }, previous: { termMonths: 12 } });
});

test("an obligation is announced once as due and once as overdue for each of its dates", async ({
  workspace,
  receiver,
}) => {
  const { api } = workspace;
  await subscribe(workspace, receiver, { events: ["obligation.due", "obligation.overdue"] });
  const { id: contractId } = await workspace.contract();
  const fixed = { contractId, kind: "OTHER", anchorType: "FIXED_DATE" };
  const make = async (title: string, fixedDate: string) =>
    (await api("POST /obligations", { body: { ...fixed, title, fixedDate } })).headers
      .get("location")!
      .slice(7);
  const soon = await make("soon", addDays(today, 10));
  await make("late", addDays(today, -10));
  await make("far", addDays(today, 100));
  for (let hour = 0; hour < 3; hour++) await announceDue();
  await received(receiver, 2);
  const told = () =>
    receiver.received.map(
      ({ event }) => `${event.data.obligation.title} ${event.type} ${event.data.obligation.status}`,
    );
  expect(told().sort()).toEqual(["late obligation.overdue OVERDUE", "soon obligation.due DUE"]);
  await api(`PATCH ${soon}` as "PATCH /", { body: { fixedDate: addDays(today, -1) } });
  for (let hour = 0; hour < 3; hour++) await announceDue();
  await received(receiver, 3);
  expect(told().at(-1)).toBe("soon obligation.overdue OVERDUE");
});

test("two concurrent runs of the calendar announce each event once", async ({ workspace, receiver }) => {
  const { api, organizationId } = workspace;
  await subscribe(workspace, receiver, {
    events: ["contract.expiring", "obligation.due", "obligation.overdue"],
  });
  const terms = { effectiveDate: addDays(addMonths(today, -1), 15), termMonths: 1 };
  const { id: contractId } = await workspace.contract(terms);
  await api(`POST /contracts/${contractId}/status`, { body: { next: "EXECUTED" } });
  await advanceContract(workspace.ctx, contractId);
  const fixed = { contractId, kind: "OTHER", anchorType: "FIXED_DATE" };
  for (const days of [10, -10]) {
    await api("POST /obligations", { body: { ...fixed, title: "Report", fixedDate: addDays(today, days) } });
  }
  const { prisma } = database();
  const told = async () => {
    const events = await prisma.event.findMany({ where: { organizationId }, orderBy: { type: "asc" } });
    return events.map(({ type }) => type);
  };

  await bothWaitFor("contracts", () => announceExpiring());
  await bothWaitFor("obligations", () => announceDue());
  expect(await told()).toEqual(["contract.expiring", "obligation.due", "obligation.overdue"]);

  /** Locks the rows until both runs have selected them and wait. */
  async function bothWaitFor(table: "contracts" | "obligations", run: () => Promise<void>) {
    const { runs } = await prisma.$transaction(async (tx) => {
      await tx.$queryRawUnsafe(
        `SELECT 1 FROM ${table} WHERE organization_id = $1 FOR UPDATE`,
        organizationId,
      );
      let isOver = false;
      const runs = Promise.all([run(), run()]).finally(() => (isOver = true));
      // Another test's run of the daily job may have announced it already.
      await expect.poll(async () => isOver || (await waiting(table)) >= 2).toBe(true);
      return { runs };
    });
    await runs;
  }

  async function waiting(table: string): Promise<number> {
    const [row] = await prisma.$queryRaw<
      { count: number }[]
    >`SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE ${`UPDATE ${table} SET %`}`;
    return row?.count ?? 0;
  }
});

test("an endpoint receives the events that it subscribed to, from its own workspace only", async ({
  workspace,
  other,
  receiver,
}) => {
  await subscribe(workspace, receiver, { events: ["counterparty.created"] });
  await other.contract();
  await other.api("POST /counterparties", { body: { name: "Theirs" } });
  await workspace.contract();
  await workspace.api("POST /counterparties", { body: { name: "Ours" } });
  const [{ event } = { event: null }] = await received(receiver, 1);
  expect(event.data.counterparty.name).toBe("Ours");
});

test("refused requests and no-op changes send no event, and nothing is stored without an endpoint", async ({
  receiver,
}) => {
  const workspace = await newWorkspace();
  await workspace.contract();
  const { prisma } = database();
  const count = () => prisma.event.count({ where: { organizationId: workspace.organizationId } });
  expect(await count()).toBe(0);
  await subscribe(workspace, receiver);
  const { id } = await workspace.contract();
  await workspace.api(`POST /contracts/${id}/status`, { body: { next: "EXPIRED" } });
  await workspace.api(`PATCH /contracts/${id}`, { body: { title: "Agreement" } });
  await received(receiver, 1);
  expect(await count()).toBe(1);
});

test("a POST repeated with its Idempotency-Key sends one event", async ({ workspace, receiver }) => {
  await subscribe(workspace, receiver);
  const asking = { body: { name: "Once" }, headers: { "idempotency-key": "k1" } };
  for (let time = 0; time < 3; time++) await workspace.api("POST /counterparties", asking);
  await workspace.api("POST /counterparties", { body: { name: "Twice" } });
  const requests = await received(receiver, 2);
  expect(requests.map(({ event }) => event.data.counterparty.name).sort()).toEqual(["Once", "Twice"]);
});
