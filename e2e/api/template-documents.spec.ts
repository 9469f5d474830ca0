import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { docxType } from "#lib/contracts/schema.ts";
import { db } from "#lib/core/db.ts";
import { readStored } from "#lib/storage/store.ts";
import { shipped, shipTemplate } from "#prisma/demo/templates/shipped.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { signedIn } from "../members.ts";
import { docxOf } from "../templates.ts";

async function textOf(pdf: Uint8Array, path: string): Promise<string> {
  await writeFile(path, pdf);
  const { stdout } = await promisify(execFile)("pdftotext", ["-layout", path, "-"]);
  return stdout.replace(/\s+/g, " ");
}

/** Returns the version's PDF, once the background job has created it. */
async function pdfOf({ organizationId }: Workspace, versionId: string): Promise<Uint8Array> {
  const find = () => db.documentVersion.findFirstOrThrow({ where: { organizationId, id: versionId } });
  await expect
    .poll(async () => (await find()).pdfState, { timeout: 110_000, intervals: [250] })
    .toBe("READY");
  return readStored(organizationId, (await find()).pdfSha256!);
}

test("a contract from a template has a PDF with exactly the chosen clauses, numbered without gaps", async ({
  workspace,
}, testInfo) => {
  test.setTimeout(150_000);
  const { row } = await shipTemplate(workspace.ctx, shipped.servicesAgreement);
  const make = async (sections: Record<string, boolean>, variables: Record<string, string> = {}) => {
    const made = await workspace.api("POST /contracts/from-template", {
      body: {
        ...{ templateId: row.id, ownerId: workspace.ownerId, counterpartyName: "Northwind Traders" },
        ...{ effectiveDate: "2026-02-01", sections, variables },
      },
    });
    expect(made.status, made.text).toBe(201);
    return textOf(await pdfOf(workspace, made.body.versionId), testInfo.outputPath("made.pdf"));
  };
  const few = await make({ late_payment: false, escalation: false });
  expect(few).toContain("with effect from 1 February 2026");
  expect(few).toContain("is limited to 100 percent of the Charges paid and payable for that year.");
  for (const absent of [
    "{#",
    "{/",
    "is limited to USD",
    "Insurance",
    "Non-solicitation",
    "Publicity",
    "bears interest",
  ]) {
    expect(few, absent).not.toContain(absent);
  }
  const many = await make(
    { insurance: true, publicity: true, cap_fixed: true, personal_data: true },
    { cap_amount: "EUR 250000" },
  );
  expect(many).toContain("is limited to EUR 250,000.00.");
  expect(many).not.toContain("100 percent of the Charges paid and payable for that year.");
  const headings = (text: string) =>
    [...text.matchAll(/ (\d{1,2})\. ([A-Z][A-Za-z ,-]{3,40}?) \1\.1 /g)].map(([, number, name]) => [
      Number(number),
      name,
    ]);
  for (const [text, count] of [
    [few, 18],
    [many, 22],
  ] as const) {
    expect(headings(text).map(([number]) => number)).toEqual(
      Array.from({ length: count }, (_, index) => index + 1),
    );
  }
  const names = (text: string) => headings(text).map(([, name]) => name);
  expect(names(many).filter((name) => !names(few).includes(name))).toEqual([
    ...["Personal data", "Insurance", "Publicity", "Talking first"],
  ]);
  for (const place of ["{{signature:1}}", "{{name:2}}", "{{date:2}}"]) expect(few).toContain(place);
});

const fileOf = async (paragraphs: string[], fileName = "consulting.docx") => ({
  ...{ fileName, contentType: docxType },
  contentBase64: (await docxOf(paragraphs)).toString("base64"),
});

test("an admin can upload, configure, preview and archive a template, and members and viewers can only read it", async ({
  workspace,
}, testInfo) => {
  test.setTimeout(150_000);
  const admin = await signedIn(workspace, "admin");
  const file = await fileOf([
    "Advice for {counterparty.name}",
    "{#rush}In a hurry, by {due_date}.{/rush}",
    "{scope}",
  ]);
  const made = await admin.call("templates.upload", { file, name: "Advice", contractType: "PSA" });
  expect(made.status, made.text).toBe(201);
  const { template } = made.body;
  expect(template).toMatchObject({ revision: 1, fileName: "consulting.docx", archivedAt: null });
  const { id: templateId } = template;
  const filling = {
    templateId,
    counterpartyName: "Northwind",
    sections: { rush: true },
    variables: { scope: "All of it" },
  };
  const checked = (await admin.call("templates.check", filling)).body;
  expect(checked.issues).toEqual([{ path: "variables.due_date", message: "is required: Due date" }]);
  expect(checked.variables).toContainEqual({
    ...{ key: "counterparty.name", asked: true, value: "Northwind", from: "binding" },
  });
  const preview = await admin.call("templates.preview", filling);
  expect(preview.status, preview.text).toBe(200);
  const shown = await fetch(preview.body.url);
  expect(shown.headers.get("content-type")).toBe("application/pdf");
  const text = await textOf(new Uint8Array(await shown.arrayBuffer()), testInfo.outputPath("preview.pdf"));
  expect(text).toContain("Advice for Northwind In a hurry, by [Due date]. All of it");

  const { name, description, contractType, ourRole, titlePattern, sectionGroups, obligations } = template;
  const variables = template.variables.map(
    ({ requiresInput: _, ...rest }: object & { requiresInput: boolean }) => rest,
  );
  const sections = template.sections.map(({ preview: _, ...rest }: object & { preview: string }) => rest);
  const settings = { name, description, contractType, ourRole, titlePattern, sectionGroups, obligations };
  const saved = await admin.call("templates.saveSettings", {
    ...settings,
    ...{ id: templateId, revision: 1, variables, sections: [{ ...sections[0], defaultOn: true }] },
  });
  expect(saved.status, saved.text).toBe(200);
  for (const value of ["\u0000", "\ud800"]) {
    const rule = { variable: "scope", op: "equals", value };
    const group = { id: value, label: "G" };
    for (const wrong of [
      { sections: [{ ...sections[0], control: "rule", rule }] },
      { sections, sectionGroups: [group] },
    ]) {
      const refused = await admin.call("templates.saveSettings", {
        ...settings,
        ...{ id: templateId, revision: 2, variables, ...wrong },
      });
      expect([refused.status, refused.body.error.code]).toEqual([422, "validation_error"]);
    }
  }
  const replaced = await admin.call("templates.replaceDocument", {
    id: templateId,
    file: await fileOf(["{scope}"]),
  });
  expect(replaced.body.template).toMatchObject({ revision: 3, sections: [] });
  const history = (await admin.call("templates.history", { id: templateId })).body.data;
  expect(history.map(({ number }: { number: number }) => number)).toEqual([3, 2, 1]);
  const broken = await admin.call("templates.upload", { file: await fileOf(["{#never}"]) });
  expect(broken.body.error.details.issues).toEqual([
    { path: "file", message: expect.stringContaining("{#never}") },
  ]);
  expect((await admin.call("templates.archive", { id: templateId })).status).toBe(200);
  const actions = (await workspace.api("GET /audit-events?action=TEMPLATE_UPDATED&action=TEMPLATE_ARCHIVED"))
    .body.data;
  expect(actions.map(({ action }: { action: string }) => action)).toEqual([
    ...["TEMPLATE_ARCHIVED", "TEMPLATE_UPDATED", "TEMPLATE_UPDATED"],
  ]);
  for (const role of ["member", "viewer"] as const) {
    const reader = await signedIn(workspace, role);
    const newFile = await fileOf(["{scope}"]);
    const changes = [
      await reader.call("templates.upload", { file: newFile, name: "Theirs" }),
      await reader.call("templates.replaceDocument", { id: templateId, file: newFile }),
      await reader.call("templates.saveSettings", {
        ...{ ...settings, id: templateId, revision: 3, variables, sections: [] },
      }),
      await reader.call("templates.archive", { id: templateId }),
      await reader.call("templates.restore", { id: templateId }),
    ];
    expect(
      changes.map(({ status }) => status),
      role,
    ).toEqual([403, 403, 403, 403, 403]);
    expect((await reader.call("templates.readSettings", { id: templateId })).status).toBe(200);
  }
  const listed = (await admin.call("templates.listAll")).body.data;
  expect(listed).toMatchObject([{ id: templateId, revision: 3, archivedAt: expect.any(String) }]);
});
