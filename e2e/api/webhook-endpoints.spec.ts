/** Webhook endpoints themselves: fields, secrets, the log. */
import { database } from "#lib/core/db.ts";
import { isSigned } from "../receiver.ts";
import { delivery, expect, received, subscribe, test } from "../webhooks.ts";

const url = "https://receiver.example/hook";

test("a new endpoint has its given fields and defaults, and endpoints are listed newest first", async ({
  workspace,
}) => {
  const { api } = workspace;
  const made = await api("POST /webhook-endpoints", { body: { url } });
  expect(made.status).toBe(201);
  expect(made.headers.get("location")).toBe(`/api/v1/webhook-endpoints/${made.body.endpoint.id}`);
  expect(made.body).toEqual({
    endpoint: {
      id: expect.stringMatching(/^whe_[0-9a-z]{26}$/),
      url,
      events: ["*"],
      description: null,
      status: "ENABLED",
      consecutiveFailures: 0,
      disabledReason: null,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: made.body.endpoint.createdAt,
    },
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
  });
  const second = await api("POST /webhook-endpoints", {
    body: { url, events: ["contract.created", "contract.created"], description: "CRM", enabled: false },
  });
  expect(second.body.endpoint).toMatchObject({
    events: ["contract.created"],
    description: "CRM",
    status: "DISABLED",
  });
  const list = await api("GET /webhook-endpoints");
  expect(list.body).toEqual({ endpoints: [second.body.endpoint, made.body.endpoint] });
  const read = await api(`GET /webhook-endpoints/${made.body.endpoint.id}`);
  expect(read.body).toEqual({ endpoint: made.body.endpoint });
});

test("an invalid endpoint is refused with the name of the invalid field", async ({ workspace }) => {
  const wrong: [Record<string, unknown>, string][] = [
    [{}, "url"],
    [{ url: "nonsense" }, "url"],
    [{ url: "ftp://receiver.example/" }, "url"],
    [{ url: "https://user:password@receiver.example/" }, "url"],
    [{ url, events: ["contract.exploded"] }, "events.0"],
    [{ url, events: ["*", "nothing"] }, "events.1"],
    [{ url, events: [] }, "events"],
    [{ url, events: "*" }, "events"],
    [{ url, secret: "whsec_mine" }, "secret"],
    [{ url, description: 5 }, "description"],
    [{ url, enabled: "yes" }, "enabled"],
  ];
  const { id } = (await workspace.api("POST /webhook-endpoints", { body: { url } })).body.endpoint;
  for (const [body, path] of wrong) {
    for (const request of ["POST /webhook-endpoints", `PATCH /webhook-endpoints/${id}`] as const) {
      if (request.startsWith("PATCH") && Object.keys(body).length === 0) continue;
      const reply = await workspace.api(request, { body });
      expect(reply.status, `${request} ${JSON.stringify(body)}`).toBe(422);
      expect(reply.body.error.details.issues.map((issue: { path: string }) => issue.path)).toEqual([path]);
    }
  }
});

test("a secret is returned once, and is in no replay, list, audit log or database row", async ({
  workspace,
}) => {
  const { api, organizationId } = workspace;
  const asking = { body: { url }, headers: { "idempotency-key": "make" } };
  const made = await api("POST /webhook-endpoints", asking);
  const { id } = made.body.endpoint;
  const rotated = await api(`POST /webhook-endpoints/${id}/rotate-secret`, {
    headers: { "idempotency-key": "turn" },
  });
  expect(rotated.status).toBe(200);
  expect(rotated.body.secret).not.toBe(made.body.secret);
  const again = await api("POST /webhook-endpoints", asking);
  expect(again.body).toEqual({ endpoint: made.body.endpoint, secret: null });
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  const turned = await api(`POST /webhook-endpoints/${id}/rotate-secret`, {
    headers: { "idempotency-key": "turn" },
  });
  expect(turned.body.secret).toBeNull();
  const { prisma } = database();
  const row = await prisma.webhookEndpoint.findUniqueOrThrow({
    where: { organizationId_id: { organizationId, id } },
  });
  const kept = await prisma.idempotencyRecord.findMany({ where: { organizationId } });
  const everything = [
    (await api("GET /webhook-endpoints")).text,
    (await api(`GET /webhook-endpoints/${id}`)).text,
    (await api("GET /audit-events")).text,
    JSON.stringify(kept),
    Buffer.from(row.secret).toString("latin1"),
    Buffer.from(row.previousSecret!).toString("latin1"),
  ].join("\n");
  for (const secret of [made.body.secret, rotated.body.secret]) {
    const bytes = Buffer.from(secret.slice(6), "base64");
    for (const form of [secret, secret.slice(6), bytes.toString("latin1"), bytes.toString("hex")]) {
      expect(everything.includes(form)).toBe(false);
    }
  }
});

test("after a rotation both secrets sign for a day, and then only the new one", async ({
  workspace,
  receiver,
}) => {
  const { id, secret } = await subscribe(workspace, receiver);
  const rotated = (await workspace.api(`POST /webhook-endpoints/${id}/rotate-secret`)).body.secret;
  await workspace.contract();
  const [during] = await received(receiver, 1);
  expect(during!.headers["webhook-signature"]).toMatch(/^v1,\S{44} v1,\S{44}$/);
  expect([isSigned(secret, during!), isSigned(rotated, during!)]).toEqual([true, true]);
  const { prisma } = database();
  const where = { organizationId_id: { organizationId: workspace.organizationId, id } };
  const { previousSecretUntil } = await prisma.webhookEndpoint.findUniqueOrThrow({ where });
  const hours = (previousSecretUntil!.getTime() - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(23.9);
  expect(hours).toBeLessThanOrEqual(24);
  await prisma.webhookEndpoint.update({ where, data: { previousSecretUntil: new Date(Date.now() - 1) } });
  await workspace.contract();
  const [, after] = await received(receiver, 2);
  expect(after!.headers["webhook-signature"]).toMatch(/^v1,\S{44}$/);
  expect([isSigned(secret, after!), isSigned(rotated, after!)]).toEqual([false, true]);
});

test("a test delivery goes to one endpoint only, even if it has not subscribed to the event", async ({
  workspace,
  receiver,
}) => {
  const { id, secret, ...endpoint } = await subscribe(workspace, receiver, { events: ["contract.created"] });
  await subscribe(workspace, receiver, { events: ["*"] });
  const reply = await workspace.api(`POST /webhook-endpoints/${id}/test`);
  expect(reply.status).toBe(202);
  expect(reply.body.delivery).toMatchObject({ endpointId: id, eventType: "webhook.test", status: "PENDING" });
  const [request] = await received(receiver, 1);
  expect(isSigned(secret, request!)).toBe(true);
  expect(request!.headers["webhook-id"]).toBe(reply.body.delivery.id);
  expect(request!.event).toMatchObject({
    id: reply.body.delivery.eventId,
    type: "webhook.test",
    data: { endpoint: { ...endpoint, id }, previous: null },
  });
  expect((await delivery(workspace, id, "SUCCEEDED")).attempts).toHaveLength(1);
});

test("a disabled endpoint receives nothing, and its tests, redeliveries and recoveries respond 409", async ({
  workspace,
  receiver,
}) => {
  const { api } = workspace;
  const { id } = await subscribe(workspace, receiver);
  await workspace.contract();
  const { id: sent } = await delivery(workspace, id, "SUCCEEDED");
  const off = await api(`PATCH /webhook-endpoints/${id}`, { body: { enabled: false } });
  expect(off.body.endpoint.status).toBe("DISABLED");
  await workspace.contract();
  for (const request of [
    `POST /webhook-endpoints/${id}/test`,
    `POST /webhook-endpoints/${id}/deliveries/${sent}/redeliver`,
  ] as const) {
    const reply = await api(request);
    expect([reply.status, reply.body.error.code]).toEqual([409, "conflict"]);
  }
  const recovered = await api(`POST /webhook-endpoints/${id}/recover`, { body: { since: "2020-01-01" } });
  expect(recovered.status).toBe(409);
  await api(`PATCH /webhook-endpoints/${id}`, { body: { enabled: true } });
  await api("POST /counterparties", { body: { name: "Later" } });
  const requests = await received(receiver, 2);
  expect(requests[1]!.event.type).toBe("counterparty.created");
});

test("disabling or deleting an endpoint marks its pending deliveries as failed, with no further attempt", async ({
  workspace,
  receiver,
}) => {
  receiver.react = () => ({ status: 503, headers: { "retry-after": "60" } });
  for (const end of ["disabled", "deleted"]) {
    const { id } = await subscribe(workspace, receiver);
    await workspace.contract();
    await delivery(workspace, id, "RETRYING");
    if (end === "disabled")
      await workspace.api(`PATCH /webhook-endpoints/${id}`, { body: { enabled: false } });
    else await workspace.api(`DELETE /webhook-endpoints/${id}`);
    const { organizationId } = workspace;
    const [row] = await database().prisma.delivery.findMany({ where: { organizationId, endpointId: id } });
    expect(row).toMatchObject({
      status: "FAILED",
      nextAttemptAt: null,
      lastError: `The endpoint was ${end}.`,
    });
  }
});

test("a deleted endpoint is gone, and its secret is erased", async ({ workspace, receiver }) => {
  const { api, organizationId } = workspace;
  const { id } = await subscribe(workspace, receiver);
  const removed = await api(`DELETE /webhook-endpoints/${id}`);
  expect([removed.status, removed.text]).toEqual([204, ""]);
  expect((await api(`GET /webhook-endpoints/${id}`)).status).toBe(404);
  expect((await api(`GET /webhook-endpoints/${id}/deliveries`)).status).toBe(404);
  expect((await api(`DELETE /webhook-endpoints/${id}`)).status).toBe(404);
  expect((await api("GET /webhook-endpoints")).body.endpoints).toEqual([]);
  const where = { organizationId_id: { organizationId, id } };
  const row = await database().prisma.webhookEndpoint.findUniqueOrThrow({ where });
  expect([row.secret.length, row.previousSecret]).toEqual([0, null]);
});

test("the audit log records each change to an endpoint and who made it", async ({ workspace, receiver }) => {
  const { api } = workspace;
  const { id } = await subscribe(workspace, receiver);
  await api(`PATCH /webhook-endpoints/${id}`, { body: { description: "New" } });
  await api(`PATCH /webhook-endpoints/${id}`, { body: { description: "New" } });
  await api(`POST /webhook-endpoints/${id}/rotate-secret`);
  await api(`DELETE /webhook-endpoints/${id}`);
  const { data } = (await api("GET /audit-events?limit=4")).body;
  expect(data.map(({ action }: { action: string }) => action)).toEqual([
    "WEBHOOK_ENDPOINT_DELETED",
    "WEBHOOK_SECRET_ROTATED",
    "WEBHOOK_ENDPOINT_UPDATED",
    "WEBHOOK_ENDPOINT_CREATED",
  ]);
  for (const event of data) {
    expect(event.payload.target).toEqual({ type: "webhook_endpoint", id });
    expect(event.apiKey.id).toBe(workspace.keyId);
  }
});
