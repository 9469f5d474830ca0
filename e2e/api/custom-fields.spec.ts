/** Fields that a workspace adds to its contracts: owners and admins define them; everyone fills, filters and sorts. */
import { parse } from "csv-parse/sync";
import PizZip from "pizzip";
import { importContracts } from "#lib/contracts/import/import.ts";
import { ContractQuery } from "#lib/contracts/schema.ts";
import { database } from "#lib/core/db.ts";
import { execute } from "#lib/core/execute.ts";
import { findOperation } from "#lib/operations.ts";
import { exportCsv } from "#lib/overview/exports/csv.ts";
import { readStored } from "#lib/storage/store.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { newMember } from "../members.ts";
import { memberOf } from "../signing.ts";
import { templateIn } from "../templates.ts";

// biome-ignore lint/suspicious/noExplicitAny: responses come as JSON.
type Json = any;

const act = (workspace: Workspace, name: string, input: object): Promise<Json> =>
  execute(findOperation(name)!.operation, memberOf(workspace), input);

const kinds = [
  { key: "note", name: "Note", type: "text" },
  { key: "seats", name: "Seats", type: "number" },
  { key: "go-live", name: "Go-live", type: "date" },
  { key: "region", name: "Region", type: "choice", options: ["EMEA", "Asia", "Americas"] },
  { key: "lawyer", name: "Lawyer", type: "member" },
];

/** Defines one field of each type; returns their ids by key. */
async function define(workspace: Workspace): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const kind of kinds)
    ids[kind.key] = (await act(workspace, "customFields.create", kind)).customField.id;
  return ids;
}

const nothing = { note: null, seats: null, "go-live": null, region: null, lawyer: null };

/** Expects a validation error; returns the message for each field that it names. */
async function refused(answer: Promise<{ status: number; body: Json }>): Promise<Record<string, string>> {
  const { status, body } = await answer;
  expect(status).toBe(422);
  const issues = body.error.details.issues as { path: string; message: string }[];
  return Object.fromEntries(issues.map(({ path, message }) => [path, message]));
}

const issuesOf = (promise: Promise<unknown>): Promise<string[]> =>
  promise.then(
    () => [],
    ({ issues }: { issues: { path: string }[] }) => issues.map(({ path }) => path),
  );

test("a contract has every defined custom field, null if empty, and PATCH merges by key and clears with null", async ({
  workspace,
}) => {
  const { api } = workspace;
  const before = await workspace.contract();
  expect(before.customFields).toEqual({});
  const ids = await define(workspace);
  expect(ids.note).toMatch(/^cfd_/);
  const read = async () => (await api(`GET /contracts/${before.id}`)).body.contract.customFields;
  expect(await read()).toEqual(nothing);

  const { userId } = await newMember(workspace, "member");
  const values = {
    ...{ note: "Ελένη", seats: "-12345678901234567890.1200", "go-live": "2028-02-29" },
    ...{ region: "Asia", lawyer: userId },
  };
  const made = await api("POST /contracts", {
    body: { title: "T", type: "NDA", ourRole: "VENDOR", ownerId: workspace.ownerId, customFields: values },
  });
  expect(made.body.contract.customFields, made.text).toEqual(values);

  const patch = (customFields: object) => api(`PATCH /contracts/${before.id}`, { body: { customFields } });
  expect((await patch({ note: "  A note ", region: "EMEA" })).body.contract.customFields).toEqual({
    ...nothing,
    ...{ note: "A note", region: "EMEA" },
  });
  await patch({ note: null, seats: "250" });
  expect(await read()).toEqual({ ...nothing, region: "EMEA", seats: "250" });
  await patch({ region: "" });
  expect(await read(), "an empty text is nothing").toEqual({ ...nothing, seats: "250" });
});

test("invalid values and unknown custom fields are refused by key, all at once", async ({
  workspace,
  other,
}) => {
  await define(workspace);
  await act(other, "customFields.create", { key: "theirs", name: "Theirs", type: "text" });
  const { id } = await workspace.contract();
  const patch = (customFields: unknown) =>
    workspace.api(`PATCH /contracts/${id}`, { body: { customFields } });
  const wrong = {
    ...{ note: "x".repeat(501), seats: "1e3", "go-live": "2027-02-29", region: "asia" },
    ...{ lawyer: other.ownerId, theirs: "x", constructor: "x" },
  };
  const said = await refused(patch(wrong));
  expect(Object.keys(said).sort()).toEqual(
    Object.keys(wrong)
      .map((key) => `customFields.${key}`)
      .sort(),
  );
  // Wrong owners and counterparties are reported together with them.
  const parties = { ownerId: other.ownerId, counterpartyId: "cp_x", customFields: { theirs: "x" } };
  const paths = ["counterpartyId", "customFields.theirs", "ownerId"];
  const made = workspace.api("POST /contracts", {
    body: { title: "Lease", type: "LEASE", ourRole: "TENANT", ...parties },
  });
  expect(Object.keys(await refused(made)).sort()).toEqual(paths);
  const patched = workspace.api(`PATCH /contracts/${id}`, { body: parties });
  expect(Object.keys(await refused(patched)).sort()).toEqual(paths);
  expect(said["customFields.region"]).toBe("must be one of EMEA, Asia, Americas");
  expect(said["customFields.theirs"]).toBe("is not a custom field of this workspace");
  for (const seats of ["1,5", "+1", "01", ".5", "1.", "NaN", "0x1", `1${"0".repeat(30)}`, "١", "1\u0000"]) {
    expect(Object.keys(await refused(patch({ seats }))), seats).toEqual(["customFields.seats"]);
  }
  for (const odd of [
    { seats: 5 },
    { note: ["x"] },
    { lawyer: true },
    { note: "\u0000" },
    { lawyer: "\u0000" },
  ]) {
    expect(Object.keys(await refused(patch(odd)))).toEqual([`customFields.${Object.keys(odd)[0]}`]);
  }
  for (const odd of ["x", 1, [], null]) {
    expect(Object.keys(await refused(patch(odd)))).toEqual(["customFields"]);
  }
  expect((await workspace.api(`GET /contracts/${id}`)).body.contract.customFields).toEqual(nothing);
});

test("lists filter by any of several exact custom field values and by number and date ranges", async ({
  workspace,
}) => {
  const { api, ownerId } = workspace;
  await define(workspace);
  const add = async (title: string, customFields: object) => {
    const { id } = await workspace.contract({ title });
    const reply = await api(`PATCH /contracts/${id}`, { body: { customFields } });
    expect(reply.status, reply.text).toBe(200);
  };
  await add("A", { seats: "9", "go-live": "2027-01-01", region: "EMEA", note: "x" });
  await add("B", { seats: "10.50", "go-live": "2027-01-02", region: "Asia", note: "X", lawyer: ownerId });
  await add("C", { seats: "-3", region: "EMEA" });
  // The same value in another field.
  await add("D", { note: "EMEA" });
  const found = async (query: string) => {
    const { status, body, text } = await api(`GET /contracts?sort=title&dir=asc&${query}`);
    expect(status, text).toBe(200);
    const titles = body.data.map(({ title }: Json) => title).join("");
    expect(body.total, query).toBe(titles.length);
    return titles;
  };
  for (const [query, titles] of Object.entries({
    "customFields.region=EMEA": "AC",
    "customFields.region=EMEA&customFields.region=Asia": "ABC",
    "customFields.region[]=EMEA&customFields.seatsFrom=0": "A",
    "customFields.note=x": "A",
    // Filter values are trimmed, as values are when they are entered.
    "customFields.note=%20x%20&customFields.seats=%209": "A",
    "customFields.seats=10.5": "B",
    "customFields.seatsFrom=-3&customFields.seatsTo=9": "AC",
    "customFields.seatsTo=8.999": "C",
    "customFields.go-liveFrom=2027-01-02": "B",
    "customFields.go-liveTo=2027-01-01": "A",
    "customFields.go-live=2027-01-01&customFields.note=X": "",
    [`customFields.lawyer=${ownerId}&q=B`]: "B",
    "customFields.lawyer=usr_nobody": "",
    "status=DRAFT&customFields.region=EMEA": "AC",
    "customFields=x": "ABCD",
  })) {
    expect(await found(query), query).toBe(titles);
  }
  for (const [query, path] of Object.entries({
    "customFields.nothing=1": "customFields.nothing",
    "customFields.seats=many": "customFields.seats",
    "customFields.go-liveFrom=soon": "customFields.go-liveFrom",
    "customFields.noteFrom=a": "customFields.noteFrom",
    "customFields.region=Nowhere": "customFields.region",
    "customFields.note=": "customFields.note",
    "sort=customFields.nothing": "sort",
    "sort=customFields.": "sort",
  })) {
    expect(Object.keys(await refused(api(`GET /contracts?${query}`))), query).toEqual([path]);
  }
});

test("lists and exports sort by custom fields of any type, in both directions, with empty values last", async ({
  workspace,
}) => {
  const { api, ownerId, ctx } = workspace;
  await define(workspace);
  const { userId: amy } = await newMember(workspace, "member", "amy");
  await database().prisma.user.update({ where: { id: ownerId }, data: { name: "Zoe" } });
  const add = async (title: string, customFields: object) => {
    const { id } = await workspace.contract({ title });
    await api(`PATCH /contracts/${id}`, { body: { customFields } });
  };
  await add("A", { seats: "10", note: "beta", "go-live": "2027-01-02", region: "EMEA", lawyer: amy });
  await add("B", { seats: "9.5", note: "Alpha", "go-live": "2026-12-31", region: "Asia", lawyer: ownerId });
  await add("C", {});
  await add("D", {
    seats: "-100",
    note: "gamma",
    "go-live": "2027-01-01",
    region: "Americas",
    lawyer: ownerId,
  });
  await add("E", {});
  const orders: Record<string, [asc: string, desc: string]> = {
    seats: ["DBACE", "ABDEC"],
    note: ["BADCE", "DABEC"],
    "go-live": ["BDACE", "ADBEC"],
    region: ["DBACE", "ABDEC"],
    lawyer: ["ABDCE", "DBAEC"],
  };
  for (const [key, [asc, desc]] of Object.entries(orders)) {
    for (const [dir, order] of [
      ["asc", asc],
      ["desc", desc],
    ] as const) {
      const query = `sort=customFields.${key}&dir=${dir}`;
      const { body, text } = await api(`GET /contracts?${query}`);
      expect(body.data?.map(({ title }: Json) => title).join(""), `${query} ${text}`).toBe(order);
      const input = ContractQuery.parse({ sort: `customFields.${key}`, dir });
      const table = await exportCsv(ctx, "contracts.csv", input);
      let csv = "";
      for await (const part of table.text) csv += part;
      const rows = parse(csv, { columns: true, bom: true }) as Json[];
      expect(rows.map(({ title }) => title).join(""), `export by ${query}`).toBe(order);
    }
  }
});

test("paging a list sorted by a custom field returns every contract once, however few have a value", async ({
  workspace,
}) => {
  const { ctx } = workspace;
  await define(workspace);
  const { createContracts } = await import("#lib/contracts/create.ts");
  const input = (at: number) => ({
    ...{ title: `${at}`, type: "NDA", ourRole: "VENDOR", ownerId: workspace.ownerId, status: "DRAFT" },
    customFields: at % 3 === 0 ? { seats: `${at % 7}`, region: at % 2 ? "EMEA" : "Asia" } : {},
  });
  await createContracts(ctx, Array.from({ length: 180 }, (_, at) => input(at)) as Json);
  const list = async (query: object): Promise<string[]> => {
    const pages: string[] = [];
    for (let page = 1; page < 6; page++) {
      const { data } = await act(workspace, "contracts.list", { ...query, page });
      pages.push(...data.map(({ id, customFields }: Json) => `${customFields.seats ?? "-"} ${id}`));
    }
    return pages;
  };
  for (const filter of [{}, { autoRenews: false }, { customFields: { region: ["EMEA"] } }]) {
    const asc = await list({ sort: "customFields.seats", dir: "asc", ...filter });
    const desc = await list({ sort: "customFields.seats", dir: "desc", ...filter });
    const has = (one: string) => !one.startsWith("-");
    const sorted = asc.toSorted((a, b) => Number(has(b)) - Number(has(a)) || (a < b ? -1 : 1));
    expect(asc).toEqual(sorted);
    expect(new Set(asc).size).toBe("customFields" in filter ? 30 : 180);
    expect(desc).toEqual([...asc.filter(has).toReversed(), ...asc.filter((one) => !has(one)).toReversed()]);
  }
});

test("a field's name and options can change, its key and type cannot, and contracts keep removed options", async ({
  workspace,
}) => {
  const ids = await define(workspace);
  const { id } = await workspace.contract();
  const patch = (customFields: object) => workspace.api(`PATCH /contracts/${id}`, { body: { customFields } });
  await patch({ region: "Asia" });
  const change = (input: object) => act(workspace, "customFields.patch", { id: ids.region, ...input });
  for (const field of [{ key: "other" }, { type: "text" }]) {
    expect(await issuesOf(change(field))).toEqual(Object.keys(field));
  }
  const { customField } = await change({ name: "Area", options: ["EMEA", "APAC"] });
  expect(customField).toMatchObject({ key: "region", name: "Area", options: ["EMEA", "APAC"] });
  expect((await patch({ region: "Asia", note: "kept" })).body.contract.customFields).toMatchObject({
    ...{ region: "Asia", note: "kept" },
  });
  const { total } = (await workspace.api("GET /contracts?customFields.region=Asia")).body;
  expect(total, "what is kept can be found").toBe(1);
  await patch({ region: "APAC" });
  expect(Object.keys(await refused(patch({ region: "Asia" })))).toEqual(["customFields.region"]);
  expect(await issuesOf(act(workspace, "customFields.patch", { id: ids.note, options: ["a"] }))).toEqual([
    "options",
  ]);
});

test("deleting a field hides its values, even from a new field with the same key", async ({ workspace }) => {
  const ids = await define(workspace);
  const { id } = await workspace.contract();
  const { api } = workspace;
  await api(`PATCH /contracts/${id}`, { body: { customFields: { seats: "5", note: "x" } } });
  const etag = (await api(`GET /contracts/${id}`)).headers.get("etag");
  await act(workspace, "customFields.remove", { id: ids.seats });
  const shown = async () => (await api(`GET /contracts/${id}`)).body.contract.customFields;
  const { seats: _, ...others } = nothing;
  expect(await shown()).toEqual({ ...others, note: "x" });
  expect((await api(`GET /contracts/${id}`)).headers.get("etag")).not.toBe(etag);
  const [listed] = (await api("GET /contracts")).body.data;
  expect(listed.customFields).toEqual({ ...others, note: "x" });
  expect(Object.keys(await refused(api("GET /contracts?customFields.seats=5")))).toEqual([
    "customFields.seats",
  ]);
  await act(workspace, "customFields.create", { key: "seats", name: "Seats", type: "text" });
  expect(await shown()).toEqual({ ...nothing, note: "x" });
  expect((await api("GET /contracts")).body.data[0].customFields).toEqual({ ...nothing, note: "x" });
  expect((await api("GET /contracts?customFields.seats=5")).body.total).toBe(0);
  await api(`PATCH /contracts/${id}`, { body: { customFields: { note: "y" } } });
  const row = await database().prisma.contract.findFirstOrThrow({ where: { id } });
  expect(Object.values(row.customFields as object), "and then they are gone").toEqual(["y"]);
});

test("a former member stays in a field that names them, but cannot be entered elsewhere", async ({
  workspace,
}) => {
  await define(workspace);
  const { userId } = await newMember(workspace, "member", "Mia Moved");
  const [{ id: first }, { id: second }] = [await workspace.contract(), await workspace.contract()];
  const patch = (id: string, customFields: object) =>
    workspace.api(`PATCH /contracts/${id}`, { body: { customFields } });
  await patch(first, { lawyer: userId });
  await database().prisma.member.updateMany({ where: { userId }, data: { removedAt: new Date() } });
  const kept = await patch(first, { lawyer: userId, note: "still hers" });
  expect(kept.body.contract.customFields).toMatchObject({ lawyer: userId, note: "still hers" });
  expect(Object.keys(await refused(patch(second, { lawyer: userId })))).toEqual(["customFields.lawyer"]);
  expect((await workspace.api(`GET /contracts?customFields.lawyer=${userId}`)).body.total).toBe(1);
  const { formerMembers } = await act(workspace, "customFields.list", {});
  expect(formerMembers).toEqual([{ userId, name: "Mia Moved" }]);
});

test("the audit log and webhooks give the key and old value of each changed custom field", async ({
  workspace,
}) => {
  const { api } = workspace;
  const ids = await define(workspace);
  const url = { url: "http://127.0.0.1:9/", events: ["contract.updated"] };
  expect((await api("POST /webhook-endpoints", { body: url })).status).toBe(201);
  const { id } = await workspace.contract();
  await api(`PATCH /contracts/${id}`, { body: { customFields: { note: "old", seats: "1" } } });
  await api(`PATCH /contracts/${id}`, { body: { title: "New", customFields: { note: "new", seats: "1" } } });
  await api(`PATCH /contracts/${id}`, { body: { customFields: { seats: "1" } } });
  const { data } = (await api(`GET /audit-events?contractId=${id}&action=CONTRACT_UPDATED`)).body;
  expect(data, "what changes nothing is not told").toHaveLength(2);
  expect(data[0].payload.changes).toMatchObject({
    title: { to: "New" },
    customFields: { from: { note: "old" }, to: { note: "new" } },
  });
  const activity = await act(workspace, "contracts.activity", { id });
  expect(activity.data[0].changes).toContainEqual({ field: "Note", from: "old", to: "new" });
  const events = await database().prisma.event.findMany({
    where: { organizationId: workspace.organizationId, type: "contract.updated" },
    orderBy: { id: "asc" },
  });
  const [first, second] = events.map(({ payload }) => JSON.parse(payload).data);
  expect(first.previous).toEqual({ customFields: { note: null, seats: null } });
  expect(second.previous.customFields).toEqual({ note: "old" });
  expect(second.contract.customFields).toEqual({ ...nothing, note: "new", seats: "1" });

  await act(workspace, "customFields.patch", { id: ids.note, name: "Remark" });
  await act(workspace, "customFields.patch", { id: ids.note, name: "Remark" });
  await act(workspace, "customFields.remove", { id: ids.note });
  const log = (await api("GET /audit-events?limit=4")).body.data;
  expect(log.slice(0, 2).map(({ action, payload }: Json) => [action, payload.changes])).toEqual([
    ["CUSTOM_FIELD_DELETED", { key: { from: "note", to: null }, name: { from: "Remark", to: null } }],
    ["CUSTOM_FIELD_UPDATED", { name: { from: "Note", to: "Remark" } }],
  ]);
  const created = (await api("GET /audit-events?action=CUSTOM_FIELD_CREATED")).body.data;
  expect(created).toHaveLength(kinds.length);
});

test("a workspace has at most 50 custom fields, with unique valid keys and valid options", async ({
  workspace,
}) => {
  const create = (input: object) =>
    act(workspace, "customFields.create", { name: "N", type: "text", ...input });
  for (const key of ["Seats", "1st", "a_b", "-a", "a-", "a--b", "a.b", "seatsFrom", "x".repeat(41), ""]) {
    expect(new Set(await issuesOf(create({ key }))), key).toEqual(new Set(["key"]));
  }
  for (const options of [[], ["A", "a"], [" "], Array.from({ length: 101 }, (_, at) => `${at}`)]) {
    const [path] = await issuesOf(create({ key: "a", type: "choice", options }));
    expect(path).toMatch(/^options/);
  }
  expect(await issuesOf(create({ key: "a", options: ["A"] }))).toEqual(["options"]);
  await create({ key: "constructor" });
  const { id } = await workspace.contract();
  const filled = await workspace.api(`PATCH /contracts/${id}`, {
    body: { customFields: { constructor: "x" } },
  });
  expect(filled.body.contract?.customFields, filled.text).toEqual({ constructor: "x" });
  const twice = await Promise.allSettled([create({ key: "a" }), create({ key: "a" })]);
  expect(twice.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  for (let at = 3; at <= 50; at++) await create({ key: `f${at}` });
  await expect(create({ key: "f51" })).rejects.toMatchObject({ code: "conflict" });
});

test("an operator's CSV import sets custom fields, and reports errors by line and column", async ({
  workspace,
}) => {
  await define(workspace);
  const { userId } = await newMember(workspace, "member", "Mia");
  const { email } = await database().prisma.user.findUniqueOrThrow({ where: { id: userId } });
  const header =
    "title,type,ourRole,ownerId,customFields.seats,customFields.lawyer,customFields.region,customFields.go-live";
  const bring = (...lines: string[]) =>
    importContracts(workspace.ctx, {
      csv: Buffer.from(
        [header, ...lines.map((line) => `T,NDA,VENDOR,${workspace.ownerId},${line}`)].join("\n"),
      ),
      ...{ folder: null, dryRun: false },
    });
  const wrong = await bring("1,,,", "many,nobody@x.example,Nowhere,soon");
  expect(wrong).toMatchObject({ contracts: 0 });
  expect(wrong.errors.map(({ line, path }) => `${line} ${path}`).sort()).toEqual(
    ["go-live", "lawyer", "region", "seats"].map((key) => `3 customFields.${key}`),
  );
  expect(await bring(`'-5.0,${email.toUpperCase()},Asia,2027-01-02`, ",,,")).toMatchObject({
    ...{ contracts: 2, errors: [] },
  });
  const { data } = (await workspace.api("GET /contracts?customFields.seatsTo=0")).body;
  expect(data.map(({ customFields }: Json) => customFields)).toEqual([
    { ...nothing, seats: "-5.0", lawyer: userId, region: "Asia", "go-live": "2027-01-02" },
  ]);
});

test("templates use custom fields in titles and variables, and report all invalid and missing values at once", async ({
  workspace,
}) => {
  const { api, ctx, ownerId } = workspace;
  await define(workspace);
  const { userId } = await newMember(workspace, "member", "Mia Lawyer");
  const variable = (key: string, field: string) => ({
    ...{ key, label: key, type: "text" as const, required: true },
    binding: `contract.customFields.${field}`,
  });
  const said = {
    titlePattern: "Order for {contract.customFields.region}",
    variables: [variable("lawyer", "lawyer"), variable("note", "note")],
  };
  const paragraphs = ["{lawyer} handles {note}"];
  const wrong = { ...said, variables: [variable("lawyer", "gone"), variable("note", "note")] };
  expect(await issuesOf(templateIn(ctx, paragraphs, wrong))).toEqual(["variables.0.binding"]);
  const { id: templateId } = await templateIn(ctx, paragraphs, said);
  const make = (customFields: object) =>
    api("POST /contracts/from-template", {
      body: { templateId, ownerId, counterpartyName: "Northwind", customFields },
    });
  const missing = await refused(make({ region: "Nowhere", note: "x" }));
  expect(Object.keys(missing)).toEqual(["customFields.region", "variables.lawyer", "variables.note"]);
  const made = await make({ region: "EMEA", note: "the {{signature:1}} rest", lawyer: userId });
  expect(made.status, made.text).toBe(201);
  const { contract } = (await api(`GET /contracts/${made.body.contractId}`)).body;
  expect(contract).toMatchObject({
    title: "Order for EMEA",
    customFields: { region: "EMEA", lawyer: userId },
  });
  const version = await database().prisma.documentVersion.findFirstOrThrow({
    where: { id: made.body.versionId },
  });
  const docx = await readStored(workspace.organizationId, version.sha256);
  const xml = new PizZip(docx)
    .file("word/document.xml")!
    .asText()
    .replace(/<[^>]+>/g, "");
  expect(xml).toContain("Mia Lawyer handles the { {signature:1} } rest");
});
