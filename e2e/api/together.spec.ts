/** Contracts that many create or change in one workspace at the same moment: written together, and each on its own. */
import { verifyAudit } from "#lib/audit/verify.ts";
import { patchContract } from "#lib/contracts/contracts.ts";
import { createContract } from "#lib/contracts/create.ts";
import { database } from "#lib/core/db.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { refuse } from "../gate.ts";

const fields = ({ ownerId }: Workspace, title: string) =>
  ({ title, type: "NDA", ourRole: "VENDOR", ownerId }) as const;

test("contracts created in one batch each have their own audit event, and a failing one fails alone", async ({
  workspace,
  other,
}) => {
  const { organizationId } = workspace;
  const ctx = { ...workspace.ctx, hasListeners: false };
  const party = (await other.api("POST /counterparties", { body: { name: "Foreign" } })).body.counterparty;
  const allow = await refuse(process.env.DATABASE_URL!, {
    on: "BEFORE INSERT ON contracts",
    when: "NEW.title = 'Refused by the database'",
  });
  // Requests of the same turn share one statement, which the rejected one makes fail.
  const titles = Array.from({ length: 12 }, (_, n) => `Together ${n}`);
  const make = (more: object, title: string, nth: number) =>
    createContract({ ...ctx, requestId: `request ${nth}` }, { ...fields(workspace, title), ...more }).then(
      (contract) => contract.title,
      (error) => error.code,
    );
  const made = async (refused: string[]) => {
    const wanted = [...titles, ...refused];
    return Promise.all([
      ...wanted.map((title, nth) => make({}, title, nth)),
      make({ ownerId: other.ownerId }, "Of another's member", 98),
      make({ counterpartyId: party.id }, "With another's counterparty", 99),
    ]);
  };
  try {
    const refused = await made(["Refused by the database"]);
    expect(refused).toEqual([...titles, "P0001", "validation_error", "validation_error"]);
  } finally {
    await allow();
  }
  expect(await made([])).toEqual([...titles, "validation_error", "validation_error"]);
  const rows = await database().prisma.$queryRaw<{ title: string; request: string }[]>`
    SELECT c.title, a.payload ->> 'requestId' AS request FROM contracts c
    JOIN audit_events a ON a.organization_id = c.organization_id AND a.contract_id = c.id AND a.contract_title = c.title
    WHERE c.organization_id = ${organizationId} ORDER BY a.seq`;
  const once = titles.map((title, nth) => ({ title, request: `request ${nth}` }));
  expect(rows.slice(12)).toEqual(once);
  expect(rows.slice(0, 12).sort((a, b) => titles.indexOf(a.title) - titles.indexOf(b.title))).toEqual(once);
  expect((await workspace.api("GET /contracts")).body.total).toBe(24);
  expect(await verifyAudit(organizationId)).toMatchObject({ ok: true });
});

test("changes written in one batch build on each other, have their own audit events, and fail independently", async ({
  workspace,
  other,
}) => {
  const { organizationId } = workspace;
  const ctx = { ...workspace.ctx, hasListeners: false };
  const ids: string[] = [];
  for (let n = 0; n < 8; n++) ids.push((await workspace.contract({ title: `Before ${n}`, type: "NDA" })).id);
  const allow = await refuse(process.env.DATABASE_URL!, {
    on: "BEFORE UPDATE ON contracts",
    when: "NEW.title = 'Refused'",
  });
  const patch = (nth: number, fields: object, request = nth) =>
    patchContract({ ...ctx, requestId: `request ${request}` }, { id: ids[nth]!, ...fields }).then(
      ({ title, type, revision }) => [title, type, revision],
      (error) => error.code,
    );
  const after = (nth: number, type = "NDA", revision = 2) => [`After ${nth}`, type, revision];
  try {
    const refused = await Promise.all([
      ...[1, 2, 3, 4, 5, 6, 7].map((nth) => patch(nth, { title: nth === 1 ? "Refused" : `After ${nth}` })),
      patch(2, { ownerId: other.ownerId }),
    ]);
    expect(refused).toEqual(["P0001", ...[2, 3, 4, 5, 6, 7].map((nth) => after(nth)), "validation_error"]);
  } finally {
    await allow();
  }
  // One contract is changed twice: the second change applies to the result of the first.
  const twice = await Promise.all([
    patch(0, { title: "After 0" }),
    patch(0, { type: "LEASE" }, 50),
    patch(1, { title: "After 1" }),
    patch(7, { title: "After 7" }),
  ]);
  expect(twice).toEqual([after(0), after(0, "LEASE", 3), after(1), after(7)]);
  const rows = await database().prisma.$queryRaw<{ nth: number; changes: object; request: string }[]>`
    SELECT array_position(${ids}::text[], contract_id) - 1 AS nth, payload -> 'changes' AS changes,
      payload ->> 'requestId' AS request
    FROM audit_events WHERE organization_id = ${organizationId} AND action = 'CONTRACT_UPDATED' ORDER BY seq`;
  const told = (nth: number) => ({
    nth,
    changes: { title: { from: `Before ${nth}`, to: `After ${nth}` } },
    request: `request ${nth}`,
  });
  expect(rows.toSorted((a, b) => a.nth - b.nth)).toEqual([
    ...[told(0), { nth: 0, changes: { type: { from: "NDA", to: "LEASE" } }, request: "request 50" }],
    ...[1, 2, 3, 4, 5, 6, 7].map(told),
  ]);
  expect(await verifyAudit(organizationId)).toMatchObject({ ok: true });
});

test("amid concurrent creations, an Idempotency-Key creates one contract and an ETag admits one change", async ({
  workspace,
}) => {
  const { api, organizationId } = workspace;
  const { id } = await workspace.contract({ title: "Watched" });
  const etag = (await api(`GET /contracts/${id}`)).headers.get("etag")!;
  const post = (title: string, headers: Record<string, string> = {}) =>
    api("POST /contracts", { body: fields(workspace, title), headers });
  const patch = (title: string) =>
    api(`PATCH /contracts/${id}`, { body: { title }, headers: { "if-match": etag } });
  const [plain, keyed, patched] = await Promise.all([
    Promise.all(Array.from({ length: 30 }, (_, n) => post(`Plain ${n}`))),
    Promise.all(Array.from({ length: 6 }, () => post("Keyed", { "idempotency-key": "once" }))),
    Promise.all(["First", "Second", "Third"].map(patch)),
  ]);
  expect(plain.map(({ status, body }) => [status, body.contract.title])).toEqual(
    Array.from({ length: 30 }, (_, n) => [201, `Plain ${n}`]),
  );
  const ids = new Set(plain.map(({ body }) => body.contract.id));
  expect(ids.size).toBe(30);
  for (const { headers, body } of plain.slice(-2)) {
    expect(headers.get("location")).toBe(`/api/v1/contracts/${body.contract.id}`);
    expect((await api(`GET /contracts/${body.contract.id}`)).body.contract).toEqual(body.contract);
  }
  const keyedIds = keyed.filter(({ status }) => status === 201).map(({ body }) => body.contract.id);
  expect(new Set(keyedIds).size).toBe(1);
  expect(keyed.filter(({ status }) => status !== 201).map(({ body }) => body.error.code)).toEqual(
    Array.from({ length: 6 - keyedIds.length }, () => "idempotency_in_progress"),
  );
  expect(patched.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
  expect((await api("GET /contracts")).body.total).toBe(32);
  expect(await verifyAudit(organizationId)).toMatchObject({ ok: true, events: expect.any(Number) });
});
