/** Every column of a contract, written and read: what one interface accepts, all others show. */
import { parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";
import {
  type ColumnName,
  type ColumnsSetBy,
  columnNames,
  columns,
  columnsSetBy,
} from "#lib/contracts/columns.ts";
import { importContracts } from "#lib/contracts/import/import.ts";
import { ContractQuery } from "#lib/contracts/schema.ts";
import { cellOfTags } from "#lib/contracts/tags/cells.ts";
import { database } from "#lib/core/db.ts";
import { createCustomField } from "#lib/custom-fields/custom-fields.ts";
import { exportCsv } from "#lib/overview/exports/csv.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { newMember } from "../members.ts";

// biome-ignore lint/suspicious/noExplicitAny: contracts come as JSON.
type Json = any;

type Requested = Exclude<ColumnsSetBy<"request">, "fieldValues"> | "customFields";

const requested = columnsSetBy("request").map((name) => (name === "fieldValues" ? "customFields" : name));

/** Returns two values, as in responses, for each field that a request may set; none of them is the default. */
async function distinctive(workspace: Workspace) {
  const party = async (name: string): Promise<string> =>
    (await workspace.api("POST /counterparties", { body: { name } })).body.counterparty.id;
  const { userId } = await newMember(workspace, "admin", "Ada Admin");
  for (const type of ["text", "number", "member"] as const) {
    await createCustomField(workspace.ctx, { key: `a-${type}`, name: type, type, options: [] });
  }
  return {
    title: ["As created", "As changed"],
    type: ["SAAS", "LEASE"],
    ourRole: ["LANDLORD", "INVESTOR"],
    counterpartyId: [await party("First party"), await party("Second party")],
    ownerId: [userId, workspace.ownerId],
    effectiveDate: ["2031-02-03T04:05:06.007Z", "0001-02-03T00:00:00.500Z"],
    executedAt: ["2030-01-02T03:04:05.600Z", "2029-12-31T23:59:59.999Z"],
    termMonths: [7, 1200],
    autoRenews: [true, false],
    renewalMonths: [5, 11],
    valueCents: ["9223372036854775807", "0"],
    valueCurrency: ["JPY", "CHF"],
    customFields: [
      { "a-text": "As created", "a-number": "12345678901234567890.10", "a-member": userId },
      { "a-text": "As changed", "a-number": null, "a-member": workspace.ownerId },
    ],
    tags: [
      ['Q3; "late"', "{ÅR},\\NULL"],
      ["null", "Ελλάδα"],
    ],
  } satisfies Record<Requested, [unknown, unknown]>;
}

/** Reads the contract through every interface that shows it. */
async function everywhere({ api, ctx }: Workspace, id: string) {
  const { contract } = (await api(`GET /contracts/${id}`)).body;
  const row = (await api("GET /contracts")).body.data.find((one: Json) => one.id === id);
  const { text } = await exportCsv(ctx, "contracts.csv", ContractQuery.parse({}));
  let csv = "";
  for await (const part of text) csv += part;
  const records = parse(csv, { columns: true, bom: true }) as Record<string, string>[];
  return { contract, row, cells: records.find((one) => one.id === id)! };
}

/** Returns a contract's cells in an export, derived from the table of columns. */
function cellsOf(contract: Json, emails: Map<string, string>): Record<string, string> {
  const { counterparty, owner } = contract;
  const named: Partial<Record<ColumnName, object>> = {
    counterpartyId: { counterparty: counterparty?.name ?? "" },
    ownerId: { owner: owner.name, ownerEmail: owner.email },
  };
  const cell = (name: ColumnName) => {
    const value = contract[name] ?? "";
    if (columns[name].exported === "day") return value.slice(0, 10);
    if (Array.isArray(value)) return cellOfTags(value);
    return typeof value === "boolean" ? (value ? "yes" : "no") : String(value);
  };
  const exported = columnNames.filter((name) => columns[name].exported);
  const ofFields = (Object.entries(contract.customFields) as [string, string | null][]).map(
    ([key, value]) => ({
      [`customFields.${key}`]: emails.get(value ?? "") ?? value ?? "",
    }),
  );
  return Object.assign({}, ...exported.map((name) => named[name] ?? { [name]: cell(name) }), ...ofFields);
}

async function emailsIn({ api }: Workspace): Promise<Map<string, string>> {
  const { data } = (await api("GET /members")).body;
  return new Map(data.map(({ userId, email }: Json) => [userId, email]));
}

async function expectEverywhere(workspace: Workspace, answer: Json, fields: Json) {
  expect(answer).toMatchObject(fields);
  const { contract, row, cells } = await everywhere(workspace, answer.id);
  expect(contract, "what GET answers").toEqual(answer);
  expect(row, "what a list shows").toEqual(answer);
  expect(cells, "what an export has").toEqual(cellsOf(answer, await emailsIn(workspace)));
}

async function lastTold({ organizationId }: Workspace): Promise<Json> {
  const last = await database().prisma.event.findFirst({
    where: { organizationId },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });
  return last && JSON.parse(last.payload);
}

for (const [whose, isTold] of [
  ["without webhooks", false],
  ["and webhooks send it", true],
] as const) {
  test(`writes return the same contract as reads and exports, for every field, ${whose}`, async ({
    workspace,
  }) => {
    const { api } = workspace;
    // No one listens at this address, but events are written all the same.
    const body = { url: "http://127.0.0.1:9/", events: ["contract.created", "contract.updated"] };
    if (isTold) expect((await api("POST /webhook-endpoints", { body })).status).toBe(201);
    const expectAlike = async (answer: Json, fields: Json) => {
      await expectEverywhere(workspace, answer, fields);
      expect((await lastTold(workspace))?.data.contract, "what webhooks tell").toEqual(
        isTold ? answer : undefined,
      );
    };
    const values = await distinctive(workspace);
    const side = (at: 0 | 1) => Object.fromEntries(requested.map((name) => [name, values[name][at]]));
    const made = await api("POST /contracts", { body: side(0) });
    expect(made.status, made.text).toBe(201);
    await expectAlike(made.body.contract, side(0));

    let before = made.body.contract;
    for (const name of requested) {
      const field = { [name]: values[name][1] };
      const patched = await api(`PATCH /contracts/${before.id}`, { body: field });
      expect(patched.status, patched.text).toBe(200);
      const after = patched.body.contract;
      const others = requested.filter((other) => other !== name).map((other) => [other, before[other]]);
      await expectAlike(after, { ...field, ...Object.fromEntries(others) });
      before = after;
    }
    expect(before).toMatchObject(side(1));

    const back = await api(`PATCH /contracts/${before.id}`, { body: side(0) });
    await expectAlike(back.body.contract, side(0));
  });
}

test("creating a contract with only the required fields returns the same as reads and exports", async ({
  workspace,
}) => {
  const made = await workspace.contract();
  await expectEverywhere(workspace, made, { counterpartyId: null, autoRenews: false, valueCurrency: null });
});

test("an operator's CSV import sets every importable column", async ({ workspace }) => {
  const values = await distinctive(workspace);
  const fields = Object.fromEntries(requested.map((name) => [name, values[name][0]]));
  const emails = await emailsIn(workspace);
  const ofFields = Object.entries(fields.customFields as Json).map(([key, value]) => [
    `customFields.${key}`,
    emails.get(value as string) ?? value,
  ]);
  const cells: Json = { ...fields, status: "NEGOTIATING", ...Object.fromEntries(ofFields) };
  const written: string[] = columnNames.filter((name) => columns[name].imported);
  const imported = [...written, ...ofFields.map(([column]) => column as string)];
  cells.tags = cellOfTags(cells.tags);
  const csv = Buffer.from(stringify([imported, imported.map((name) => cells[name])]));
  const report = await importContracts(workspace.ctx, { csv, folder: null, dryRun: false });
  expect(report).toMatchObject({ contracts: 1, errors: [] });
  const [contract] = (await workspace.api("GET /contracts")).body.data;
  expect(contract).toMatchObject({ ...fields, status: "NEGOTIATING" });
});

/** Columns of the table that are never returned with a contract. */
const apart = ["organization_id", "expiring_told_for", "archived"];

test("the database has exactly the declared contract columns, with the declared types", async () => {
  const found = await database().prisma.$queryRaw<{ name: string; type: string; isGenerated: boolean }[]>`
    SELECT column_name AS name, udt_name AS type, is_generated = 'ALWAYS' AS "isGenerated"
    FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = 'contracts'`;
  const types: Record<string, string> = { int4: "int", int8: "bigint", bool: "boolean", _text: "text[]" };
  const actual = found
    .map(({ name, type }) => [name, types[type] ?? type])
    .filter(([name]) => !apart.includes(name!));
  const said = columnNames.map((name) => [columns[name].sql, columns[name].cast as string]);
  expect(Object.fromEntries(actual)).toEqual(Object.fromEntries(said));
  for (const { name } of found.filter(({ name, isGenerated }) => isGenerated && !apart.includes(name))) {
    const column = columnNames.find((one) => columns[one].sql === name)!;
    expect(columns[column].setBy, name).toBe("database");
  }
});
