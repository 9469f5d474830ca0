import { randomUUID } from "node:crypto";
import PizZip from "pizzip";
import { DocumentIn } from "#lib/contracts/schema.ts";
import { db } from "#lib/core/db.ts";
import { readStored, store } from "#lib/storage/store.ts";
import { settingsOf } from "#lib/templates/rows.ts";
import { archiveTemplate, createTemplate, replaceDocument, saveSettings } from "#lib/templates/templates.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { keyWith } from "../keys.ts";
import { docxOf, type SomeSettings, templateIn } from "../templates.ts";

const paragraphs = [
  "Services agreement between {organization.name} and {counterparty_name}",
  "# Fees. The fee is {fee}, from {contract.effectiveDate}.",
  "{#late_payment}",
  "# Late payment. Interest of {rate} is owed.",
  "{/late_payment}",
  "# {#capped}Liability is capped.{/capped}",
  "# {#unlimited}Liability is unlimited.{/unlimited}",
  "{^late_payment}# Nothing is owed for late payment.{/late_payment}",
  "# Law. {law}",
  "{{signature:1}}",
];

const settings = {
  name: "Services agreement",
  contractType: "MSA",
  ourRole: "VENDOR",
  titlePattern: "Services for {counterparty.name}",
  variables: [
    { key: "fee", label: "Fee", type: "currency", required: true, binding: "contract.value" },
    {
      key: "law",
      label: "Governing law",
      type: "select",
      options: ["England", "Ireland"],
      defaultValue: "England",
    },
  ],
  sections: [
    { tag: "capped", label: "Capped", groupId: "liability" },
    { tag: "unlimited", label: "Unlimited", groupId: "liability" },
  ],
  sectionGroups: [{ id: "liability", label: "Liability", required: true, defaultTag: "capped" }],
  obligations: [
    { kind: "PAYMENT", title: "Pay", anchorType: "EFFECTIVE_DATE", offsetValue: 30 },
    { kind: "OTHER", title: "Charge interest", anchorType: "EVENT", section: "late_payment" },
  ],
} satisfies SomeSettings;

async function services({ ctx }: Workspace) {
  return templateIn(ctx, paragraphs, settings);
}

const effective = { effectiveDate: "2026-02-01", valueCents: "4800050", valueCurrency: "EUR" };

/** Returns the words of a contract's first version. */
async function wordsOf({ organizationId }: Workspace, versionId: string): Promise<string[]> {
  const version = await db.documentVersion.findFirstOrThrow({ where: { organizationId, id: versionId } });
  expect(version).toMatchObject({ source: "TEMPLATE", versionNumber: 1, parentVersionId: null });
  const xml = new PizZip(await readStored(organizationId, version.sha256))
    .file("word/document.xml")!
    .asText();
  return [...xml.matchAll(/<w:p[ >].*?<\/w:p>/gs)].map(([one]) => one.replace(/<[^>]+>/g, ""));
}

test("GET /templates/{id} returns exactly the documented fields", async ({ workspace }) => {
  const { id } = await services(workspace);
  const { body } = await workspace.api(`GET /templates/${id}`);
  expect(body.template).toEqual({
    ...{ id, name: "Services agreement", description: null, contractType: "MSA", ourRole: "VENDOR" },
    ...{ titlePattern: "Services for {counterparty.name}", fileName: "services.docx" },
    updatedAt: expect.any(String),
    variables: expect.arrayContaining([
      {
        ...{ key: "rate", label: "Rate", type: "text", required: true, options: [], binding: null },
        ...{ defaultValue: null, helpText: null, requiresInput: true },
        gates: [{ tag: "late_payment", whenOn: true }],
      },
      expect.objectContaining({ key: "fee", binding: "contract.value", requiresInput: false }),
    ]),
    sections: expect.arrayContaining([
      {
        ...{ tag: "late_payment", label: "Late payment", helpText: null, groupId: null, defaultOn: false },
        ...{ control: "rep", repCanOverrideRule: false, gates: [] },
        preview: "Late payment. Interest of {rate} is owed.",
      },
    ]),
    sectionGroups: [{ ...settings.sectionGroups[0], helpText: null }],
  });
  expect((await workspace.api("GET /templates")).body.data).toEqual([body.template]);
});

test("a template with a blank as a tag or with a file name of maximum length is listed", async ({
  workspace,
}) => {
  const { api, ctx } = workspace;
  const blank = await templateIn(ctx, ["Signed in {____}"]);
  const { sha256, sizeBytes } = blank;
  const fileName = `${"n".repeat(199)}\u{20bb7}.docx`;
  await createTemplate(ctx, { file: { sha256, sizeBytes, fileName } });
  const { status, body } = await api("GET /templates");
  expect(status).toBe(200);
  expect(body.data.map(({ name }: { name: string }) => name)).toEqual(["n".repeat(199), "services"]);
  expect(body.data[1].variables).toMatchObject([{ key: "____", label: "____" }]);
});

test("a contract from a template has the chosen clauses, terms and obligations, and an audit event for each", async ({
  workspace,
}) => {
  const { api, ownerId } = workspace;
  const { id: templateId } = await services(workspace);
  const made = await api("POST /contracts/from-template", {
    body: { templateId, ownerId, counterpartyName: "Northwind", ...effective, termMonths: 12 },
  });
  expect(made.status, made.text).toBe(201);
  const { contractId, versionId } = made.body;
  expect(made.headers.get("location")).toBe(`/api/v1/contracts/${contractId}`);
  const { contract } = (await api(`GET /contracts/${contractId}`)).body;
  expect(contract).toMatchObject({
    ...{ title: "Services for Northwind", type: "MSA", ourRole: "VENDOR", status: "DRAFT", templateId },
    ...{ counterparty: { name: "Northwind" }, termMonths: 12, valueCents: "4800050", valueCurrency: "EUR" },
  });
  expect(await wordsOf(workspace, versionId)).toEqual([
    "Services agreement between Test workspace and Northwind",
    "Fees. The fee is EUR 48,000.50, from 1 February 2026.",
    "Liability is capped.",
    "# Nothing is owed for late payment.",
    "Law. England",
    "{{signature:1}}",
  ]);
  const { body } = await api(`GET /contracts/${contractId}/obligations`);
  expect(body.data).toMatchObject([
    { title: "Pay", source: "TEMPLATE", resolvedDate: "2026-03-03T00:00:00.000Z" },
  ]);
  const events = (await api(`GET /audit-events?contractId=${contractId}`)).body.data;
  expect(events.map(({ action }: { action: string }) => action)).toEqual([
    ...["VERSION_GENERATED", "OBLIGATION_CREATED", "CONTRACT_CREATED"],
  ]);
});

test("chosen sections and variables decide the document, and a counterparty's name matches in any case", async ({
  workspace,
}) => {
  const { api, ownerId } = workspace;
  const { id: templateId } = await services(workspace);
  const { body: party } = await api("POST /counterparties", { body: { name: "NORTHWIND Traders" } });
  const made = await api("POST /contracts/from-template", {
    body: {
      ...{ templateId, ownerId, counterpartyName: "northwind traders", title: "Our title", ...effective },
      variables: { fee: "JPY 1000", rate: "8 % & more", law: "Ireland" },
      sections: { late_payment: true, unlimited: true },
    },
  });
  expect(made.status, made.text).toBe(201);
  const { contract } = (await api(`GET /contracts/${made.body.contractId}`)).body;
  expect(contract).toMatchObject({ title: "Our title", counterpartyId: party.counterparty.id });
  expect(await wordsOf(workspace, made.body.versionId)).toEqual([
    "Services agreement between Test workspace and NORTHWIND Traders",
    "Fees. The fee is JPY 1,000, from 1 February 2026.",
    "Late payment. Interest of 8 % &amp; more is owed.",
    "Liability is unlimited.",
    "Law. Ireland",
    "{{signature:1}}",
  ]);
  const { body } = await api(`GET /contracts/${made.body.contractId}/obligations`);
  expect(body.data).toHaveLength(2);
});

test("an invalid request to create from a template reports all its errors at once and creates nothing", async ({
  workspace,
  other,
}) => {
  const { api, ownerId } = workspace;
  const { id: templateId } = await services(workspace);
  const before = await api("GET /audit-events");
  const refused = await api("POST /contracts/from-template", {
    body: {
      ...{ templateId, ownerId: other.ownerId, counterpartyName: "New", variables: { law: "Mars", nope: 1 } },
      sections: { late_payment: true, capped: true, unlimited: true },
    },
  });
  expect(refused.status).toBe(422);
  const paths = refused.body.error.details.issues.map(({ path }: { path: string }) => path);
  expect(paths).toEqual([
    ...["ownerId", "variables.law", "variables.nope", "variables.fee", "variables.contract.effectiveDate"],
    ...["variables.rate", "sections.capped", "sections.unlimited"],
  ]);
  const shape = await api("POST /contracts/from-template", { body: { ownerId, executedAt: "2026-01-01" } });
  expect(shape.body.error.details.issues.map(({ path }: { path: string }) => path).sort()).toEqual([
    ...["counterpartyId", "executedAt", "templateId"],
  ]);
  const foreign = await api("POST /contracts/from-template", {
    body: { templateId: (await services(other)).id, ownerId, counterpartyName: "New" },
  });
  expect(foreign.body.error.details.issues).toEqual([
    { path: "templateId", message: "is not a template of this workspace" },
  ]);
  const unknown = await api("POST /contracts/from-template", {
    body: {
      ...{ templateId: "tpl_none", ownerId: other.ownerId, counterpartyId: "cp_none" },
      customFields: { none: "x" },
    },
  });
  expect(unknown.body.error.details.issues.map(({ path }: { path: string }) => path)).toEqual([
    ...["templateId", "ownerId", "counterpartyId", "customFields.none"],
  ]);
  expect((await api("GET /audit-events")).body.data).toEqual(before.body.data);
  expect((await api("GET /counterparties")).body.data).toEqual([]);
});

test("a generated document's file name can be uploaded again, whatever the contract's title", async ({
  workspace,
}) => {
  const { api, ownerId, ctx } = workspace;
  const { id: templateId } = await templateIn(ctx, ["Words"]);
  const names: Record<string, string> = {
    "Signed \u2705\uFE0F: A/B \u{1f389}": "Signed A B.docx",
    "\u202Exod.exe\u202C": "xod.exe.docx",
    "\u{1f389}": "Contract.docx",
    "הסכם\u200f סודיות": "הסכם סודיות.docx",
  };
  for (const [title, fileName] of Object.entries(names)) {
    const body = { templateId, ownerId, counterpartyName: "Northwind", title };
    const { contractId } = (await api("POST /contracts/from-template", { body })).body;
    const { data } = (await api(`GET /contracts/${contractId}/versions`)).body;
    expect(data).toMatchObject([{ fileName }]);
    expect(DocumentIn.shape.fileName.safeParse(fileName).success, fileName).toBe(true);
  }
});

test("creating a counterparty along with a contract requires its own scope, which the refusal names", async ({
  workspace,
}) => {
  const { api, ownerId } = workspace;
  const { id: templateId } = await services(workspace);
  await api("POST /counterparties", { body: { name: "Known" } });
  const key = await keyWith(workspace, ["contracts:write", "templates:read"]);
  const make = (counterpartyName: string) =>
    api("POST /contracts/from-template", {
      key,
      body: { templateId, ownerId, counterpartyName, ...effective },
    });
  const refused = await make("Unknown");
  expect(refused.status).toBe(403);
  expect(refused.body.error).toMatchObject({
    code: "insufficient_scope",
    message: expect.stringContaining("counterparties:write"),
  });
  expect((await make("known")).status).toBe(201);
});

test("an archived template cannot be used until it is restored", async ({ workspace }) => {
  const { api, ownerId, ctx } = workspace;
  const { id: templateId } = await services(workspace);
  const make = () =>
    api("POST /contracts/from-template", {
      body: { templateId, ownerId, counterpartyName: "N", ...effective },
    });
  await archiveTemplate(ctx, templateId, true);
  expect((await api("GET /templates")).body.data).toEqual([]);
  expect((await api(`GET /templates/${templateId}`)).status).toBe(200);
  expect((await make()).body.error.details.issues).toEqual([
    { path: "templateId", message: expect.stringContaining("is archived") },
  ]);
  await archiveTemplate(ctx, templateId, false);
  expect((await make()).status).toBe(201);
});

test("a repeated request creates nothing twice, and two concurrent ones create one counterparty", async ({
  workspace,
}) => {
  const { api, ownerId } = workspace;
  const { id: templateId } = await services(workspace);
  const body = { templateId, ownerId, counterpartyName: "Twice", ...effective };
  const headers = { "idempotency-key": randomUUID() };
  const first = await api("POST /contracts/from-template", { body, headers });
  const again = await api("POST /contracts/from-template", { body, headers });
  expect(first.status, first.text).toBe(201);
  expect(again.body).toEqual(first.body);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  const fresh = { ...body, counterpartyName: "At once" };
  const both = await Promise.all([1, 2].map(() => api("POST /contracts/from-template", { body: fresh })));
  expect(both.map(({ status }) => status)).toEqual([201, 201]);
  const names = (await api("GET /counterparties")).body.data.map(({ name }: { name: string }) => name);
  expect(names).toEqual(["At once", "Twice"]);
});

test("every save of a template is kept as a revision, and a contract records the one it came from", async ({
  workspace,
}) => {
  const { api, ownerId, ctx, organizationId } = workspace;
  const row = await services(workspace);
  const make = async () => {
    const body = { templateId: row.id, ownerId, counterpartyName: "N", ...effective };
    const { contractId } = (await api("POST /contracts/from-template", { body })).body;
    const where = { organizationId_id: { organizationId, id: contractId } };
    return (await db.contract.findUniqueOrThrow({ where })).templateRevision;
  };
  expect(await make()).toBe(1);
  const saved = { ...settingsOf(row), name: "Services, second" };
  await saveSettings(ctx, { ...saved, id: row.id, revision: 1 });
  expect(await saveSettings(ctx, { ...saved, id: row.id })).toMatchObject({ revision: 2 });
  await expect(saveSettings(ctx, { ...saved, id: row.id, revision: 1 })).rejects.toMatchObject({
    code: "conflict",
  });
  expect(await make()).toBe(2);
  const stored = await store(organizationId, await docxOf(["{law} {new_tag} {fee}"]));
  const replaced = await replaceDocument(ctx, { id: row.id, file: { ...stored, fileName: "shorter.docx" } });
  expect(replaced).toMatchObject({ revision: 3, fileName: "shorter.docx", sectionGroups: [] });
  const where = { organizationId, templateId: row.id };
  const revisions = await db.templateRevision.findMany({ where, orderBy: { number: "asc" } });
  expect(revisions.map(({ number, fileName }) => [number, fileName])).toEqual([
    [1, "services.docx"],
    [2, "services.docx"],
    [3, "shorter.docx"],
  ]);
  expect(revisions[0]!.settings).toMatchObject({
    name: "Services agreement",
    titlePattern: settings.titlePattern,
  });
});
