/** The audit log: complete, in order, append-only, and able to prove it. */
import { cursorAt } from "#lib/audit/feed.ts";
import { verifyAudit } from "#lib/audit/verify.ts";
import { advanceContract, advanceContracts } from "#lib/contracts/daily.ts";
import { systemContext } from "#lib/core/context.ts";
import { database } from "#lib/core/db.ts";
import { expect, test } from "../fixtures.ts";

test("an audit event records what changed, the old and new values, and the API key", async ({
  workspace,
}) => {
  const { id } = await workspace.contract({ title: "Before" });
  await workspace.api(`PATCH /contracts/${id}`, {
    body: { title: "After" },
    headers: { "user-agent": "spec/1" },
  });
  const { body } = await workspace.api(`GET /audit-events?action=CONTRACT_UPDATED&limit=1`);
  expect(body).toEqual({
    data: [
      {
        id: expect.stringMatching(/^aud_/),
        action: "CONTRACT_UPDATED",
        createdAt: expect.any(String),
        actor: null,
        apiKey: { id: workspace.keyId, name: "Test full_access" },
        assistant: null,
        contract: { id, title: "After" },
        payload: {
          target: { type: "contract", id },
          changes: { title: { from: "Before", to: "After" } },
          reason: null,
          ip: expect.any(String),
          userAgent: "spec/1",
          requestId: expect.any(String),
          actor: null,
        },
      },
    ],
    nextCursor: null,
  });
});

test("paging through the audit log skips and repeats no events while new ones are written", async ({
  workspace,
}) => {
  await Promise.all(Array.from({ length: 60 }, () => workspace.contract()));
  const seen: string[] = [];
  let cursor: string | null = "";
  do {
    const page: string = cursor ? `&cursor=${cursor}` : "";
    const { body } = await workspace.api(`GET /audit-events?action=CONTRACT_CREATED&limit=7${page}`);
    seen.push(...body.data.map((event: { id: string }) => event.id));
    cursor = body.nextCursor;
    await workspace.contract();
  } while (cursor);
  expect(seen).toHaveLength(60);
  expect(new Set(seen).size).toBe(60);
});

test("the audit log can be paged to the workspace's first event, at any page size", async ({ workspace }) => {
  for (let made = 0; made < 5; made++) await workspace.contract();
  const rows = await database().prisma.auditEvent.findMany({
    where: { organizationId: workspace.organizationId },
    orderBy: { seq: "desc" },
  });
  expect(rows.at(-1)!.seq).toBe(1n);
  for (const limit of [1, 2, rows.length - 1, rows.length, 200]) {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: string = cursor ? `&cursor=${cursor}` : "";
      const { body } = await workspace.api(`GET /audit-events?limit=${limit}${page}`);
      seen.push(...body.data.map((event: { id: string }) => event.id));
      cursor = body.nextCursor;
    } while (cursor);
    expect(seen, `${limit} a page`).toEqual(rows.map(({ id }) => id));
  }
});

test("a limit over 200 returns 200 events, and one below 1, an invalid date or a malformed or foreign cursor is 422", async ({
  workspace,
  other,
}) => {
  await workspace.contract();
  // The log's trigger chains these copies to the first event.
  await database().prisma.$executeRaw`
    INSERT INTO audit_events (organization_id, id, action, created_at, payload)
    SELECT organization_id, id || '-' || copy, action, created_at, payload
    FROM audit_events, generate_series(1, 200) AS copy
    WHERE organization_id = ${workspace.organizationId} AND seq = 1`;
  await workspace.contract();
  for (const limit of [200, 201, 100_000]) {
    const { status, body } = await workspace.api(`GET /audit-events?limit=${limit}`);
    expect([status, body.data.length, body.nextCursor !== null]).toEqual([200, 200, true]);
  }
  const { nextCursor } = (await workspace.api("GET /audit-events?limit=1")).body;
  for (const query of [
    "limit=0",
    "limit=x",
    "cursor=abc",
    `cursor=${nextCursor}x`,
    `cursor=${nextCursor}!`,
    "from=0000-01-01",
    "from=2026-02-01&to=2026-01-01",
  ]) {
    expect([query, (await workspace.api(`GET /audit-events?${query}`)).status]).toEqual([query, 422]);
  }
  // Such as one from before a backup was restored.
  const { seq } = await database().prisma.workspaceHead.findFirstOrThrow({
    where: { organizationId: workspace.organizationId },
  });
  const beyond = cursorAt(workspace.ctx, Number(seq) + 1000);
  const newest = await workspace.api(`GET /audit-events?cursor=${beyond}`);
  expect([newest.status, newest.body.data[0].action]).toEqual([200, "CONTRACT_CREATED"]);
  const foreign = await other.api(`GET /audit-events?cursor=${nextCursor}`);
  expect([foreign.status, foreign.body.error.details.issues[0].path]).toEqual([422, "cursor"]);
});

test("the audit log can be filtered by action, API key, actor, contract, day and entry point", async ({
  workspace,
  other,
}) => {
  const { id } = await workspace.contract();
  const count = async (query: string) => (await workspace.api(`GET /audit-events?${query}`)).body.data.length;
  const today = new Date().toISOString().slice(0, 10);
  expect(await count("action=CONTRACT_CREATED&action=API_KEY_CREATED")).toBe(2);
  expect(await count(`apiKeyId=${workspace.keyId}`)).toBe(1);
  expect(await count("via=api")).toBe(1);
  expect(await count("via=user")).toBe(0);
  expect(await count(`contractId=${id}`)).toBe(1);
  expect(await count(`actorId=${other.ownerId}`)).toBe(0);
  expect(await count(`contractId=${id}&from=${today}&to=${today}`)).toBe(1);
  expect(await count("to=2020-01-01")).toBe(0);
});

test("audit events are numbered without gaps despite failing requests, and the hash chain verifies", async ({
  workspace,
}) => {
  await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      i % 3 ? workspace.contract() : workspace.api("POST /contracts", { body: { title: "no" } }),
    ),
  );
  const rows = await database().prisma.auditEvent.findMany({
    where: { organizationId: workspace.organizationId },
    orderBy: { seq: "asc" },
  });
  expect(rows.map((row) => Number(row.seq))).toEqual(rows.map((_, index) => index + 1));
  expect(await verifyAudit(workspace.organizationId)).toMatchObject({
    ok: true,
    events: rows.length,
    problem: null,
  });
});

test("the database refuses to update, delete or truncate audit events", async ({ workspace }) => {
  const { prisma } = database();
  const where = { organizationId: workspace.organizationId };
  await expect(prisma.auditEvent.updateMany({ where, data: { action: "X" } })).rejects.toThrow(/append-only/);
  await expect(prisma.auditEvent.deleteMany({ where })).rejects.toThrow(/append-only/);
  await expect(prisma.$executeRaw`TRUNCATE audit_events`).rejects.toThrow(/append-only/);
});

for (const [forgery, sql] of [
  ["changed", "UPDATE audit_events SET contract_title = 'Forged' WHERE organization_id = $1 AND seq = 3"],
  [
    "changed in one payload field",
    `UPDATE audit_events SET payload = replace(payload::text, '"reason":null', '"reason":""')::json WHERE organization_id = $1 AND seq = 3`,
  ],
  ["deleted", "DELETE FROM audit_events WHERE organization_id = $1 AND seq = 3"],
  ["removed from the end", "DELETE FROM audit_events WHERE organization_id = $1 AND seq >= 3"],
] as const) {
  test(`verification reports where audit rows were ${forgery} behind the append-only trigger`, async ({
    workspace,
  }) => {
    for (let i = 0; i < 3; i++) await workspace.contract({ title: 'Ελένη "x" \\ J\u0308\u{1F600} 김민준' });
    expect((await verifyAudit(workspace.organizationId)).ok).toBe(true);
    await database().prisma.$transaction(async (tx) => {
      await tx.$executeRawUnsafe("ALTER TABLE audit_events DISABLE TRIGGER audit_events_append_only");
      await tx.$executeRawUnsafe(sql, workspace.organizationId);
      await tx.$executeRawUnsafe("ALTER TABLE audit_events ENABLE TRIGGER audit_events_append_only");
    });
    const verdict = await verifyAudit(workspace.organizationId);
    expect([verdict.ok, verdict.events, verdict.problem?.seq]).toEqual([
      false,
      2,
      forgery === "deleted" ? "4" : "3",
    ]);
  });
}

test("the daily job activates, renews and expires contracts, and logs every renewal", async ({
  workspace,
}) => {
  const executed = await workspace.contract({ effectiveDate: "2020-01-01", termMonths: 12 });
  const renewing = await workspace.contract({
    effectiveDate: "2024-01-01",
    termMonths: 12,
    autoRenews: true,
    renewalMonths: 6,
  });
  for (const { id } of [executed, renewing]) {
    await workspace.api(`POST /contracts/${id}/status`, { body: { next: "EXECUTED" } });
  }
  await advanceContracts(new Date("2026-11-21T00:05:00Z"));
  const after = async (id: string) => (await workspace.api(`GET /contracts/${id}`)).body.contract;
  expect(await after(executed.id)).toMatchObject({
    status: "EXPIRED",
    expiresAt: "2020-12-31T00:00:00.000Z",
  });
  expect(await after(renewing.id)).toMatchObject({
    status: "ACTIVE",
    termMonths: 36,
    expiresAt: "2026-12-31T00:00:00.000Z",
  });
  const { body } = await workspace.api(`GET /audit-events?contractId=${renewing.id}&action=CONTRACT_RENEWED`);
  expect(body.data.map((event: { payload: { changes: object } }) => event.payload.changes)).toEqual([
    { termMonths: { from: 30, to: 36 } },
    { termMonths: { from: 24, to: 30 } },
    { termMonths: { from: 18, to: 24 } },
    { termMonths: { from: 12, to: 18 } },
  ]);
  expect(body.data[0].payload.actor).toEqual({ kind: "SYSTEM", id: "calendar" });
});

test("a contract terminated while the daily job advances it stays terminated", async ({ workspace }) => {
  const { id } = await workspace.contract({ effectiveDate: "2020-01-01" });
  await workspace.api(`POST /contracts/${id}/status`, { body: { next: "EXECUTED" } });
  const { prisma } = database();
  // A slow writer holds the end of the chain; both moves have read the contract and wait for the writer.
  const slow = prisma.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM workspace_heads
      WHERE organization_id = ${workspace.organizationId} FOR UPDATE`;
    const person = workspace.api(`POST /contracts/${id}/status`, { body: { next: "TERMINATED" } });
    const calendar = advanceContract(systemContext(workspace.organizationId, "calendar"), id);
    await expect.poll(() => waiting()).toBeGreaterThan(0);
    return { person, calendar };
  });
  const { person, calendar } = await slow;
  const [moved] = await Promise.all([person, calendar]);
  const { contract } = (await workspace.api(`GET /contracts/${id}`)).body;
  expect(contract.status).toBe(moved.status === 200 ? "TERMINATED" : "ACTIVE");

  async function waiting(): Promise<number> {
    const [row] = await prisma.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS count FROM pg_stat_activity WHERE wait_event_type = 'Lock'`;
    return row?.count ?? 0;
  }
});

test("the analytics summary counts contracts by status and type, and sums their value by currency", async ({
  workspace,
}) => {
  await workspace.contract({ valueCents: 100 });
  await workspace.contract({ type: "MSA", valueCents: "250", valueCurrency: "EUR" });
  const { body } = await workspace.api("GET /analytics/summary");
  expect(body.analytics).toMatchObject({
    contractsByStatus: { DRAFT: 2, ACTIVE: 0 },
    contractsByType: { NDA: 1, MSA: 1, LEASE: 0 },
    openValue: [
      { currency: "EUR", valueCents: "250" },
      { currency: "USD", valueCents: "100" },
    ],
    expiring: { d30: 0, d60: 0, d90: 0 },
    signing: { open: 0, medianHoursToComplete: null },
  });
});
