/** Every PDF is either rejected with a reason, or can be sealed once everyone has signed it. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inspectPdf } from "#lib/documents/inspect/inspect-pdf.ts";
import { UnacceptableFile } from "#lib/documents/sandbox/unacceptable-file.ts";
import { readSeal } from "#lib/documents/seal/read-seal.ts";
import { sealDocument } from "#lib/documents/seal/seal.ts";
import { createSigningCopy } from "#lib/documents/seal/signing-copy.ts";
import { createSigningKey } from "#lib/documents/seal/signing-key.ts";
import { odd } from "../corpus/odd.ts";
import { expect, test } from "../fixtures.ts";
import { inFolder, pdfsig } from "../sealed.ts";
import { evidenceOf, fieldsFor } from "../sealing.ts";

test.setTimeout(300_000);

const key = createSigningKey({ organizationId: "org_test", organizationName: "Northwind", at: new Date() });

/** Returns why the PDF is rejected on upload or on sending; null if it was sealed. */
async function refusalOf(original: Buffer, folder: string): Promise<string | null> {
  const path = join(folder, "original.pdf");
  await writeFile(path, original);
  let pages: number;
  try {
    pages = await inspectPdf(path);
  } catch (error) {
    if (error instanceof UnacceptableFile) return error.message;
    throw error;
  }
  const copy = await createSigningCopy({ path });
  if ("problem" in copy) return copy.problem;
  const bytes = Buffer.from(copy.bytes, "base64");
  const copied = join(folder, "copy.pdf");
  await writeFile(copied, bytes);
  const evidence = evidenceOf(bytes);
  const document = { path: copied, evidence, fields: fieldsFor(evidence, pages - 1) };
  const sealed = await sealDocument(document, key);
  expect(sealed.pageCount).toBe(pages + sealed.certificatePages);
  const sealedPath = join(folder, "sealed.pdf");
  await writeFile(sealedPath, sealed.bytes);
  expect((await readSeal({ path: sealedPath })).checks.filter(({ holds }) => holds === false)).toEqual([]);
  expect(await pdfsig(sealedPath)).toMatch(
    /Signature is Valid[\s\S]*Total document signed|Total document signed[\s\S]*Signature is Valid/,
  );
  return null;
}

test("the corpus of unusual PDFs has at least 70 distinct documents", () => {
  expect(new Set(odd.map(({ what }) => what)).size).toBeGreaterThanOrEqual(70);
});

const groups = Map.groupBy(odd, (_, index) => index % 8);

for (const [number, group] of groups) {
  test(`every PDF is refused with a reason or gets a valid seal over the whole file (${number + 1} of ${groups.size})`, async () => {
    for (const { what, bytes, isSealed } of group) {
      await test.step(what, async () => {
        const refusal = await inFolder(async (folder) => refusalOf(await bytes(), folder));
        if (isSealed) expect(refusal, what).toBeNull();
        else if (refusal !== null) expect(refusal, what).toMatch(/^(is|has|cannot|switches) .{10,}/);
      });
    }
  });
}
