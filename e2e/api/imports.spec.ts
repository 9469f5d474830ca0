/** Contracts that an operator imports from a long table: all of them, or none. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { importContracts } from "#lib/contracts/import/import.ts";
import { docxOf } from "../corpus/zip.ts";
import { expect, test } from "../fixtures.ts";

const rows = 500;

test("an import of 500 rows creates all of them, or none if the last one is refused", async ({
  workspace,
}, testInfo) => {
  test.setTimeout(300_000);
  const { api, ctx } = workspace;
  const folder = testInfo.outputPath("documents");
  await mkdir(folder, { recursive: true });
  for (const name of ["first.docx", "last.docx"]) await writeFile(join(folder, name), docxOf(name));
  const owner = (await api("GET /members")).body.data[0].email;
  const line = (n: number) => {
    const fileName = n === 0 ? "first.docx" : n === rows - 1 ? "last.docx" : "";
    return `Contract ${n},NDA,VENDOR,${owner},Party ${n % 40},${n % 10 === 0 ? "ACTIVE" : ""},${fileName}`;
  };
  const table = (lines: string[]) =>
    Buffer.from(["title,type,ourRole,ownerEmail,counterpartyName,status,fileName", ...lines].join("\n"));
  const lines = Array.from({ length: rows }, (_, n) => line(n));
  const steps: string[] = [];
  const bring = (csv: Uint8Array, dryRun = false) =>
    importContracts(ctx, {
      ...{ csv, folder, dryRun },
      onProgress: (what, done, of) => {
        if (done === of) steps.push(`${what} ${of}`);
      },
    });
  // Another contract has the last row's document, which is only discovered when that row is created.
  const before = { title: "Before", type: "NDA", ourRole: "VENDOR", ownerId: workspace.ownerId };
  const document = {
    fileName: "last.docx",
    contentType: "application/octet-stream",
    contentBase64: docxOf("last.docx").toString("base64"),
  };
  const { id } = (await api("POST /contracts", { body: { ...before, document } })).body.contract;
  const refused = await bring(table(lines));
  expect(refused).toMatchObject({ rows, contracts: 0, counterparties: 0, documents: 0 });
  expect(refused.errors).toMatchObject([{ line: rows + 1, path: "fileName" }]);
  expect((await api("GET /contracts")).body.total).toBe(1);
  expect((await api("GET /counterparties")).body.data).toEqual([]);

  await api(`POST /contracts/${id}/status`, { body: { next: "CANCELLED" } });
  steps.length = 0;
  const made = await bring(table(lines));
  expect(made).toMatchObject({ rows, contracts: rows, counterparties: 40, documents: 2, errors: [] });
  expect(steps).toEqual([`checked ${rows}`, `made ${rows}`]);
  expect((await api("GET /contracts")).body.total).toBe(rows + 1);
  expect((await api("GET /contracts?status=ACTIVE")).body.total).toBe(rows / 10);
});

test("a dry run reports the same duplicate documents, in the folder or the workspace, as the import", async ({
  workspace,
}, testInfo) => {
  const { api, ctx, ownerId } = workspace;
  const folder = testInfo.outputPath("documents");
  await mkdir(folder, { recursive: true });
  const names = ["one.docx", "copy of one.docx", "known.docx"];
  for (const name of names) await writeFile(join(folder, name), docxOf(name.replace("copy of ", "")));
  const document = {
    fileName: "known.docx",
    contentType: "application/octet-stream",
    contentBase64: docxOf("known.docx").toString("base64"),
  };
  const before = { title: "Before", type: "NDA", ourRole: "VENDOR", ownerId };
  expect((await api("POST /contracts", { body: { ...before, document } })).status).toBe(201);
  const bring = (rows: string[], dryRun: boolean) => {
    const lines = rows.map((name) => `T,NDA,VENDOR,${ownerId},${name}`);
    const csv = Buffer.from(["title,type,ourRole,ownerId,fileName", ...lines].join("\n"));
    return importContracts(ctx, { csv, folder, dryRun });
  };
  for (const rows of [
    ["one.docx", "copy of one.docx"],
    ["one.docx", "known.docx"],
  ]) {
    const found = await bring(rows, true);
    expect(found, rows.join()).toMatchObject({ contracts: 0, errors: [{ line: 3, path: "fileName" }] });
    expect((await bring(rows, false)).errors, "as the import itself says").toEqual(found.errors);
  }
  expect((await api("GET /contracts")).body.total).toBe(1);
});

test("a --files path that is missing or not a folder is refused, and named", async ({
  workspace,
}, testInfo) => {
  const csv = Buffer.from(`title,type,ourRole,ownerId\nT,NDA,VENDOR,${workspace.ownerId}`);
  const none = testInfo.outputPath("none");
  const bring = (folder: string) => importContracts(workspace.ctx, { csv, folder, dryRun: false });
  await expect(bring(none)).rejects.toMatchObject({
    issues: [{ path: "--files", message: `${none}: there is no such folder` }],
  });
  await expect(bring("/dev/null")).rejects.toMatchObject({
    issues: [{ path: "--files", message: "/dev/null: ENOTDIR" }],
  });
});

test("the errors of all rows are reported at once, and a table of more than 20,000 rows is refused", async ({
  workspace,
}) => {
  const bring = (lines: string[]) =>
    importContracts(workspace.ctx, {
      ...{
        csv: Buffer.from(["title,type,ourRole,ownerEmail", ...lines].join("\n")),
        folder: null,
        dryRun: false,
      },
    });
  const wrong = await bring(Array.from({ length: 5000 }, (_, n) => `T${n},NDB,VENDOR,no one@test.example`));
  expect(wrong.errors).toHaveLength(10_000);
  expect(new Set(wrong.errors.map(({ line }) => line)).size).toBe(5000);
  const long = await bring(Array.from({ length: 20_001 }, () => "T,NDA,VENDOR,no one@test.example"));
  expect(long).toMatchObject({ rows: 0, errors: [{ line: 1, message: expect.stringContaining("20,000") }] });
});
