/** Keys, limits, caching and idempotency: what holds for every request. */
import { gzipSync } from "node:zlib";
import { revokeKey } from "#lib/keys/keys.ts";
import { newKey } from "#lib/keys/secret.ts";
import { apiWith, expect, newWorkspace, test } from "../fixtures.ts";
import { startServer } from "../server.ts";

const contract = (ownerId: string, title = "Agreement") => ({
  title,
  type: "NDA",
  ourRole: "VENDOR",
  ownerId,
});

test("GET /me returns the workspace and the scopes: 15 for full access, 8 for read-only", async ({
  workspace,
}) => {
  const full = await workspace.api("GET /me");
  expect(full.body).toEqual({
    organizationId: workspace.organizationId,
    apiKey: { id: workspace.keyId, name: "Test full_access", scopes: expect.any(Array) },
  });
  expect(full.body.apiKey.scopes).toHaveLength(15);
  const { key } = await workspace.mint("read_only");
  const reading = await workspace.api("GET /me", { key });
  expect(reading.body.apiKey.scopes.toSorted()).toEqual([
    "analytics:read",
    "contracts:read",
    "counterparties:read",
    "members:read",
    "obligations:read",
    "search:read",
    "signatures:read",
    "templates:read",
  ]);
  expect((await workspace.api("GET /audit-events", { key })).status).toBe(403);
});

test("a revoked, expired or unknown API key is refused at once", async ({ workspace }) => {
  const { id, key } = await workspace.mint("full_access");
  expect((await workspace.api("GET /contracts", { key })).status).toBe(200);
  await revokeKey(workspace.ctx, id);
  expect((await workspace.api("GET /contracts", { key })).status).toBe(401);
  const expired = await workspace.mint("full_access", { expiresAt: new Date(Date.now() - 1000) });
  expect((await workspace.api("GET /contracts", { key: expired.key })).status).toBe(401);
  expect((await workspace.api("GET /contracts", { key: newKey().key })).status).toBe(401);
});

test("an API key over its rate limit is refused with the time to wait, and other keys are not affected", async () => {
  const server = await startServer({ RATE_LIMIT_PER_MINUTE: "3", WORKER: "off" });
  const [one, two] = await Promise.all([newWorkspace(), newWorkspace()]);
  const api = apiWith(one.key, server.url);
  for (const remaining of [2, 1, 0]) {
    const reply = await api("GET /me");
    expect(reply.status).toBe(200);
    expect(reply.headers.get("x-ratelimit-remaining")).toBe(String(remaining));
  }
  const refused = await api("GET /me");
  expect(refused.status).toBe(429);
  expect(refused.body.error.code).toBe("rate_limited");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await apiWith(two.key, server.url)("GET /me")).status).toBe(200);
  expect(await server.stop()).toBe(0);
});

test("x-request-id is the client's, or a new one if that is invalid, and is recorded in the audit log", async ({
  workspace,
}) => {
  const given = await workspace.api("POST /contracts", {
    body: contract(workspace.ownerId),
    headers: { "x-request-id": "order-4711" },
  });
  expect(given.headers.get("x-request-id")).toBe("order-4711");
  const feed = await workspace.api(`GET /audit-events?contractId=${given.body.contract.id}`);
  expect(feed.body.data[0].payload.requestId).toBe("order-4711");
  const strange = await workspace.api("GET /me", { headers: { "x-request-id": "a b\u00e9" } });
  expect(strange.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
});

test("a request with the current ETag gets 304 without a body until something changes", async ({
  workspace,
}) => {
  const { id } = await workspace.contract();
  const first = await workspace.api(`GET /contracts/${id}`);
  const etag = first.headers.get("etag")!;
  const same = await workspace.api(`GET /contracts/${id}`, { headers: { "if-none-match": etag } });
  expect([same.status, same.text]).toEqual([304, ""]);
  await workspace.api(`PATCH /contracts/${id}`, { body: { title: "Renamed" } });
  const changed = await workspace.api(`GET /contracts/${id}`, { headers: { "if-none-match": etag } });
  expect(changed.status).toBe(200);
  expect(changed.headers.get("etag")).not.toBe(etag);
});

test("If-Match prevents overwriting a change that the client has not seen", async ({ workspace }) => {
  const { id } = await workspace.contract();
  const stale = (await workspace.api(`GET /contracts/${id}`)).headers.get("etag")!;
  const mine = await workspace.api(`PATCH /contracts/${id}`, {
    body: { title: "B" },
    headers: { "if-match": stale },
  });
  expect(mine.status).toBe(200);
  for (const [route, body] of [
    [`PATCH /contracts/${id}`, { title: "C" }],
    [`PUT /contracts/${id}/anchors`, { termMonths: 12 }],
  ] as const) {
    const refused = await workspace.api(route, { body, headers: { "if-match": stale } });
    expect(refused.status).toBe(412);
    expect(refused.body.error.code).toBe("precondition_failed");
  }
  const fresh = (await workspace.api(`GET /contracts/${id}`)).headers.get("etag")!;
  expect(fresh).toBe(mine.headers.get("etag") ?? fresh);
  const put = await workspace.api(`PUT /contracts/${id}/anchors`, {
    body: { termMonths: 12 },
    headers: { "if-match": `"other", ${fresh}` },
  });
  expect(put.status).toBe(204);
});

test("a cached response is never older than the workspace's latest change", async ({ workspace }) => {
  for (let round = 1; round <= 20; round++) {
    await workspace.contract({ title: `Round ${round}` });
    const { body } = await workspace.api("GET /contracts");
    expect([body.total, body.data[0].title]).toEqual([round, `Round ${round}`]);
  }
});

test("a POST with an Idempotency-Key takes effect once, and a repeat gets the same response", async ({
  workspace,
}) => {
  const body = contract(workspace.ownerId);
  const headers = { "idempotency-key": "k-1" };
  const first = await workspace.api("POST /contracts", { body, headers });
  const second = await workspace.api("POST /contracts", { body: { ...body }, headers });
  expect(first.headers.get("idempotent-replayed")).toBeNull();
  expect(second.headers.get("idempotent-replayed")).toBe("true");
  expect([second.status, second.text]).toEqual([201, first.text]);
  expect(second.headers.get("location")).toBe(first.headers.get("location"));
  expect((await workspace.api("GET /contracts")).body.total).toBe(1);
  const reused = await workspace.api("POST /contracts", {
    body: contract(workspace.ownerId, "Other"),
    headers,
  });
  expect([reused.status, reused.body.error.code]).toEqual([409, "idempotency_key_reused"]);
});

test("concurrent repeats of a completed request all get its stored response unchanged", async ({
  workspace,
}) => {
  const ask = () =>
    workspace.api("POST /counterparties", {
      body: { name: "secret" },
      headers: { "idempotency-key": "k-4" },
    });
  const first = await ask();
  for (const reply of await Promise.all(Array.from({ length: 20 }, ask))) {
    expect([reply.status, reply.text]).toEqual([201, first.text]);
  }
});

test("50 identical concurrent requests have one effect, and a retry gets its response", async ({
  workspace,
}) => {
  const body = contract(workspace.ownerId);
  const ask = () => workspace.api("POST /contracts", { body, headers: { "idempotency-key": "k-2" } });
  const replies = await Promise.all(Array.from({ length: 50 }, ask));
  for (const reply of replies) {
    expect([201, 409]).toContain(reply.status);
    if (reply.status === 409) expect(reply.body.error.code).toBe("idempotency_in_progress");
  }
  expect((await ask()).headers.get("idempotent-replayed")).toBe("true");
  expect((await workspace.api("GET /contracts")).body.total).toBe(1);
});

test("a request refused before it takes effect does not use up its Idempotency-Key", async ({
  workspace,
}) => {
  const headers = { "idempotency-key": "k-3" };
  expect((await workspace.api("POST /contracts", { body: {}, headers })).status).toBe(422);
  const { id } = await workspace.contract();
  const refused = await workspace.api(`POST /contracts/${id}/status`, { body: { next: "ACTIVE" }, headers });
  expect(refused.status).toBe(409);
  expect(
    (await workspace.api("POST /contracts", { body: contract(workspace.ownerId), headers })).status,
  ).toBe(201);
  const long = await workspace.api("POST /contracts", {
    body: contract(workspace.ownerId),
    headers: { "idempotency-key": "x".repeat(256) },
  });
  expect([long.status, long.body.error.details.issues[0].path]).toEqual([422, "Idempotency-Key"]);
});

test("question marks in a query are data, and any unknown ID in a path responds 404", async ({
  workspace,
}) => {
  expect((await workspace.api("GET /contracts?q=a?b&page=0")).status).toBe(422);
  for (const id of ["x".repeat(150), "%20", "%20x%20"]) {
    expect([id, (await workspace.api(`GET /contracts/${id}`)).status]).toEqual([id, 404]);
  }
});

test("If-Match is ignored on POST", async ({ workspace }) => {
  const { id } = await workspace.contract();
  const moved = await workspace.api(`POST /contracts/${id}/status`, {
    body: { next: "IN_REVIEW" },
    headers: { "if-match": '"stale"' },
  });
  expect(moved.status).toBe(200);
});

test("a request body of more than one mebibyte is refused", async ({ workspace }) => {
  const reply = await workspace.api("POST /contracts", { raw: " ".repeat(1024 * 1024 + 1) });
  expect([reply.status, reply.body.error.code]).toEqual([413, "file_too_large"]);
});

test("a compressed JSON or form body is refused with advice to send it uncompressed", async ({
  workspace,
}) => {
  const raw = gzipSync(JSON.stringify({ name: "Compressed" }));
  for (const type of ["application/json", "multipart/form-data; boundary=b"]) {
    const headers = { "content-type": type, "content-encoding": "gzip" };
    const path = type === "application/json" ? "counterparties" : "contracts";
    const reply = await workspace.api(`POST /${path}`, { raw, headers });
    expect([reply.status, reply.body.error.code]).toEqual([415, "unsupported_media_type"]);
    expect(reply.body.error.message).toContain("uncompressed");
    expect(reply.headers.get("accept-encoding")).toBe("identity");
  }
  const headers = { "content-encoding": "identity" };
  const sent = await workspace.api("POST /counterparties", { body: { name: "As it is" }, headers });
  expect(sent.status).toBe(201);
});

test("the API description needs no API key", async ({ workspace }) => {
  const reply = await workspace.api("GET /openapi.json", { key: null });
  expect(reply.status).toBe(200);
  expect(reply.body.openapi).toMatch(/^3\.1/);
});
