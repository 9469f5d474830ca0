/** Contracts: what can be written, how their status changes, how they are found. */
import { advanceContract } from "#lib/contracts/daily.ts";
import { contractLifecycle, contractStatuses } from "#lib/contracts/lifecycle.ts";
import { database } from "#lib/core/db.ts";
import { expect, test } from "../fixtures.ts";
import { signedIn } from "../members.ts";

test("a new contract has exactly the documented fields, in its response, on read and in the list", async ({
  workspace,
}) => {
  const party = await workspace.api("POST /counterparties", { body: { name: "Northwind" } });
  const made = await workspace.api("POST /contracts", {
    body: {
      title: "  Master agreement ",
      type: "MSA",
      ourRole: "VENDOR",
      ownerId: workspace.ownerId,
      counterpartyId: party.body.counterparty.id,
      effectiveDate: "2026-01-01",
      termMonths: 12,
      autoRenews: true,
      renewalMonths: 12,
      valueCents: "9223372036854775807",
    },
  });
  expect(made.status, made.text).toBe(201);
  const { contract } = made.body;
  expect(made.headers.get("location")).toBe(`/api/v1/contracts/${contract.id}`);
  expect(made.body.version).toBeNull();
  expect(contract).toEqual({
    id: expect.stringMatching(/^ctr_[0-9a-hjkmnp-tv-z]{26}$/),
    title: "Master agreement",
    type: "MSA",
    ourRole: "VENDOR",
    status: "DRAFT",
    counterpartyId: party.body.counterparty.id,
    counterparty: { id: party.body.counterparty.id, name: "Northwind" },
    ownerId: workspace.ownerId,
    owner: { id: workspace.ownerId, name: "Olive Owner", email: expect.stringContaining("@test.example") },
    effectiveDate: "2026-01-01T00:00:00.000Z",
    executedAt: null,
    expiresAt: "2026-12-31T00:00:00.000Z",
    termMonths: 12,
    autoRenews: true,
    renewalMonths: 12,
    valueCents: "9223372036854775807",
    valueCurrency: "USD",
    templateId: null,
    archivedAt: null,
    tags: [],
    customFields: {},
    lastActivityAt: contract.createdAt,
    statusChangedAt: contract.createdAt,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    updatedAt: contract.createdAt,
  });
  expect((await workspace.api(`GET /contracts/${contract.id}`)).body).toEqual({ contract });
  expect((await workspace.api("GET /contracts")).body.data).toEqual([contract]);
});

test("all invalid fields of a contract are reported at once", async ({ workspace }) => {
  const reply = await workspace.api("POST /contracts", {
    body: {
      title: " ",
      type: "nda",
      ownerId: 7,
      effectiveDate: "2026-02-30",
      termMonths: 0,
      valueCents: -1,
      valueCurrency: "usd",
      status: "ACTIVE",
      executedAt: "tomorrow",
    },
  });
  expect(reply.status).toBe(422);
  const paths = reply.body.error.details.issues.map((issue: { path: string }) => issue.path).toSorted();
  expect(paths).toEqual([
    "effectiveDate",
    "executedAt",
    "ourRole",
    "ownerId",
    "status",
    "termMonths",
    "title",
    "type",
    "valueCents",
    "valueCurrency",
  ]);
  const references = await workspace.api("POST /contracts", {
    body: { title: "T", type: "NDA", ourRole: "VENDOR", ownerId: "usr_x", counterpartyId: "cp_x" },
  });
  expect(references.body.error.details.issues.map((issue: { path: string }) => issue.path)).toEqual([
    "ownerId",
    "counterpartyId",
  ]);
});

test("a contract cannot refer to another workspace's owner or counterparty", async ({ workspace, other }) => {
  const theirs = await other.api("POST /counterparties", { body: { name: "Theirs" } });
  const { id } = await workspace.contract();
  for (const [field, value] of [
    ["ownerId", other.ownerId],
    ["counterpartyId", theirs.body.counterparty.id],
  ]) {
    const reply = await workspace.api(`PATCH /contracts/${id}`, { body: { [field!]: value } });
    expect([reply.status, reply.body.error.details.issues[0].path]).toEqual([422, field]);
  }
  const write = database().prisma.contract.updateMany({
    where: { id },
    data: { counterpartyId: theirs.body.counterparty.id },
  });
  await expect(write, "the database itself refuses it").rejects.toThrow(/foreign key/i);
});

test("a contract value keeps its currency, which defaults to the workspace's and is null without a value", async ({
  workspace,
}) => {
  const { id } = await workspace.contract({ valueCents: 12500, valueCurrency: "EUR" });
  const patch = async (body: object) => {
    const { contract } = (await workspace.api(`PATCH /contracts/${id}`, { body })).body;
    return [contract.valueCents, contract.valueCurrency];
  };
  expect(await patch({ valueCents: "99" })).toEqual(["99", "EUR"]);
  expect(await patch({ valueCents: null })).toEqual([null, null]);
  expect(await patch({ valueCents: 0 })).toEqual(["0", "USD"]);
  const tooMuch = await workspace.api(`PATCH /contracts/${id}`, {
    body: { valueCents: "9223372036854775808" },
  });
  expect(tooMuch.status).toBe(422);
});

test("timestamps are accepted with an offset and returned in UTC", async ({ workspace }) => {
  const { id } = await workspace.contract({ effectiveDate: "2026-03-01T01:30:00.25+02:00", termMonths: 1 });
  const { contract } = (await workspace.api(`GET /contracts/${id}`)).body;
  expect(contract.effectiveDate).toBe("2026-02-28T23:30:00.250Z");
  expect(contract.expiresAt).toBe("2026-03-27T00:00:00.000Z");
});

test("every form of ISO 8601 offset is accepted, and an invalid timestamp is refused", async ({
  workspace,
}) => {
  const { id } = await workspace.contract();
  const patch = async (effectiveDate: string) => {
    const reply = await workspace.api(`PATCH /contracts/${id}`, { body: { effectiveDate } });
    return reply.body.contract?.effectiveDate ?? reply.status;
  };
  for (const text of ["2026-01-01T02:00+0200", "2026-01-01T02:00:00+02", "2025-12-31T19:00:00.000-05:00"]) {
    expect([text, await patch(text)]).toEqual([text, "2026-01-01T00:00:00.000Z"]);
  }
  for (const text of [
    "2026-01-01T00:00:00",
    "2026-02-29",
    "2026-01-01T25:00Z",
    "0000-01-01",
    "20260101",
    "",
  ]) {
    expect([text, await patch(text)]).toEqual([text, 422]);
  }
});

test("a term ends on 9999-12-31 at the latest, and date filters include that day", async ({ workspace }) => {
  const { expiresAt } = await workspace.contract({ effectiveDate: "9999-06-01", termMonths: 12 });
  expect(expiresAt).toBe("9999-12-31T00:00:00.000Z");
  expect((await workspace.api("GET /contracts?expiresTo=9999-12-31&effectiveTo=9999-12-31")).body.total).toBe(
    1,
  );
});

test("a contract without an effective date or a term has no expiry date", async ({ workspace }) => {
  const undated = [{}, { termMonths: 12 }, { effectiveDate: "2026-01-01" }];
  for (const dates of undated) expect((await workspace.contract(dates)).expiresAt).toBeNull();
});

test("the audit log records a currency that was set by default", async ({ workspace }) => {
  const { id } = await workspace.contract({ valueCents: 5, valueCurrency: "EUR" });
  await workspace.api(`PATCH /contracts/${id}`, { body: { valueCurrency: null } });
  const { body } = await workspace.api(`GET /audit-events?contractId=${id}&limit=1`);
  expect(body.data[0].payload.changes).toEqual({ valueCurrency: { from: "EUR", to: "USD" } });
});

test("a PATCH that changes nothing updates no timestamp and logs no event", async ({ workspace }) => {
  const { id, updatedAt } = await workspace.contract({ title: "Same" });
  const before = await workspace.api("GET /audit-events");
  const reply = await workspace.api(`PATCH /contracts/${id}`, { body: { title: "Same", termMonths: null } });
  expect(reply.body.contract.updatedAt).toBe(updatedAt);
  expect((await workspace.api("GET /audit-events")).text).toBe(before.text);
});

test("a status changes only along allowed transitions, and a refusal lists them", async ({ workspace }) => {
  for (const from of contractStatuses) {
    const { id } = await workspace.contract();
    await database().prisma.contract.updateMany({ where: { id }, data: { status: from } });
    for (const next of contractStatuses.filter((to) => !contractLifecycle[from].to.includes(to))) {
      const reply = await workspace.api(`POST /contracts/${id}/status`, { body: { next } });
      expect([from, next, reply.status]).toEqual([from, next, 409]);
      expect(reply.body.error.code).toBe("invalid_transition");
      for (const allowed of contractLifecycle[from].to) expect(reply.body.error.message).toContain(allowed);
    }
    const [next] = contractLifecycle[from].to;
    if (!next) continue;
    const reply = await workspace.api(`POST /contracts/${id}/status`, { body: { next, reason: "agreed" } });
    expect([reply.status, reply.body.contract?.status]).toEqual([200, next]);
  }
});

test("setting a contract to EXECUTED sets executedAt, unless it is set already", async ({ workspace }) => {
  const { id } = await workspace.contract();
  const moved = await workspace.api(`POST /contracts/${id}/status`, { body: { next: "EXECUTED" } });
  expect(moved.body.contract.executedAt).toBe(moved.body.contract.statusChangedAt);
  const dated = await workspace.contract({ executedAt: "2020-05-05" });
  const again = await workspace.api(`POST /contracts/${dated.id}/status`, { body: { next: "EXECUTED" } });
  expect(again.body.contract.executedAt).toBe("2020-05-05T00:00:00.000Z");
});

test("a contract that has renewed monthly since year 1 is advanced to today, as its preview says", async ({
  workspace,
}) => {
  const { api, ctx } = workspace;
  const { id } = await workspace.contract();
  await api(`POST /contracts/${id}/status`, { body: { next: "EXECUTED" } });
  await api("POST /obligations", {
    body: { contractId: id, kind: "RENEWAL_NOTICE", title: "Notice", anchorType: "EXPIRATION_DATE" },
  });
  const anchors = { effectiveDate: "0001-01-01", termMonths: 1, autoRenews: true };
  const member = await signedIn(workspace, "member");
  const preview = (await member.call("contracts.previewAnchors", { id, ...anchors })).body;
  await api(`PUT /contracts/${id}/anchors`, { body: anchors });
  await advanceContract({ ...ctx, now: new Date("2026-01-01") }, id);
  const { contract } = (await api(`GET /contracts/${id}`)).body;
  expect(contract).toMatchObject({ status: "ACTIVE", termMonths: 24_301, renewalMonths: 1 });
  expect(contract.expiresAt).toBe("2026-01-31T00:00:00.000Z");
  expect(preview.status.to).toBe("ACTIVE");
  // The preview is calculated for today, which is later.
  expect(preview.renewals).toBeGreaterThanOrEqual(24_300);
  const { data } = (await api(`GET /contracts/${id}/obligations`)).body;
  expect(data).toMatchObject([{ resolvedDate: contract.expiresAt }]);
});

test("concurrent status changes succeed one after another or get 409", async ({ workspace }) => {
  const moves = ["IN_REVIEW", "NEGOTIATING", "APPROVED", "EXECUTED", "CANCELLED"];
  for (let round = 0; round < 10; round++) {
    const { id } = await workspace.contract();
    const replies = await Promise.all(
      moves.map((next) => workspace.api(`POST /contracts/${id}/status`, { body: { next } })),
    );
    const feed = await workspace.api(`GET /audit-events?contractId=${id}&action=CONTRACT_STATUS_CHANGED`);
    const won = replies.filter((reply) => reply.status === 200);
    for (const reply of replies) expect([200, 409], reply.text).toContain(reply.status);
    expect(feed.body.data).toHaveLength(won.length);
    // Each later move was checked against the status that the one before had set.
    let status = "DRAFT";
    for (const event of feed.body.data.toReversed()) {
      expect(event.payload.changes.status.from).toBe(status);
      status = event.payload.changes.status.to;
    }
  }
});

test("concurrent patches to different fields are all kept", async ({ workspace }) => {
  const { id } = await workspace.contract();
  const patches = [
    { title: "New" },
    { valueCents: 5 },
    { termMonths: 3 },
    { type: "MSA" },
    { autoRenews: true },
  ];
  const replies = await Promise.all(patches.map((body) => workspace.api(`PATCH /contracts/${id}`, { body })));
  expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200, 200, 200]);
  const { contract } = (await workspace.api(`GET /contracts/${id}`)).body;
  expect(contract).toMatchObject({
    title: "New",
    valueCents: "5",
    termMonths: 3,
    type: "MSA",
    autoRenews: true,
  });
});

test("the contract list has 50 contracts per page, an exact total and no duplicates", async ({
  workspace,
}) => {
  await Promise.all(Array.from({ length: 120 }, (_, i) => workspace.contract({ title: `Contract ${i}` })));
  const pages = await Promise.all([1, 2, 3, 4].map((page) => workspace.api(`GET /contracts?page=${page}`)));
  expect(
    pages.map(({ body }) => [body.data.length, body.page, body.pageSize, body.total, body.pageCount]),
  ).toEqual([
    [50, 1, 50, 120, 3],
    [50, 2, 50, 120, 3],
    [20, 3, 50, 120, 3],
    [0, 4, 50, 120, 3],
  ]);
  const ids = pages.flatMap(({ body }) => body.data.map((row: { id: string }) => row.id));
  expect(new Set(ids).size).toBe(120);
});

test("a page past the end is empty, up to the largest safe integer, and any other page number is refused", async ({
  workspace,
}) => {
  await workspace.contract();
  const lists = ["contracts", "obligations", "signatures"] as const;
  for (const list of lists) {
    for (const page of [10_000_001, 2 ** 40, Number.MAX_SAFE_INTEGER]) {
      const { status, body } = await workspace.api(`GET /${list}?page=${page}`);
      expect([status, body.page, body.data], `${list} ${page}`).toEqual([200, page, []]);
      expect(body.total).toBe(list === "contracts" ? 1 : 0);
    }
    for (const page of ["0", "-1", "1.5", "x", "1e3", "", "9007199254740992", "9".repeat(400)]) {
      const { status, body } = await workspace.api(`GET /${list}?page=${page}`);
      expect([status, body.error?.details.issues[0].path], `${list} ${page}`).toEqual([422, "page"]);
    }
  }
  const most = await workspace.api("GET /signatures?pageSize=100&page=9007199254740991");
  expect(most.status).toBe(200);
});

test("contracts can be filtered by autoRenews", async ({ workspace }) => {
  const renewing = await workspace.contract({ autoRenews: true, termMonths: 12, renewalMonths: 12 });
  const ending = await workspace.contract();
  const ids = async (query: string) =>
    (await workspace.api(`GET /contracts?${query}`)).body.data.map(({ id }: { id: string }) => id);
  expect(await ids("autoRenews=true")).toEqual([renewing.id]);
  expect(await ids("autoRenews=false")).toEqual([ending.id]);
  expect(await ids("autoRenews=true&type=MSA")).toEqual([]);
  const wrong = await workspace.api("GET /contracts?autoRenews=yes");
  expect(wrong.body.error.details.issues).toEqual([{ path: "autoRenews", message: "must be true or false" }]);
});

test("every sort works in both directions, with empty values last and ties ordered by ID", async ({
  workspace,
}) => {
  const fields = [
    { title: "b", effectiveDate: "2026-01-02", termMonths: 1, valueCents: 10, executedAt: "2026-05-01" },
    { title: "A", effectiveDate: "2026-01-01", termMonths: 9, valueCents: 9 },
    { title: "c" },
    { title: "a", valueCents: 100 },
  ];
  for (const each of fields) await workspace.contract(each);
  for (const sort of [
    "lastActivityAt",
    "createdAt",
    "updatedAt",
    "title",
    "effectiveDate",
    "executedAt",
  ].concat(["expiresAt", "statusChangedAt", "valueCents"])) {
    for (const dir of ["asc", "desc"]) {
      const { body } = await workspace.api(`GET /contracts?sort=${sort}&dir=${dir}`);
      const key = (row: Record<string, string | null>) => {
        const value = row[sort] ?? null;
        if (value === null) return null;
        return sort === "valueCents" ? value.padStart(20, "0") : value.toLowerCase();
      };
      const rows = body.data.map(
        (row: Record<string, string>) => [key(row), row.id] as [string | null, string],
      );
      const sign = dir === "asc" ? 1 : -1;
      const sorted = rows.toSorted(([a, idA]: [string | null, string], [b, idB]: [string | null, string]) => {
        if (a === null || b === null) return a === b ? sign * (idA < idB ? -1 : 1) : a === null ? 1 : -1;
        return sign * (a < b ? -1 : a > b ? 1 : idA < idB ? -1 : 1);
      });
      expect(rows, `${sort} ${dir}`).toEqual(sorted);
    }
  }
  expect((await workspace.api("GET /contracts?sort=secret")).status).toBe(422);
  expect((await workspace.api("GET /contracts?dir=up")).status).toBe(422);
});

test("list filters combine, take wildcards literally, and return an empty page if nothing matches", async ({
  workspace,
  other,
}) => {
  const party = (await workspace.api("POST /counterparties", { body: { name: "Zeta 100% GmbH" } })).body
    .counterparty;
  const a = await workspace.contract({ title: "Alpha", type: "MSA", counterpartyId: party.id });
  const b = await workspace.contract({ title: "Beta_1", effectiveDate: "2026-01-31", termMonths: 12 });
  await workspace.api(`POST /contracts/${b.id}/status`, { body: { next: "IN_REVIEW" } });
  const found = async (query: string) => {
    const { body } = await workspace.api(`GET /contracts?sort=createdAt&dir=asc&${query}`);
    expect(body.total, query).toBe(body.data.length);
    return body.data.map((row: { id: string }) => row.id);
  };
  expect(await found("q=ALPH")).toEqual([a.id]);
  expect(await found("q=zeta")).toEqual([a.id]);
  expect(await found("q=100%25")).toEqual([a.id]);
  expect(await found("q=a_1")).toEqual([b.id]);
  expect(await found("q=%25")).toEqual([a.id]);
  expect(await found("q=")).toEqual([a.id, b.id]);
  expect(await found("status=DRAFT&status=IN_REVIEW")).toEqual([a.id, b.id]);
  expect(await found("status[]=IN_REVIEW")).toEqual([b.id]);
  expect(await found("type=MSA&status=DRAFT")).toEqual([a.id]);
  expect(await found("type=MSA&status=IN_REVIEW")).toEqual([]);
  expect(await found("ourRole=VENDOR")).toEqual([a.id, b.id]);
  expect(await found(`ownerId=${workspace.ownerId}`)).toEqual([a.id, b.id]);
  expect(await found(`ownerId=${other.ownerId}`)).toEqual([]);
  expect(await found(`counterpartyId=${party.id}`)).toEqual([a.id]);
  expect(await found("effectiveFrom=2026-01-31&effectiveTo=2026-01-31")).toEqual([b.id]);
  expect(await found("effectiveTo=2026-01-30")).toEqual([]);
  expect(await found("expiresFrom=2027-01-30&expiresTo=2027-01-30")).toEqual([b.id]);
  expect(await found("nosuchfilter=1")).toEqual([a.id, b.id]);
  expect((await workspace.api("GET /contracts?status=LOST")).body.error.details.issues[0].path).toBe(
    "status.0",
  );
});
