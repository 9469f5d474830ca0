/** What is made from uploaded documents: their PDFs, their text, their comparison. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { versions } from "#lib/contracts/operations.ts";
import { prepareVersion } from "#lib/contracts/prepare.ts";
import { viewVersion } from "#lib/contracts/renditions.ts";
import { addVersion } from "#lib/contracts/versions.ts";
import { changeUnaudited } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { execute } from "#lib/core/execute.ts";
import { presets } from "#lib/core/scopes.ts";
import { store } from "#lib/storage/store.ts";
import { docx, docxType, paragraph } from "../docx.ts";
import { expect, test, type Workspace } from "../fixtures.ts";

/** The first document that a server renders waits until LibreOffice has started. */
test.describe.configure({ timeout: 150_000 });

const member = ({ ctx }: Workspace): Context => ({ ...ctx, scopes: presets.full_access });

async function upload({ api }: Workspace, contractId: string, bytes: Buffer, fileName = "agreement.docx") {
  const document = { fileName, contentType: docxType, contentBase64: bytes.toString("base64") };
  const made = await api(`POST /contracts/${contractId}/versions`, { body: { document } });
  expect(made.status, made.text).toBe(201);
  return made.body.version.id as string;
}

/** Waits until a version is fully processed; returns its progress. */
async function prepared(workspace: Workspace, contractId: string, versionId: string) {
  const find = async () => {
    const { data } = await execute(versions.progress, member(workspace), { contractId });
    return data.find(({ id }: { id: string }) => id === versionId)!;
  };
  await expect.poll(async () => (await find()).textState, { timeout: 140_000 }).not.toBe("PENDING");
  return find();
}

async function pdftotext(pdf: Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "countersign-rendering-"));
  try {
    await writeFile(join(folder, "a.pdf"), pdf);
    return (await promisify(execFile)("pdftotext", [join(folder, "a.pdf"), "-"])).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

const clauses = [
  "1. Services. The Supplier shall perform the Services with reasonable skill and care.",
  "2. Fees. The Customer shall pay each invoice within thirty days of receipt.",
  "3. Signed by Ελένη Παπαδοπούλου, 김민준, Łukasz, 王小明 and Дмитрий.",
];

test("an uploaded DOCX gets a PDF with the same words, is kept as it was, and can be compared with the next", async ({
  workspace,
}) => {
  const { id: contractId } = await workspace.contract();
  const ctx = member(workspace);
  const bytes = docx(clauses);
  const versionId = await upload(workspace, contractId, bytes);
  const progress = await prepared(workspace, contractId, versionId);
  expect(progress).toMatchObject({ pdfState: "READY", pdfError: null, pageCount: 1, textState: "READY" });

  const pdf = await execute(versions.viewUrl, ctx, { contractId, versionId, as: "pdf" });
  const shown = await fetch(pdf.url);
  expect(shown.headers.get("content-type")).toBe("application/pdf");
  expect(shown.headers.get("content-disposition")).toMatch(/^inline; filename="?agreement\.pdf/);
  const words = (await pdftotext(new Uint8Array(await shown.arrayBuffer()))).split(/\s+/).filter(Boolean);
  expect(words.join(" ")).toBe(clauses.join(" "));

  const original = await execute(versions.viewUrl, ctx, { contractId, versionId, as: "original" });
  expect(Buffer.from(await (await fetch(original.url)).arrayBuffer()).equals(bytes)).toBe(true);

  const later = await upload(
    workspace,
    contractId,
    docx([...clauses, "4. Term. One year."].map(thirtyToSixty)),
  );
  await prepared(workspace, contractId, later);
  const { clauses: compared, summary } = await execute(versions.compare, ctx, {
    contractId,
    from: versionId,
    to: later,
  });
  expect(summary).toMatchObject({ same: 2, changed: 1, added: 1, removed: 0, moved: 0 });
  expect(compared[1]!.words.slice(1, 3)).toEqual([
    { kind: "removed", text: "thirty" },
    { kind: "added", text: "sixty" },
  ]);
});

const thirtyToSixty = (text: string) => text.replace("thirty", "sixty");

test("a DOCX whose PDF lacks words fails with the reason, and can be retried", async ({ workspace }) => {
  const { id: contractId } = await workspace.contract();
  const ctx = member(workspace);
  const body = `${paragraph("1. Fees. Shown.")}<w:tbl><w:tr>${paragraph("A row that has no cell, and is lost.")}</w:tr></w:tbl>`;
  const broken = docx({ body });
  const versionId = await upload(workspace, contractId, broken);
  const progress = await prepared(workspace, contractId, versionId);
  expect(progress).toMatchObject({
    pdfState: "FAILED",
    pdfError: expect.stringMatching(/^The PDF lacks [67]\d percent of the document's letters: .*damaged/),
    textState: "FAILED",
  });
  const asked = { contractId, versionId };
  await expect(execute(versions.viewUrl, ctx, { ...asked, as: "pdf" })).rejects.toMatchObject({
    code: "unsigned_pdf_not_ready",
    message: expect.stringContaining("lacks"),
  });
  const compare = execute(versions.compare, ctx, { contractId, from: versionId, to: versionId });
  await expect(compare).rejects.toMatchObject({ code: "conflict" });
  const { version } = await execute(versions.retry, ctx, asked);
  expect(version).toMatchObject({ pdfState: "PENDING", pdfError: null, textState: "PENDING" });
  await expect(execute(versions.retry, ctx, asked)).rejects.toMatchObject({ code: "conflict" });
});

test("a version waiting for its PDF, and the refusal of its link, state how many documents are ahead", async ({
  workspace,
}) => {
  const { id: contractId } = await workspace.contract();
  const { ctx, organizationId } = workspace;
  const asked = { ...ctx, scopes: presets.full_access };
  const rollBack = new Error("nothing of this is kept");
  // Workers do not see what is not committed.
  const looking = changeUnaudited(ctx, async () => {
    const ids: string[] = [];
    for (const text of ["One", "Two", "Three"]) {
      const stored = await store(organizationId, docx([text]));
      const file = { source: "UPLOADED" as const, fileName: `${text}.docx`, contentType: docxType };
      ids.push((await addVersion(ctx, { contractId, ...file, ...stored })).id);
    }
    const { data } = await execute(versions.progress, asked, { contractId });
    const [first = -1, second, third = -1] = ids.map(
      (id) => data.find((one: { id: string }) => one.id === id)?.documentsAhead ?? -1,
    );
    expect(first).toBeGreaterThanOrEqual(0);
    // Other tests' documents may be between them, and may be finished a moment later.
    expect(second).toBeGreaterThan(first);
    expect(third).toBeGreaterThan(second!);
    await expect(viewVersion(asked, { contractId, versionId: ids[2]!, as: "pdf" })).rejects.toMatchObject({
      code: "unsigned_pdf_not_ready",
      message: expect.stringMatching(
        /^The PDF is still being created: \d+ documents are ahead of it\. Try again later\.$/,
      ),
    });
    throw rollBack;
  });
  await expect(looking).rejects.toBe(rollBack);
});

test("preparing a version that is already prepared or does not exist changes nothing", async ({
  workspace,
}) => {
  const { id: contractId } = await workspace.contract();
  const versionId = await upload(workspace, contractId, docx(["1. Only. One clause."]));
  const before = await prepared(workspace, contractId, versionId);
  const { organizationId } = workspace;
  const attempt = { attempts: 1, max_attempts: 25 };
  await prepareVersion({ organizationId, versionId }, attempt);
  await prepareVersion({ organizationId, versionId: "ver_00000000000000000000000000" }, attempt);
  expect(await prepared(workspace, contractId, versionId)).toEqual(before);
});

test("another workspace's versions cannot be viewed, read, compared or retried", async ({
  workspace,
  other,
}) => {
  const { id: contractId } = await workspace.contract();
  const versionId = await upload(workspace, contractId, docx(["1. Mine. A secret."]));
  const stranger = member(other);
  const asked = { contractId, versionId };
  const looks = [
    () => execute(versions.progress, stranger, { contractId }),
    () => execute(versions.viewUrl, stranger, { ...asked, as: "original" }),
    () => execute(versions.text, stranger, asked),
    () => execute(versions.retry, stranger, asked),
    () => execute(versions.compare, stranger, { contractId, from: versionId, to: versionId }),
  ];
  for (const look of looks) {
    await expect(look()).rejects.toMatchObject({ code: "not_found" });
  }
});
