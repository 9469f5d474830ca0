/** What pdf.js shows of a document is what pdf-lib reads of it, and what is sealed. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { odd } from "#e2e/corpus/odd.ts";
import { catalog, pagesOf, pdfOf, streamOf } from "#e2e/corpus/pdf.ts";
import { readTwoWays, wellRevised } from "#e2e/corpus/revisions.ts";
import { pageOf, write } from "#e2e/corpus/two-faced.ts";
import { contractPdf } from "#e2e/sealing.ts";
import { PDFDocument } from "#lib/documents/pdf/pdf-lib.ts";
import { textOfPages, withPdf } from "#lib/documents/text/text.ts";
import { fingerprintPage, layersOf, loadOptions } from "./drawing.ts";
import { areSameDocument } from "./readings.ts";
import { createSigningCopy } from "./signing-copy.ts";

test.setTimeout(300_000);

let folder: string;
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "countersign-readings-"));
});
test.afterAll(() => rm(folder, { recursive: true, force: true }));

async function copyOf(bytes: Uint8Array) {
  const path = join(folder, `${crypto.randomUUID()}.pdf`);
  await writeFile(path, bytes);
  return createSigningCopy({ path });
}

async function byPdfLib(bytes: Uint8Array): Promise<Uint8Array> {
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false });
  return pdf.save({ addDefaultPage: false, updateFieldAppearances: false });
}

/** Its first page, and which layers it shows. */
const drawingOf = (bytes: Uint8Array) =>
  withPdf(
    bytes,
    async (document) => [await fingerprintPage(document, 0), await layersOf(document)],
    loadOptions,
  );

for (const { what, bytes } of readTwoWays) {
  test(`a document that programs draw differently despite equal text, with ${what}, is refused`, async () => {
    const original = bytes();
    const read = await byPdfLib(original);
    expect(await textOfPages(original), "the words").toEqual(await textOfPages(read));
    expect(await drawingOf(original), "what is drawn").not.toEqual(await drawingOf(read));
    const problem = "cannot be sealed, because programs read it differently. Print it to a new PDF";
    expect(await copyOf(original)).toEqual({ problem });
  });
}

for (const { what, bytes } of wellRevised) {
  test(`a document with ${what} is accepted, and its signing copy keeps the text`, async () => {
    const original = bytes();
    const copy = await copyOf(original);
    if ("problem" in copy) throw new Error(copy.problem);
    expect(await textOfPages(Buffer.from(copy.bytes, "base64"))).toEqual(await textOfPages(original));
  });
}

test("a different title or creation date does not make documents differ", async () => {
  const original = await contractPdf(2);
  const pdf = await PDFDocument.load(original);
  pdf.setTitle("Another (title)\n3 0 obj\n");
  pdf.setCreationDate(new Date(0));
  expect(await areSameDocument(original, await pdf.save())).toBe(true);
});

test("documents that differ by a page or a word are not read alike", async () => {
  const two = await contractPdf(2);
  expect(await areSameDocument(two, await contractPdf(2))).toBe(true);
  expect(await areSameDocument(two, await contractPdf(3))).toBe(false);
  expect(await areSameDocument(pageOf(write("100")), pageOf(write("900")))).toBe(false);
});

test("a large document is compared up to its last page", async () => {
  const scans = (shades: number[]) => {
    const kids = shades.map((_, index) => index + 4);
    const pages = kids.map(
      (kid) =>
        `<</Type/Page/Parent 2 0 R/Contents 3 0 R/Resources<</XObject<</I ${kid + kids.length} 0 R>>>>>>`,
    );
    const dictionary = "/Type/XObject/Subtype/Image/Width 9/Height 9/Filter/DCTDecode";
    const pictures = shades.map((shade) => streamOf(Buffer.alloc(5_000_000, shade), dictionary));
    const content = streamOf(Buffer.from("/I Do"), "");
    return pdfOf([catalog, pagesOf(kids.length, kids), content, ...pages, ...pictures]);
  };
  const original = scans([1, 2, 3]);
  expect(await areSameDocument(original, await byPdfLib(original))).toBe(true);
  expect(await areSameDocument(original, scans([1, 2, 4]))).toBe(false);
});

test("documents that differ in a picture that cannot be decoded are not read alike", async () => {
  const picture = (shade: number) =>
    streamOf(
      Buffer.alloc(1000, shade),
      "/Type/XObject/Subtype/Image/Width 2/Height 2/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode",
    );
  const document = (shade: number, page: string) =>
    pageOf("/I Do", { resources: "/XObject<</I 6 0 R>>", page, objects: [picture(shade)] });
  const [missing, none] = ["/Annots[99 0 R]", ""];
  expect(await areSameDocument(document(1, none), document(1, none))).toBe(true);
  expect(await areSameDocument(document(1, none), document(2, none))).toBe(false);
  expect(await areSameDocument(document(1, missing), document(2, missing))).toBe(false);
});

test("documents whose links lead elsewhere are not read alike, even if only drawings can be compared", async () => {
  const linked = (address: string) =>
    pageOf(write("Pay here"), {
      page: "/Annots[6 0 R 99 0 R]",
      objects: [`<</Type/Annot/Subtype/Link/Rect[60 680 200 740]/A<</S/URI/URI(https://${address})>>>>`],
    });
  expect(await areSameDocument(linked("northwind.example"), linked("northwind.example"))).toBe(true);
  expect(await areSameDocument(linked("northwind.example"), linked("evil.example"))).toBe(false);
});

test("odd but sealable documents are drawn the same after pdf-lib rewrites them", async () => {
  for (const { what, bytes } of odd.filter(({ isSealed }) => isSealed)) {
    const original = await bytes();
    expect(await drawingOf(await byPdfLib(original)), what).toEqual(await drawingOf(original));
  }
});
