/** Sends arbitrary values for newer fields of the API to every endpoint that has them in its description. */
import fc from "fast-check";
import { openapi } from "#lib/openapi/document.ts";
import { expect, type Reply, test } from "../fixtures.ts";
import { templateIn } from "../templates.ts";

const runs = 8;

const fields = ["tags", "archived", "assigneeId", "sourceText"] as const;
type Field = (typeof fields)[number];

/** Returns the endpoints that have the field in their request bodies, according to the description. */
function described(field: Field): string[] {
  const { paths } = JSON.parse(openapi()) as {
    paths: Record<string, Record<string, { requestBody?: unknown }>>;
  };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { requestBody }]) => JSON.stringify(requestBody ?? null).includes(`"${field}"`))
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
}

const text = fc.oneof(
  fc.constantFrom("Renewal 2027", "renewal 2027", " Ünïcode ", "", "\u0000", "\ud800", "x".repeat(41)),
  fc.string({ unit: "grapheme", maxLength: 45 }),
);
const anything = fc.oneof(text, fc.jsonValue({ maxDepth: 2 }));
const pathsOf = ({ body }: Reply): string[] =>
  body.error.details.issues.map(({ path }: { path: string }) => path);

test("any value of tags, archived, assigneeId or sourceText is stored or rejected alike by all endpoints", async ({
  workspace,
}) => {
  const { api, ownerId, ctx } = workspace;
  const { id } = await workspace.contract();
  const party = await api("POST /counterparties", { body: { name: "Northwind" } });
  const template = await templateIn(ctx, ["Nothing to fill in."]);
  const whole = { title: "T", type: "NDA", ourRole: "VENDOR", ownerId };
  const drawn = { templateId: template.id, ownerId, counterpartyId: party.body.counterparty.id };
  const duty = { contractId: id, kind: "OTHER", title: "T", anchorType: "EVENT" };
  /** Returns what was created or changed: from the response, or from the address that it gives. */
  const madeOf = async ({ body, headers }: Reply) => {
    const path = headers.get("location")?.replace("/api/v1", "") ?? `/contracts/${body.contractId}`;
    return body?.contract || body?.obligation ? body : (await api(`GET ${path}` as `GET /${string}`)).body;
  };
  const own = (await madeOf(await api("POST /obligations", { body: duty }))).obligation.id;
  const endpoints: Record<string, (more: object) => Promise<Reply>> = {
    "POST /contracts": (more) => api("POST /contracts", { body: { ...whole, ...more } }),
    "PATCH /contracts/{id}": (more) => api(`PATCH /contracts/${id}`, { body: more }),
    "POST /contracts/from-template": (more) =>
      api("POST /contracts/from-template", { body: { ...drawn, ...more } }),
    "POST /obligations": (more) => api("POST /obligations", { body: { ...duty, ...more } }),
    "PATCH /obligations/{id}": (more) => api(`PATCH /obligations/${own}`, { body: more }),
  };
  const sent: Record<Field, fc.Arbitrary<unknown>> = {
    tags: fc.oneof(fc.array(text, { maxLength: 22 }), anything),
    archived: fc.oneof(fc.boolean(), anything),
    assigneeId: fc.oneof(fc.constantFrom(ownerId, null, "usr_00000000000000000000000000"), anything),
    sourceText: fc.oneof(fc.constantFrom(null, "x".repeat(20_001)), anything),
  };
  /** Some valid values, whatever else is generated. */
  const right: Record<Field, unknown[]> = {
    tags: [[], ["Renewal 2027", " Ünïcode "]],
    archived: [true, false],
    assigneeId: [ownerId, null],
    sourceText: [" Clause 4 ", null],
  };
  for (const field of fields) {
    const names = described(field);
    expect(names.filter((name) => !(name in endpoints))).toEqual([]);
    expect(names.length, field).toBeGreaterThan(0);
    await fc.assert(
      fc.asyncProperty(sent[field], async (value) => {
        const replies: Reply[] = [];
        for (const name of names) replies.push(await endpoints[name]!({ [field]: value }));
        const refused = replies.filter(({ status }) => status === 422);
        expect([0, replies.length], replies.map((reply) => reply.text).join("\n")).toContain(refused.length);
        for (const reply of refused) {
          expect(pathsOf(reply)).toEqual(pathsOf(refused[0]!));
          expect(pathsOf(reply).filter((path) => path.split(".")[0] !== field)).toEqual([]);
        }
        for (const reply of replies.filter((each) => !refused.includes(each))) {
          expect([200, 201], reply.text).toContain(reply.status);
          const { contract, obligation } = await madeOf(reply);
          if (field === "archived") expect(contract.archivedAt !== null).toBe(value);
          else if (field === "tags")
            expect(contract.tags).toEqual((value as string[]).map((tag) => tag.trim()));
          else expect(obligation[field]).toBe((value as string | null)?.trim() || null);
        }
      }),
      { numRuns: runs, examples: right[field].map((value): [unknown] => [value]) },
    );
  }
});

test("any tag, archived or assigneeId filter returns a list or a 422 that names the parameter", async ({
  workspace,
}) => {
  const lists: [string, string][] = [
    ["/contracts", "tag"],
    ["/contracts", "archived"],
    ["/obligations", "archived"],
    ["/obligations", "assigneeId"],
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...lists),
      fc.array(text, { maxLength: 22 }),
      async ([path, name], asked) => {
        const query = new URLSearchParams(asked.map((value) => [name, value.toWellFormed()]));
        const reply = await workspace.api(`GET ${path}?${query}` as `GET /${string}`);
        expect([200, 422], reply.text).toContain(reply.status);
        if (reply.status === 422) {
          expect(pathsOf(reply).filter((refused) => refused.split(".")[0] !== name)).toEqual([]);
        }
      },
    ),
    { numRuns: 2 * runs },
  );
});

test("the OpenAPI document has the newer fields, parameters and events, and no comment or approval paths", () => {
  const { paths, components } = JSON.parse(openapi());
  const { Contract, Obligation, AuditEvent } = components.schemas;
  for (const field of ["tags", "archivedAt", "customFields"]) expect(Contract.required).toContain(field);
  for (const field of ["assigneeId", "assignee", "sourceText", "sourcePage"])
    expect(Obligation.required).toContain(field);
  expect(AuditEvent.required).toContain("assistant");
  const parametersOf = (path: string) =>
    paths[path].get.parameters.map(({ name }: { name?: string }) => name);
  expect(parametersOf("/contracts")).toEqual(expect.arrayContaining(["tag", "archived", "customFields"]));
  expect(parametersOf("/obligations")).toContain("assigneeId");
  expect(parametersOf("/contracts/{id}/obligations")).toContain("status");
  for (const event of ["ContractArchivedEvent", "ContractUnarchivedEvent", "ContractDeletedEvent"])
    expect(components.schemas).toHaveProperty(event);
  // Only members can comment and approve.
  expect(Object.keys(paths).filter((path) => /comments|approvals/.test(path))).toEqual([]);
});
