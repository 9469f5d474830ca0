/** A change, its history, its webhook events and its stored response: all or none, whatever fails or is killed. */
import { randomUUID } from "node:crypto";
import { apiWith, expect, type Reply, test } from "../fixtures.ts";
import { closeGate, commitOf, type Place, refuse } from "../gate.ts";
import { type Installation, install } from "../installation.ts";
import { startServer } from "../server.ts";

let product: Installation;

test.describe.configure({ mode: "serial", timeout: 240_000 });

test.beforeAll(async () => {
  product = await install({ WEBHOOK_ALLOW_PRIVATE: "1" });
  // Nothing listens at this address, and without a worker nothing is sent.
  const endpoint = { url: "http://127.0.0.1:9/", events: ["*"] };
  expect((await product.api("POST /webhook-endpoints", { body: endpoint })).status).toBe(201);
});

test.afterAll(() => product?.close());

/** Counts all the rows that one new contract creates. */
async function counts() {
  const [row] = await product.select<Record<string, number>>(`SELECT
    (SELECT count(*) FROM contracts)::int AS contracts,
    (SELECT count(*) FROM audit_events WHERE action = 'CONTRACT_CREATED')::int AS history,
    (SELECT count(*) FROM events)::int AS events,
    (SELECT count(*) FROM deliveries)::int AS deliveries,
    (SELECT count(*) FROM idempotency_records)::int AS answers`);
  return row!;
}

type Counts = Awaited<ReturnType<typeof counts>>;

const oneMore = (before: Counts): Counts =>
  Object.fromEntries(Object.entries(before).map(([name, count]) => [name, count + 1]));

/** Prepares a request for a new contract that can be sent repeatedly. */
function request(): (url?: string) => Promise<Reply> {
  const headers = { "idempotency-key": randomUUID() };
  const body = { title: "All or nothing", type: "NDA", ourRole: "VENDOR", ownerId: product.ownerId };
  return (url) => (url ? apiWith(product.key, url) : product.api)("POST /contracts", { body, headers });
}

/** Sends a request while a row cannot be written, and again once it can. */
async function failsWholly(place: Place): Promise<void> {
  const before = await counts();
  const send = request();
  const undo = await refuse(product.environment.DATABASE_URL!, place);
  expect((await send()).status).toBe(500);
  await undo();
  expect(await counts()).toEqual(before);
  const again = await send();
  expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([201, null]);
  expect(await counts()).toEqual(oneMore(before));
}

test("a change is rolled back when its webhook event cannot be written", () =>
  failsWholly({ on: "BEFORE INSERT ON events" }));

test("a change is rolled back when its webhook deliveries cannot be written", () =>
  failsWholly({ on: "BEFORE INSERT ON deliveries" }));

test("a change that fails after its webhook events are written is rolled back with them", () =>
  failsWholly({ on: "BEFORE INSERT ON audit_events", when: "NEW.action = 'CONTRACT_CREATED'" }));

test("a change is rolled back when its response cannot be stored under its Idempotency-Key", () =>
  failsWholly({ on: "BEFORE INSERT ON idempotency_records" }));

test("a change that fails to commit leaves no stored response and no webhook event", () =>
  failsWholly(commitOf("contracts")));

const places: [string, Place][] = [
  ["before the contract is written", { on: "BEFORE INSERT ON contracts" }],
  ["before the response is stored", { on: "BEFORE INSERT ON idempotency_records" }],
  ["before the webhook event is written", { on: "BEFORE INSERT ON events" }],
  ["before the deliveries are written", { on: "BEFORE INSERT ON deliveries" }],
  ["before the audit event is written", { on: "BEFORE INSERT ON audit_events" }],
];

for (const [moment, place] of places) {
  test(`a server killed during a change, ${moment}, leaves nothing of it`, async () => {
    const before = await counts();
    const server = await startServer({ ...product.environment, WORKER: "off" });
    const send = request();
    const gate = await closeGate(product.environment.DATABASE_URL!, place);
    const answer = send(server.url).catch(() => undefined);
    await gate.reached();
    expect(await counts(), "nothing of it can be seen yet").toEqual(before);
    await server.stop("SIGKILL");
    expect(await answer).toBeUndefined();
    await gate.open();
    expect(await counts()).toEqual(before);
    const again = await send();
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([201, null]);
    expect(await counts()).toEqual(oneMore(before));
  });
}

test("a server killed during the commit keeps the whole change, and a retry replays the stored response", async () => {
  const before = await counts();
  const server = await startServer({ ...product.environment, WORKER: "off" });
  const send = request();
  const gate = await closeGate(product.environment.DATABASE_URL!, commitOf("contracts"));
  const answer = send(server.url).catch(() => undefined);
  await gate.reached();
  await server.stop("SIGKILL");
  expect(await answer).toBeUndefined();
  await gate.open();
  expect(await counts()).toEqual(oneMore(before));
  const again = await send();
  expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
  expect(await counts()).toEqual(oneMore(before));
});
