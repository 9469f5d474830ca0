/** Sends arbitrary custom fields to every endpoint that has them in its description. */
import fc from "fast-check";
import { createCustomField } from "#lib/custom-fields/custom-fields.ts";
import { CustomFieldsIn } from "#lib/custom-fields/schema.ts";
import { openapi } from "#lib/openapi/document.ts";
import { expect, type Reply, test, type Workspace } from "../fixtures.ts";
import { templateIn } from "../templates.ts";

const runs = 15;

const kinds = [
  { key: "note", type: "text", options: [] },
  { key: "seats", type: "number", options: [] },
  { key: "go-live", type: "date", options: [] },
  { key: "region", type: "choice", options: ["EMEA", "Asia"] },
  { key: "lawyer", type: "member", options: [] },
] as const;
const keys = kinds.map(({ key }) => key);

const define = async ({ ctx }: Workspace) => {
  for (const kind of kinds)
    await createCustomField(ctx, { ...kind, name: kind.key, options: [...kind.options] });
};

/** Returns the endpoints that have custom fields in their request bodies, according to the description. */
function described(): string[] {
  const { paths } = JSON.parse(openapi()) as {
    paths: Record<string, Record<string, { requestBody?: unknown }>>;
  };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { requestBody }]) => JSON.stringify(requestBody ?? null).includes('"customFields"'))
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
}

const key = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...keys) },
  fc.constantFrom("seatsFrom", "go-liveTo", "constructor", "__proto__", "Note", ""),
  fc.string({ unit: "grapheme", maxLength: 50 }),
);

const value = (ownerId: string) =>
  fc.oneof(
    fc.constantFrom("EMEA", "2028-02-29", "-0.50", ownerId, " x ", "", null),
    fc.string({ unit: "grapheme", maxLength: 600 }),
    fc.string({ unit: "binary", maxLength: 20 }),
    fc.date({ noInvalidDate: false }).map((date) => JSON.stringify(date)?.slice(1, 11) ?? "null"),
    fc.double().map(String),
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  );

const pathsOf = ({ body }: Reply): string[] =>
  body.error.details.issues.map(({ path }: { path: string }) => path).sort();

test("any custom field values are stored as sent or rejected by path, alike by all endpoints", async ({
  workspace,
}) => {
  await define(workspace);
  const { api, ownerId, ctx } = workspace;
  const { id } = await workspace.contract();
  const { body } = await api("POST /counterparties", { body: { name: "Northwind" } });
  const drawn = { ownerId, counterpartyId: body.counterparty.id };
  const template = await templateIn(ctx, ["Nothing to fill in."]);
  const whole = { title: "T", type: "NDA", ourRole: "VENDOR", ownerId };
  const endpoints = {
    "POST /contracts": (customFields: unknown) =>
      api("POST /contracts", { body: { ...whole, customFields } }),
    "PATCH /contracts/{id}": (customFields: unknown) =>
      api(`PATCH /contracts/${id}`, { body: { customFields } }),
    "POST /contracts/from-template": (customFields: unknown) =>
      api("POST /contracts/from-template", { body: { templateId: template.id, ...drawn, customFields } }),
  };
  expect(described().sort()).toEqual(Object.keys(endpoints).sort());

  await fc.assert(
    fc.asyncProperty(fc.dictionary(key, value(ownerId), { maxKeys: 6 }), async (given) => {
      const replies: Reply[] = [];
      for (const send of Object.values(endpoints)) replies.push(await send(given));
      const refused = replies.filter(({ status }) => status === 422);
      expect([0, replies.length], replies.map(({ text }) => text).join("\n")).toContain(refused.length);
      if (refused.length > 0) {
        for (const reply of refused) expect(pathsOf(reply)).toEqual(pathsOf(replies[0]!));
        expect(pathsOf(replies[0]!).filter((path) => !path.startsWith("customFields"))).toEqual([]);
        return;
      }
      expect(replies.map(({ status }) => status)).toEqual([201, 200, 201]);
      expect(CustomFieldsIn.safeParse(given).success).toBe(true);
      for (const { body } of replies.slice(0, 2)) {
        const kept = body.contract.customFields;
        expect(Object.keys(kept).sort()).toEqual([...keys].sort());
        for (const [name, text] of Object.entries(given))
          expect(kept[name]).toBe((text as string)?.trim() || null);
      }
    }),
    { numRuns: runs },
  );
});

test("__proto__ is refused as a custom field, body field and filter, even if it is escaped", async ({
  workspace,
}) => {
  await define(workspace);
  const { id } = await workspace.contract();
  for (const written of ["__proto__", "\\u005f_proto__"]) {
    const inFields = await workspace.api(`PATCH /contracts/${id}`, {
      raw: `{"customFields": {"${written}": "0"}}`,
    });
    expect([inFields.status, pathsOf(inFields)]).toEqual([422, ["customFields.__proto__"]]);
    const outside = await workspace.api(`PATCH /contracts/${id}`, { raw: `{"${written}": {"title": "X"}}` });
    expect([outside.status, pathsOf(outside)]).toEqual([422, ["__proto__"]]);
  }
  for (const name of ["customFields.__proto__", "customFields.__proto__[]", "customFields.%5f_proto__"]) {
    const asked = await workspace.api(`GET /contracts?${name}=0`);
    expect([asked.status, pathsOf(asked)], name).toEqual([422, ["customFields.__proto__"]]);
    const both = await workspace.api(`GET /contracts?${name}=0&page=0`);
    expect([both.status, pathsOf(both)], name).toEqual([422, ["customFields.__proto__", "page"]]);
  }
});

test("any custom field filter returns a list or a 422 that names the parameter", async ({ workspace }) => {
  await define(workspace);
  const name = fc.tuple(key, fc.constantFrom("", "From", "To")).map(([text, bound]) => text + bound);
  const asked = fc.array(fc.tuple(name, fc.oneof(fc.string({ unit: "grapheme" }), fc.double().map(String))), {
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(asked, async (pairs) => {
      const query = new URLSearchParams(pairs.map(([field, text]) => [`customFields.${field}`, text]));
      const reply = await workspace.api(`GET /contracts?${query}`);
      expect([200, 422], reply.text).toContain(reply.status);
      if (reply.status === 422) {
        expect(pathsOf(reply).filter((path) => !path.startsWith("customFields"))).toEqual([]);
      }
    }),
    { numRuns: 2 * runs },
  );
});
