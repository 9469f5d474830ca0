/** What happens over time, with a worker's clock set ahead: on the right day, and once. */
import { addDays, addMonths, dayOf } from "#lib/core/dates.ts";
import { expect, test } from "../fixtures.ts";
import { type Installation, install } from "../installation.ts";
import { fits, type Receiver, startReceiver } from "../receiver.ts";

const [minute, hour, day] = [60, 3600, 86_400];
const today = dayOf(new Date());

test.describe.configure({ mode: "serial" });

let installation: Installation;
let steady: Receiver;
let failing: Receiver;
let failingId: string;
let secrets: string[];

interface Life {
  /** Whether the old secret and the new one each match a signature of its event. */
  signatures: boolean[];
  /** The failing endpoint's status at the end. */
  status: string;
  /** The types of the events that were kept. */
  kept: string[];
}

/** By how many seconds the clock was ahead. */
const lives = new Map<number, Life>();

test.beforeAll(async () => {
  test.setTimeout(300_000);
  installation = await install({
    WEBHOOK_ALLOW_PRIVATE: "1",
    WEBHOOK_RETRY_SCHEDULE: Array(20).fill("60").join(","),
  });
  [steady, failing] = await Promise.all([startReceiver(), startReceiver(() => 500)]);
  const made = await write("POST /webhook-endpoints", { url: steady.url });
  failingId = (await write("POST /webhook-endpoints", { url: failing.url, events: ["webhook.test"] }))
    .endpoint.id;
  await write(`POST /webhook-endpoints/${failingId}/test`, {});
  const rotated = await write(`POST /webhook-endpoints/${made.endpoint.id}/rotate-secret`, {});
  secrets = [made.secret, rotated.secret];
  const contract = { title: "Ends", type: "NDA", ourRole: "VENDOR", ownerId: installation.ownerId };
  const anchors = { effectiveDate: today, termMonths: 2 };
  const { id } = (await write("POST /contracts", { ...contract, ...anchors })).contract;
  await write(`POST /contracts/${id}/status`, { next: "EXECUTED" });
  const obligation = { contractId: id, kind: "OTHER", title: "Pay", anchorType: "FIXED_DATE" };
  await write("POST /obligations", { ...obligation, fixedDate: addDays(today, 43) });
  for (const ahead of [0, day - minute, day + minute, 5 * day - hour, 5 * day + minute, 15 * day]) {
    await live(ahead);
  }
  for (const ahead of [46 * day, 91 * day]) await live(ahead, "webhooks.forget");
});

test.afterAll(async () => {
  await installation?.close();
  for (const receiver of [steady, failing]) await receiver?.close();
});

async function write(request: `${string} /${string}`, body: object) {
  const reply = await installation.api(request, { body });
  if (reply.status >= 300) throw new Error(reply.text);
  return reply.body;
}

/** Runs a worker at a set time, with an event to send, until nothing is left that is due then. */
async function live(ahead: number, job?: string): Promise<void> {
  const before = steady.received.length;
  await write("POST /counterparties", { name: `At ${ahead}` });
  if (job) await installation.select(`SELECT graphile_worker.add_job('${job}')::text`);
  const worker = installation.work({}, ahead);
  await worker.ready;
  const left = `SELECT (SELECT count(*) FROM graphile_worker.jobs)::int AS jobs,
    (SELECT count(*) FROM deliveries WHERE next_attempt_at <= now() + interval '${ahead} seconds')::int AS due`;
  await expect.poll(() => installation.select(left), { timeout: 90_000 }).toEqual([{ jobs: 0, due: 0 }]);
  await worker.end("SIGTERM");
  const sent = steady.received.slice(before).find(({ event }) => event.type === "counterparty.created")!;
  const { endpoint } = (await installation.api(`GET /webhook-endpoints/${failingId}`)).body;
  const events = await installation.select<{ type: string }>("SELECT DISTINCT type FROM events");
  const kept = events.map(({ type }) => type);
  lives.set(ahead, {
    signatures: secrets.map((secret) => fits(secret, sent)),
    status: endpoint.status,
    kept,
  });
}

const told = (type: string) => steady.received.filter(({ event }) => event.type === type);

test("after a secret rotation both secrets sign for 24 hours, and not a minute longer", () => {
  expect(lives.get(day - minute)!.signatures).toEqual([true, true]);
  expect(lives.get(day + minute)!.signatures).toEqual([false, true]);
});

test("a failing endpoint is disabled after five days, no sooner, and one e-mail reports it", async () => {
  expect(lives.get(5 * day - hour)!.status).toBe("ENABLED");
  expect(lives.get(5 * day + minute)!.status).toBe("DISABLED_BY_FAILURE");
  expect(failing.received.length).toBeGreaterThanOrEqual(5);
  const log = await installation.api("GET /audit-events?action=WEBHOOK_ENDPOINT_DISABLED");
  expect(log.body.data).toHaveLength(1);
  expect(await installation.outbox()).toEqual([expect.stringContaining(failing.url)]);
});

test("webhooks announce a term's end and an obligation's due and overdue dates once each, on the right day", () => {
  const days = (type: string) => told(type).map(({ event }) => dayOf(new Date(event.timestamp)));
  expect(days("obligation.due")).toEqual([addDays(today, 15)]);
  expect(days("obligation.overdue")).toEqual([addDays(today, 46)]);
  expect(days("contract.expiring")).toEqual([addDays(today, 46)]);
  const [expiring] = told("contract.expiring");
  expect(expiring!.event.data.contract.expiresAt.slice(0, 10)).toBe(addDays(addMonths(today, 2), -1));
});

test("webhook events are deleted after 90 days", () => {
  expect(lives.get(46 * day)!.kept).toContain("contract.created");
  expect(lives.get(91 * day)!.kept).not.toContain("contract.created");
});
