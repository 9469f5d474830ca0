/** Deliveries: attempts, their schedule, their end, and what can be sent again. */
import { database } from "#lib/core/db.ts";
import { newId } from "#lib/core/ids.ts";
import { forgetOldDeliveries } from "#lib/webhooks/deliveries.ts";
import { textsIn } from "../outbox.ts";
import { isSigned, startReceiver } from "../receiver.ts";
import { delivery, expect, quickestMs, received, subscribe, test } from "../webhooks.ts";

/** The schedule that global-setup.ts sets, in milliseconds. */
const schedule = [300, 600, 600];

test("a failed attempt is retried on schedule, with the same ID and body and new timestamps and signatures", async ({
  workspace,
  receiver,
}) => {
  const { id, secret } = await subscribe(workspace, receiver);
  receiver.react = (_, nth) => (nth < 3 ? { status: 500, body: "broken" } : 200);
  await workspace.contract();
  const requests = await received(receiver, 4);
  expect(new Set(requests.map(({ text }) => text)).size).toBe(1);
  expect(new Set(requests.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(new Set(requests.map(({ headers }) => headers["webhook-timestamp"])).size).toBeGreaterThan(1);
  for (const request of requests) expect(isSigned(secret, request)).toBe(true);
  for (const [nth, planned] of schedule.entries()) {
    const pause = requests[nth + 1]!.at - requests[nth]!.at;
    expect(pause).toBeGreaterThanOrEqual(planned * 0.9 - 5);
    expect(pause).toBeLessThan(planned * 1.1 + 4000);
  }
  const done = await delivery(workspace, id, "SUCCEEDED");
  expect(done).toEqual({
    id: requests[0]!.headers["webhook-id"],
    endpointId: id,
    eventId: requests[0]!.event.id,
    eventType: "contract.created",
    status: "SUCCEEDED",
    attemptCount: 4,
    nextAttemptAt: null,
    lastAttemptAt: done.attempts[3].at,
    lastStatusCode: 200,
    lastError: null,
    redeliveryOf: null,
    createdAt: expect.stringMatching(/Z$/),
    attempts: [500, 500, 500, 200].map((statusCode, index) => ({
      number: index + 1,
      at: expect.stringMatching(/Z$/),
      statusCode,
      durationMs: expect.any(Number),
      error: statusCode === 200 ? null : "status 500",
      responseBody: statusCode === 200 ? "" : "broken",
    })),
  });
  const { endpoint } = (await workspace.api(`GET /webhook-endpoints/${id}`)).body;
  expect(endpoint).toMatchObject({ status: "ENABLED", consecutiveFailures: 0 });
});

test("a delivery fails after its last attempt, and the endpoint counts its failures", async ({
  workspace,
  receiver,
}) => {
  const { id } = await subscribe(workspace, receiver);
  receiver.react = () => 404;
  await workspace.contract();
  const failed = await delivery(workspace, id, "FAILED");
  expect(failed).toMatchObject({
    attemptCount: 4,
    nextAttemptAt: null,
    lastStatusCode: 404,
    lastError: "status 404",
  });
  expect(receiver.received).toHaveLength(4);
  const { endpoint } = (await workspace.api(`GET /webhook-endpoints/${id}`)).body;
  expect(endpoint).toMatchObject({ status: "ENABLED", consecutiveFailures: 4 });
  const again = await workspace.api(`PATCH /webhook-endpoints/${id}`, { body: { enabled: true } });
  expect(again.body.endpoint).toMatchObject({ status: "ENABLED", consecutiveFailures: 0 });
});

test("changing an endpoint's URL resets its count of failures", async ({ workspace, receiver }) => {
  const { id, url } = await subscribe(workspace, receiver);
  receiver.react = () => 404;
  await workspace.contract();
  await delivery(workspace, id, "FAILED");
  const patched = async (body: object) =>
    (await workspace.api(`PATCH /webhook-endpoints/${id}`, { body })).body.endpoint;
  expect(await patched({ url, description: "The same address" })).toMatchObject({ consecutiveFailures: 4 });
  const where = { organizationId_id: { organizationId: workspace.organizationId, id } };
  expect((await database().prisma.webhookEndpoint.findUniqueOrThrow({ where })).failingSince).not.toBeNull();
  expect(await patched({ url: `${url}moved` })).toMatchObject({ status: "ENABLED", consecutiveFailures: 0 });
  expect((await database().prisma.webhookEndpoint.findUniqueOrThrow({ where })).failingSince).toBeNull();
});

test("an attempt fails if the receiver is unreachable, hangs or redirects", async ({
  workspace,
  receiver,
}) => {
  const elsewhere = await startReceiver();
  receiver.react = (_, nth) =>
    nth === 0 ? "hang" : nth === 1 ? { status: 302, headers: { location: elsewhere.url } } : 200;
  const { id } = await subscribe(workspace, receiver);
  await workspace.contract();
  const { attempts } = await delivery(workspace, id, "SUCCEEDED");
  expect(attempts.slice(0, 2)).toMatchObject([
    { statusCode: null, error: "time-out after 2 s", responseBody: null },
    { statusCode: 302, error: "status 302: redirects are not followed" },
  ]);
  expect(attempts[0].durationMs).toBeGreaterThanOrEqual(2000);
  expect(elsewhere.received).toEqual([]);
  await elsewhere.close();
  const gone = await subscribe(workspace, elsewhere);
  await workspace.api(`POST /webhook-endpoints/${gone.id}/test`);
  const failed = await delivery(workspace, gone.id, "FAILED");
  expect(failed).toMatchObject({ lastStatusCode: null, lastError: "connection refused" });
});

test("Retry-After on a 429 or 503 response delays the next attempt", async ({ workspace, receiver }) => {
  const later = { "retry-after": "1" };
  receiver.react = (_, nth) => (nth < 2 ? { status: [429, 503][nth]!, headers: later } : 204);
  await subscribe(workspace, receiver);
  await workspace.contract();
  const [first, second, third] = await received(receiver, 3);
  for (const pause of [second!.at - first!.at, third!.at - second!.at]) {
    expect(pause).toBeGreaterThanOrEqual(990);
    expect(pause).toBeLessThan(5000);
  }
});

test("a 410 response disables the endpoint at once", async ({ workspace, receiver }) => {
  receiver.react = () => 410;
  const { id } = await subscribe(workspace, receiver);
  await workspace.contract();
  expect(await delivery(workspace, id, "FAILED")).toMatchObject({ attemptCount: 1, lastStatusCode: 410 });
  const read = () => workspace.api(`GET /webhook-endpoints/${id}`);
  await expect.poll(async () => (await read()).body.endpoint.status).toBe("DISABLED");
  expect((await read()).body.endpoint.disabledReason).toBe("It answered 410 Gone.");
  const log = await workspace.api("GET /audit-events?action=WEBHOOK_ENDPOINT_DISABLED");
  expect(log.body.data).toMatchObject([
    {
      actor: null,
      apiKey: null,
      payload: {
        target: { type: "webhook_endpoint", id },
        actor: { kind: "SYSTEM" },
        reason: "It answered 410 Gone.",
      },
    },
  ]);
  await workspace.contract();
  expect(receiver.received).toHaveLength(1);
});

test("five days of failures disable the endpoint and send an e-mail, and enabling it resets the count", async ({
  workspace,
  receiver,
}) => {
  receiver.react = () => 500;
  const { id } = await subscribe(workspace, receiver);
  const { organizationId } = workspace;
  const since = (ms: number) =>
    database().prisma.webhookEndpoint.update({
      where: { organizationId_id: { organizationId, id } },
      data: { failingSince: new Date(Date.now() - ms), consecutiveFailures: 40 },
    });
  const day = 24 * 60 * 60 * 1000;
  await since(5 * day - 60_000);
  await workspace.contract();
  await delivery(workspace, id, "FAILED");
  const read = async () => (await workspace.api(`GET /webhook-endpoints/${id}`)).body.endpoint;
  expect(await read()).toMatchObject({ status: "ENABLED", consecutiveFailures: 44 });
  await since(5 * day);
  await workspace.contract();
  await expect.poll(async () => (await read()).status).toBe("DISABLED_BY_FAILURE");
  expect((await read()).disabledReason).toContain("5 days");
  const log = await workspace.api("GET /audit-events?action=WEBHOOK_ENDPOINT_DISABLED");
  expect(log.body.data).toHaveLength(1);
  await expect.poll(() => mailAbout(receiver.url)).toHaveLength(1);
  const enabled = await workspace.api(`PATCH /webhook-endpoints/${id}`, { body: { enabled: true } });
  expect(enabled.body.endpoint).toMatchObject({
    status: "ENABLED",
    consecutiveFailures: 0,
    disabledReason: null,
  });
});

const mailAbout = async (text: string) =>
  (await textsIn()).filter((mail) => mail.replaceAll("=\r\n", "").includes(text));

test("one success resets the count of consecutive failures", async ({ workspace, receiver }) => {
  receiver.react = (_, nth) => (nth === 0 ? 500 : 200);
  const { id } = await subscribe(workspace, receiver);
  await workspace.contract();
  await delivery(workspace, id, "SUCCEEDED");
  const { organizationId } = workspace;
  const where = { organizationId_id: { organizationId, id } };
  const row = await database().prisma.webhookEndpoint.findUniqueOrThrow({ where });
  expect(row).toMatchObject({ consecutiveFailures: 0, failingSince: null });
});

test("the first 1 kB of a response body is stored, whatever its bytes", async ({ workspace, receiver }) => {
  const bytes = Uint8Array.of(0, 0x61, 0xff, 0xc3, 0x28, 0, 0xed, 0xa0, 0x80);
  const answers: [body: string | Uint8Array, kept: string][] = [
    ["x".repeat(3_000_000), "x".repeat(1024)],
    [`x${"€".repeat(1000)}`, `x${"€".repeat(341)}`],
    [bytes, "\ufffda\ufffd\ufffd(\ufffd\ufffd\ufffd\ufffd"],
    ["a\0b\\u0000", "a\ufffdb\\u0000"],
  ];
  receiver.react = (_, nth) => ({ status: 200, body: answers[nth]![0] });
  const { id } = await subscribe(workspace, receiver);
  const list = async () => (await workspace.api(`GET /webhook-endpoints/${id}/deliveries`)).body.deliveries;
  for (const [nth, [, kept]] of answers.entries()) {
    await workspace.contract();
    await received(receiver, nth + 1);
    await expect.poll(async () => (await list())[0].status).toBe("SUCCEEDED");
    expect((await list())[0].attempts[0].responseBody).toBe(kept);
  }
});

test("a hanging endpoint does not slow down another", async ({ workspace, receiver }) => {
  const hanging = await startReceiver(() => "hang");
  await subscribe(workspace, hanging);
  await subscribe(workspace, receiver);
  await Promise.all(Array.from({ length: 60 }, () => workspace.contract()));
  await received(receiver, 60);
  // If the other endpoint had waited for it, both would have received the same number.
  expect(hanging.received.length).toBeLessThan(60);
  await hanging.close();
});

test("50 hanging endpoints of one workspace do not hold up another workspace's deliveries", async ({
  workspace,
  other,
  receiver,
}) => {
  const hanging = await startReceiver(() => "hang");
  await Promise.all(Array.from({ length: 50 }, () => subscribe(other, hanging)));
  await subscribe(workspace, receiver);
  // As many deliveries as a worker can process at once.
  await Promise.all(Array.from({ length: 8 }, () => other.contract()));
  await expect.poll(() => hanging.received.length).toBeGreaterThanOrEqual(100);
  expect(await quickestMs(workspace, receiver)).toBeLessThan(1000);
  await hanging.close();
});

test("a manual redelivery sends the same event and body under a new ID", async ({ workspace, receiver }) => {
  const { api } = workspace;
  const { id } = await subscribe(workspace, receiver);
  await workspace.contract();
  const first = await delivery(workspace, id, "SUCCEEDED");
  const reply = await api(`POST /webhook-endpoints/${id}/deliveries/${first.id}/redeliver`);
  expect(reply.status).toBe(202);
  expect(reply.body.delivery).toMatchObject({
    eventId: first.eventId,
    redeliveryOf: first.id,
    status: "PENDING",
    attempts: [],
  });
  const [before, after] = await received(receiver, 2);
  expect(after!.text).toBe(before!.text);
  expect(after!.headers["webhook-id"]).toBe(reply.body.delivery.id);
  expect(after!.headers["webhook-id"]).not.toBe(first.id);
  const log = await api("GET /audit-events?action=WEBHOOK_REDELIVERED");
  expect(log.body.data).toMatchObject([
    { payload: { target: { type: "webhook_delivery", id: reply.body.delivery.id } } },
  ]);
  const unknown = await api(
    `POST /webhook-endpoints/${id}/deliveries/msg_01jz3m5k8pe9qs4vnhb6w2x0ra/redeliver`,
  );
  expect(unknown.status).toBe(404);
});

test("recovery resends each event that failed since a given time once, and none that was delivered", async ({
  workspace,
  receiver,
}) => {
  const { api } = workspace;
  const { id } = await subscribe(workspace, receiver);
  receiver.react = (request) => (request.event.data.contract.title === "Lost" ? 500 : 200);
  await workspace.contract({ title: "Arrived" });
  await workspace.contract({ title: "Lost" });
  const lost = await delivery(workspace, id, "FAILED");
  receiver.react = () => 200;
  const before = receiver.received.length;
  const recover = (since: string) => api(`POST /webhook-endpoints/${id}/recover`, { body: { since } });
  expect((await recover(new Date(Date.now() + 60_000).toISOString())).body).toEqual({ count: 0 });
  const recovered = await recover(lost.createdAt);
  expect([recovered.status, recovered.body]).toEqual([202, { count: 1 }]);
  const requests = await received(receiver, before + 1);
  expect(requests.at(-1)!.event.id).toBe(lost.eventId);
  expect(await delivery(workspace, id, "SUCCEEDED")).toMatchObject({ redeliveryOf: lost.id });
  expect((await recover(lost.createdAt)).body).toEqual({ count: 0 });
  for (const body of [{}, { since: "yesterday" }]) {
    expect((await api(`POST /webhook-endpoints/${id}/recover`, { body })).status).toBe(422);
  }
});

test("recovery does not resend an event that another delivery is still retrying", async ({
  workspace,
  receiver,
}) => {
  const { api } = workspace;
  const { id } = await subscribe(workspace, receiver);
  receiver.react = () => 500;
  await workspace.contract();
  const lost = await delivery(workspace, id, "FAILED");
  // Redelivered by hand and delayed by Retry-After: it is neither delivered nor given up.
  receiver.react = () => ({ status: 503, headers: { "retry-after": "3600" } });
  expect((await api(`POST /webhook-endpoints/${id}/deliveries/${lost.id}/redeliver`)).status).toBe(202);
  expect(await delivery(workspace, id, "RETRYING")).toMatchObject({ redeliveryOf: lost.id });
  const recover = () => api(`POST /webhook-endpoints/${id}/recover`, { body: { since: lost.createdAt } });
  expect((await recover()).body).toEqual({ count: 0 });
  const counts = await Promise.all([recover(), recover(), recover()]);
  expect(counts.map(({ body }) => body.count)).toEqual([0, 0, 0]);
  const { deliveries } = (await api(`GET /webhook-endpoints/${id}/deliveries`)).body;
  expect(deliveries).toHaveLength(2);
});

test("deliveries are listed newest first, and paging through them leaves no gap", async ({
  workspace,
  receiver,
}) => {
  const { api } = workspace;
  const { id } = await subscribe(workspace, receiver);
  for (let nth = 0; nth < 7; nth++) await workspace.contract();
  await received(receiver, 7);
  const all = (await api(`GET /webhook-endpoints/${id}/deliveries`)).body;
  expect(all.nextCursor).toBeNull();
  const ids = all.deliveries.map((one: { id: string }) => one.id);
  expect(ids).toEqual([...ids].sort().reverse());
  const paged: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const query: string = cursor && `&cursor=${cursor}`;
    const page = (await api(`GET /webhook-endpoints/${id}/deliveries?limit=3${query}`)).body;
    paged.push(...page.deliveries.map((one: { id: string }) => one.id));
    cursor = page.nextCursor;
  }
  expect(paged).toEqual(ids);
  expect((await api(`GET /webhook-endpoints/${id}/deliveries?status=FAILED`)).body.deliveries).toEqual([]);
  for (const wrong of ["cursor=nonsense", "limit=0", "status=LOST"]) {
    expect((await api(`GET /webhook-endpoints/${id}/deliveries?${wrong}`)).status).toBe(422);
  }
});

test("deliveries and their events are deleted after 90 days", async ({ workspace, receiver }) => {
  const { organizationId } = workspace;
  const { id: endpointId } = await subscribe(workspace, receiver);
  await workspace.contract();
  await delivery(workspace, endpointId, "SUCCEEDED");
  const { prisma } = database();
  const made = async (days: number) => {
    const createdAt = new Date(Date.now() - days * 24 * 60 * 60 * 1000);
    const event = {
      organizationId,
      id: newId("event", createdAt),
      type: "webhook.test",
      payload: "{}",
      createdAt,
    };
    await prisma.event.create({ data: event });
    const id = newId("delivery", createdAt);
    const data = { organizationId, id, endpointId, eventId: event.id, status: "SUCCEEDED", createdAt };
    await prisma.delivery.create({ data });
    return id;
  };
  await made(91);
  const young = await made(89);
  await forgetOldDeliveries(prisma, new Date());
  const left = await prisma.delivery.findMany({ where: { organizationId }, orderBy: { id: "asc" } });
  expect(left.map(({ id }) => id)).toEqual([young, expect.stringMatching(/^msg_/)]);
  expect(await prisma.event.count({ where: { organizationId } })).toBe(2);
});
