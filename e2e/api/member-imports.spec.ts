/** Contracts that a member imports from a table: checked before anything is created, then all of them or none. */
import { database } from "#lib/core/db.ts";
import { forgetOldImports } from "#lib/imports/imports.ts";
import { runImport } from "#lib/imports/run.ts";
import type { ContractImport, Mapping } from "#lib/imports/schema.ts";
import { backend } from "#lib/storage/store.ts";
import { inJson } from "../documents.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { type Browser, code, signedIn } from "../members.ts";

test.describe.configure({ timeout: 150_000 });

const csvOf = (lines: string[] | Buffer, fileName = "contracts.csv") => ({
  csv: inJson({
    ...{ fileName, contentType: "text/csv" },
    bytes: Array.isArray(lines) ? Buffer.from(lines.join("\r\n")) : lines,
  }),
});

async function begin(member: Browser, lines: string[]): Promise<ContractImport> {
  const { status, body, text } = await member.call("imports.create", csvOf(lines));
  expect(status, text).toBe(200);
  return body.import;
}

/** Starts the worker's next step, and waits until it is done. */
async function after(member: Browser, name: "check" | "start", input: object = {}): Promise<ContractImport> {
  const asked = await member.post(`imports.${name}`, { body: JSON.stringify(input) });
  expect(asked.status, asked.text).toBe(200);
  let latest: ContractImport | undefined;
  const isAtRest = async () => {
    latest = (await member.call("imports.read")).body.import;
    return !["CHECKING", "IMPORTING"].includes(latest!.state);
  };
  await expect.poll(isAtRest, { timeout: 60_000 }).toBe(true);
  return latest!;
}

const contractsOf = async ({ api }: Workspace) => (await api("GET /contracts?sort=title&dir=asc")).body.data;

/** Returns the stored file, or null. */
const keptOf = async ({ organizationId }: Workspace, sha256: string | null) =>
  (await backend()).find({ organizationId, sha256: sha256! });

const row = ({ id }: Pick<ContractImport, "id">) =>
  database().prisma.contractImport.findFirstOrThrow({ where: { id } });

test("an imported CSV becomes contracts as mapped, in the importing member's name, and its file is deleted", async ({
  workspace,
}) => {
  await workspace.api("POST /counterparties", { body: { name: "Fabrikam" } });
  const member = await signedIn(workspace, "member");
  const another = await signedIn(workspace, "member");
  const begun = await begin(member, [
    "Contract name;Kind;Party;Owner;Start date;Signed on;Term;Auto-renewal;Amount;Currency;Remarks",
    `Cloud hosting;SaaS;fabrikam;${another.email};31.12.2026;01.02.2026;24;yes;12.500,50;eur;nice`,
    "",
    '"Office ""North""\nLease";Lease;Contoso;;1.1.2027;;;no;;;',
    "Plain;;contoso;;;;;;1,200;;",
  ]);
  expect(begun).toMatchObject({ state: "MAPPING", fileName: "contracts.csv", report: null });
  expect(begun.columns[0]).toEqual({
    name: "Contract name",
    samples: ["Cloud hosting", 'Office "North"\nLease', "Plain"],
  });
  expect(begun.mapping).toEqual({
    fields: [
      ...["title", "type", "counterpartyName", "ownerEmail", "effectiveDate", "executedAt", "termMonths"],
      ...["autoRenews", "value", "valueCurrency", null],
    ],
    ...{ type: "OTHER", ourRole: "COUNTERPARTY", dateOrder: "DMY" },
  });
  const checked = await after(member, "check", { ...begun.mapping, ourRole: "CUSTOMER" });
  // A title must be a single line.
  expect(checked.report).toMatchObject({ contracts: 0, errorCount: 1, errors: [{ line: 4, path: "title" }] });
  const mended = await begin(member, [
    "Contract name;Kind;Party;Owner;Start date;Term;Auto-renewal;Amount;Currency",
    `Cloud hosting;SaaS;fabrikam;${another.email};31.12.2026;24;yes;12.500,50;eur`,
    "Plain;;contoso;;;;;1,200;",
    '"Office ""North""";Lease;Contoso;;1.1.2027;;no;;',
  ]);
  const { sha256 } = await row(mended);
  const ready = await after(member, "check", { ...mended.mapping, ourRole: "CUSTOMER" });
  expect(ready).toMatchObject({
    state: "CHECKED",
    report: { rows: 3, contracts: 3, counterparties: 1, errorCount: 0, errors: [] },
  });
  expect(await contractsOf(workspace), "nothing is created by a check").toEqual([]);
  const done = await after(member, "start");
  expect(done).toMatchObject({ state: "DONE", rowsDone: 3, report: { contracts: 3, counterparties: 1 } });
  const [cloud, office, plain, ...more] = await contractsOf(workspace);
  expect(more).toEqual([]);
  expect(cloud).toMatchObject({
    ...{ title: "Cloud hosting", type: "SAAS", ourRole: "CUSTOMER", status: "DRAFT", autoRenews: true },
    ...{ effectiveDate: "2026-12-31T00:00:00.000Z", termMonths: 24, ownerId: another.userId },
    ...{ valueCents: "1250050", valueCurrency: "EUR", counterparty: { name: "Fabrikam" } },
  });
  expect(office).toMatchObject({ title: 'Office "North"', type: "LEASE", ownerId: member.userId });
  expect(plain).toMatchObject({ type: "OTHER", valueCents: "120000", valueCurrency: "USD" });
  expect(plain.counterparty).toEqual(office.counterparty);
  const events = (await workspace.api("GET /audit-events?via=user&limit=20")).body.data;
  const actions = events.map(({ action }: { action: string }) => action);
  expect(actions.filter((action: string) => action === "CONTRACT_CREATED")).toHaveLength(3);
  expect(actions).toContain("DATA_IMPORTED");
  for (const { actor, payload, action } of events) {
    if (!/^(CONTRACT_CREATED|COUNTERPARTY_CREATED|DATA_IMPORTED)$/.test(action)) continue;
    expect(actor.id).toBe(member.userId);
    expect(payload.requestId, "from where it was started").toEqual(expect.any(String));
  }
  await expect.poll(() => keptOf(workspace, sha256)).toBeNull();
  expect(await row(done)).toMatchObject({ sha256: null, origin: {} });
});

test("an import with errors creates no contracts, and reports up to 200 errors with their line and cell", async ({
  workspace,
}) => {
  const member = await signedIn(workspace, "owner");
  const wrong = "Novel,2026-02-30,Never,x,nobody@test.example";
  const lines = Array.from({ length: 250 }, (_, n) => `Title ${n},${wrong}`);
  // These come after the part of the file that is inspected when it is uploaded.
  lines[0] += `,${"r".repeat(70_000)}`;
  lines[1] += "\0".repeat(500);
  const heading = "Title,Type,Effective date,Status,Value,Owner email,Remarks";
  const { mapping } = await begin(member, [heading, ...lines]);
  const { report } = await after(member, "check", mapping);
  expect(report).toMatchObject({ rows: 250, contracts: 0, counterparties: 0, errorCount: 1_250 });
  expect(report!.errors).toHaveLength(200);
  const first = report!.errors.filter(({ line }) => line === 2).map(({ path, cell }) => [path, cell]);
  expect(first.sort()).toEqual([
    ["effectiveDate", "2026-02-30"],
    ["ownerEmail", "nobody@test.example"],
    ["status", "Never"],
    ["type", "Novel"],
    ["valueCents", "x"],
  ]);
  expect(code(await member.call("imports.start"))).toBe("409 conflict");
  // Rows that were valid when checked but are not any more create nothing either.
  const leaver = await signedIn(workspace, "member");
  const next = await begin(member, ["Title,Owner email", "First,", `Last,${leaver.email}`]);
  await after(member, "check", next.mapping);
  const { memberId } = leaver;
  expect((await member.call("members.remove", { memberId })).status).toBe(204);
  expect(await after(member, "start")).toMatchObject({
    state: "CHECKED",
    report: { contracts: 0, errors: [{ line: 3, path: "ownerEmail", cell: leaver.email }] },
  });
  expect(await contractsOf(workspace)).toEqual([]);
});

test("imported columns can be custom fields, with their dates parsed and their rules enforced", async ({
  workspace,
}) => {
  const member = await signedIn(workspace, "owner");
  const fields = [
    { key: "region", name: "Sales region", type: "choice" as const, options: ["North", "South"] },
    { key: "handover", name: "Handover", type: "date" as const },
  ];
  for (const field of fields) await member.call("customFields.create", field);
  const heading = "Title,Start date,Sales region,Handover";
  const wrong = await begin(member, [heading, "First,1.2.2027,West,31.12.2026"]);
  expect(wrong.mapping.fields).toEqual([
    ...["title", "effectiveDate", "customFields.region", "customFields.handover"],
  ]);
  const unknown = wrong.mapping.fields.with(2, "customFields.country");
  const refused = await member.call("imports.check", { ...wrong.mapping, fields: unknown });
  expect(refused.body.error.details.issues).toMatchObject([{ path: "fields.2" }]);
  expect((await after(member, "check", wrong.mapping)).report).toMatchObject({
    errors: [{ line: 2, path: "customFields.region", cell: "West" }],
  });
  const { mapping } = await begin(member, [heading, "First,1.2.2027,South,31.12.2026", "Second,,,"]);
  await after(member, "check", mapping);
  expect(await after(member, "start")).toMatchObject({ state: "DONE" });
  const { data } = (await workspace.api("GET /contracts?sort=title&dir=asc")).body;
  expect(data.map(({ customFields }: { customFields: object }) => customFields)).toEqual([
    { region: "South", handover: "2026-12-31" },
    { region: null, handover: null },
  ]);
});

test("an import cannot mark a contract as approved if an approval rule applies to it", async ({
  workspace,
}) => {
  const member = await signedIn(workspace, "owner");
  const rule = {
    name: "Leases",
    steps: [{ role: "owner" as const }],
    conditions: { types: ["LEASE" as const] },
  };
  expect((await member.call("approvalRules.create", rule)).status).toBe(201);
  const lines = ["Title,Type,Status", "Hall,Lease,Approved", "Hosting,SaaS,Approved", "Yard,Lease,In review"];
  const { mapping } = await begin(member, lines);
  expect((await after(member, "check", mapping)).report).toMatchObject({
    errorCount: 1,
    errors: [{ line: 2, path: "status", message: /the approval that “Leases” asks for/ }],
  });
});

test("invalid or oversized CSV files and incomplete or ambiguous column mappings are refused", async ({
  workspace,
}) => {
  const member = await signedIn(workspace, "member");
  const refused: [Buffer, RegExp][] = [
    [Buffer.from("PK\u0003\u0004\u0000\u0000"), /is not a CSV/],
    [Buffer.from("a".repeat(70_000)), /first line that is too long/],
    [Buffer.from(Array.from({ length: 101 }, (_, n) => `c${n}`).join()), /more than 100 columns/],
    [Buffer.from("title\n\xff\xfe", "latin1"), /is not UTF-8/],
  ];
  for (const [bytes, why] of refused) {
    const reply = await member.call("imports.create", csvOf(bytes));
    expect(code(reply), reply.text).toBe("422 validation_error");
    expect(reply.body.error.details.issues[0].message).toMatch(why);
  }
  const large = await member.call("imports.create", csvOf(Buffer.alloc(10 * 1024 * 1024 + 1, "a\n")));
  expect(code(large)).toBe("413 file_too_large");
  expect(code(await member.call("imports.check", mappingOf(["title"])))).toBe("404 not_found");
  await begin(member, ["a,b", ...Array.from({ length: 20_001 }, () => "x,y")]);
  for (const fields of [[null, null], ["title", "title"], ["title"]] as Mapping["fields"][]) {
    expect(code(await member.call("imports.check", mappingOf(fields)))).toBe("422 validation_error");
  }
  const { report } = await after(member, "check", mappingOf(["title", null]));
  expect(report).toMatchObject({ contracts: 0, errors: [{ line: 1, message: /20,000/ }] });
});

const mappingOf = (fields: Mapping["fields"]): Mapping => ({
  fields,
  ...{ type: "NDA", ourRole: "VENDOR", dateOrder: "YMD" },
});

test("imports are private, run once and one at a time per workspace, and fail if the member became a viewer", async ({
  workspace,
}) => {
  const member = await signedIn(workspace, "member");
  const another = await signedIn(workspace, "admin");
  const { organizationId } = workspace;
  const lines = ["Title", ...Array.from({ length: 1_200 }, (_, n) => `Title ${n}`)];
  const begun = await begin(member, lines);
  expect((await another.call("imports.read")).body.import).toBeNull();
  expect(code(await another.call("imports.start"))).toBe("404 not_found");
  const theirs = await begin(another, lines);
  await after(another, "check", theirs.mapping);
  await after(member, "check", begun.mapping);
  const { contractImport } = database().prisma;
  const set = ({ id }: { id: string }, state: string) =>
    contractImport.updateMany({ where: { id }, data: { state } });
  await set(begun, "IMPORTING");
  for (const reply of [
    await another.call("imports.start"),
    await member.call("imports.start"),
    await member.call("imports.create", csvOf(["Title", "Other"])),
    await member.call("imports.discard"),
  ]) {
    expect(code(reply)).toBe("409 conflict");
  }
  // A worker that was considered dead may still be running.
  const payload = { organizationId, importId: begun.id };
  const attempt = { attempts: 1, max_attempts: 3 };
  const ended = await Promise.allSettled([runImport(payload, attempt), runImport(payload, attempt)]);
  expect(ended.filter(({ status }) => status === "fulfilled").length).toBeGreaterThan(0);
  expect((await row(begun)).state).toBe("DONE");
  expect((await workspace.api("GET /contracts")).body.total).toBe(1_200);
  await runImport(payload, attempt);
  expect((await workspace.api("GET /contracts")).body.total).toBe(1_200);

  await database().prisma.member.updateMany({ where: { userId: another.userId }, data: { role: "viewer" } });
  await set(theirs, "IMPORTING");
  await runImport({ organizationId, importId: theirs.id }, attempt);
  expect((await row(theirs)).state).toBe("FAILED");
  expect((await workspace.api("GET /contracts")).body.total).toBe(1_200);

  // Files of abandoned imports are deleted. Only 80 characters of a heading are kept, which cuts this one's last
  // character in half.
  const left = await begin(member, [`Title,${"x".repeat(79)}😀`, "Left behind,"]);
  const { sha256 } = await row(left);
  const old = new Date(Date.now() - 25 * 60 * 60 * 1000);
  const where = { id: left.id };
  await contractImport.updateMany({ where, data: { createdAt: old, state: "IMPORTING" } });
  await forgetOldImports();
  expect(await keptOf(workspace, sha256)).not.toBeNull();
  await contractImport.updateMany({ where, data: { state: "MAPPING" } });
  await forgetOldImports();
  expect((await member.call("imports.read")).body.import).toBeNull();
  expect(await keptOf(workspace, sha256)).toBeNull();
  const given = await row(await begin(member, ["Title", "Given up"]));
  expect(await keptOf(workspace, given.sha256)).not.toBeNull();
  expect((await member.call("imports.discard")).status).toBe(204);
  expect(await keptOf(workspace, given.sha256)).toBeNull();
});
