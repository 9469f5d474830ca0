/** What signers see on screen is what is sealed, and it looks the same in print and in other programs. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { elsewhere, onScreen, pageOf, twoFaced, unfreezable, write } from "#e2e/corpus/two-faced.ts";
import { contractPdf } from "#e2e/sealing.ts";
import { PDFDocument } from "#lib/documents/pdf/pdf-lib.ts";
import { createSigningCopy } from "#lib/documents/seal/signing-copy.ts";

test.setTimeout(300_000);

const run = promisify(execFile);

let folder: string;
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "countersign-freeze-"));
});
test.afterAll(() => rm(folder, { recursive: true, force: true }));

async function written(bytes: Uint8Array): Promise<string> {
  const path = join(folder, `${crypto.randomUUID()}.pdf`);
  await writeFile(path, bytes);
  return path;
}

async function copyOf(bytes: Uint8Array) {
  const copy = await createSigningCopy({ path: await written(bytes) });
  if ("problem" in copy) throw new Error(copy.problem);
  return { bytes: Buffer.from(copy.bytes, "base64"), notes: copy.notes };
}

interface Picture {
  width: number;
  height: number;
  pixels: Uint8Array | Uint8ClampedArray;
}

/** The first page as pdf.js draws it: for a screen or for a printer. */
async function byPdfjs(bytes: Uint8Array, intent: "display" | "print"): Promise<Picture> {
  const { getDocument, AnnotationMode } = await import("pdfjs-dist/legacy/build/pdf.mjs");
  const loading = getDocument({ data: new Uint8Array(bytes), verbosity: 0, standardFontDataUrl: fonts });
  const document = await loading.promise;
  const page = await document.getPage(1);
  const viewport = page.getViewport({ scale: 0.5 });
  const { canvas, context } = (document.canvasFactory as Factory).create(viewport.width, viewport.height);
  const annotationMode = AnnotationMode.ENABLE;
  await page.render({ canvas, canvasContext: context, viewport, intent, annotationMode }).promise;
  const { width, height } = canvas;
  const { data: pixels } = context.getImageData(0, 0, width, height);
  await loading.destroy();
  return { width, height, pixels };
}

const fonts = `${join(import.meta.dirname, "../../../node_modules/pdfjs-dist/standard_fonts")}/`;

interface Factory {
  create(width: number, height: number): { canvas: HTMLCanvasElement; context: CanvasRenderingContext2D };
}

/** The first page as poppler draws it: for a screen, from what it would send to a printer, or the whole sheet. */
async function byPoppler(bytes: Uint8Array, intent: "display" | "print" | "sheet"): Promise<Picture> {
  let path = await written(bytes);
  if (intent === "print") {
    await run("pdftocairo", ["-pdf", path, `${path}.print.pdf`]);
    path = `${path}.print.pdf`;
  }
  const args = [...(intent === "display" ? ["-cropbox"] : []), "-r", "36", "-f", "1", "-l", "1", path];
  const { stdout } = await run("pdftoppm", args, { encoding: "buffer", maxBuffer: 1e8 });
  const [head, width, height] = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(stdout.toString("latin1", 0, 40))!;
  return { width: Number(width), height: Number(height), pixels: stdout.subarray(head.length) };
}

/** The share of pixels that differ in darkness, beyond anti-aliasing at edges. */
function difference(a: Picture, b: Picture): number {
  const [perA, perB] = [a, b].map(({ pixels, width, height }) => pixels.length / (width * height)) as [
    number,
    number,
  ];
  if (Math.abs(a.width - b.width) > 1 || Math.abs(a.height - b.height) > 1) return 1;
  const [width, height] = [Math.min(a.width, b.width), Math.min(a.height, b.height)];
  let differing = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [at, bt] = [(y * a.width + x) * perA, (y * b.width + x) * perB];
      const isOther = [0, 1, 2].some((part) => Math.abs(a.pixels[at + part]! - b.pixels[bt + part]!) > 96);
      if (isOther) differing++;
    }
  }
  return differing / (width * height);
}

const nothing = 0.0005;
/** The difference between two pages that show different amounts. */
const something = 0.004;

for (const { what, bytes, deceives, note } of twoFaced) {
  test(`a document with ${what} is frozen to what its signers see on screen`, async () => {
    const original = bytes();
    const seen = await byPdfjs(original, "display");
    if (deceives === "pdf.js") {
      expect(difference(seen, await byPdfjs(original, "print"))).toBeGreaterThan(something);
    }
    if (deceives === "poppler") {
      const [screen, sheet] = [await byPoppler(original, "display"), await byPoppler(original, "sheet")];
      expect(difference(screen, sheet)).toBeGreaterThan(something);
    }
    const copy = await copyOf(original);
    expect(copy.notes).toEqual(note ? [expect.stringMatching(note)] : []);
    const shown = await byPdfjs(copy.bytes, "display");
    expect(difference(seen, shown), "what was on the screen before").toBeLessThan(nothing);
    expect(difference(shown, await byPdfjs(copy.bytes, "print")), "print").toBeLessThan(nothing);
    const [screen, print] = [await byPoppler(copy.bytes, "display"), await byPoppler(copy.bytes, "print")];
    expect(difference(screen, print), "print by poppler").toBeLessThan(nothing);
    expect(difference(screen, await byPoppler(copy.bytes, "sheet")), "the sheet").toBeLessThan(nothing);
    expect(difference(shown, screen), "another program").toBeLessThan(0.02);
    await expectNothingCarried(copy.bytes);
  });
}

/** Checks that every name in the file belongs to features that look and act the same everywhere. */
async function expectNothingCarried(bytes: Buffer): Promise<void> {
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false });
  const plain = Buffer.from(await pdf.save({ useObjectStreams: false, updateFieldAppearances: false }));
  const names = new Set(plain.toString("latin1").match(/\/[A-Za-z0-9]+/g));
  const forbidden = [
    ...[
      "/OCProperties",
      "/OCG",
      "/OCMD",
      "/OC",
      "/AcroForm",
      "/XFA",
      "/Widget",
      "/Stamp",
      "/AA",
      "/OpenAction",
    ],
    ...[
      "/JavaScript",
      "/JS",
      "/Launch",
      "/SubmitForm",
      "/ImportData",
      "/Rendition",
      "/Named",
      "/GoToR",
      "/GoToE",
    ],
    ...[
      "/Hide",
      "/SetOCGState",
      "/Next ",
      "/Filespec",
      "/EmbeddedFile",
      "/EmbeddedFiles",
      "/EF",
      "/AF",
      "/RichMedia",
    ],
    ...[
      "/FileAttachment",
      "/Alternates",
      "/OPI",
      "/Ref",
      "/PS",
      "/Subtype2",
      "/FFilter",
      "/OP",
      "/op",
      "/OPM",
    ],
    ...["/TR", "/HT", "/Black", "/TrimBox", "/BleedBox", "/PrintArea", "/Thumb", "/PieceInfo"],
  ];
  expect(forbidden.filter((name) => names.has(name))).toEqual([]);
  expect(plain.toString("latin1")).not.toMatch(/evil|calc\.exe|etc\/passwd/);
}

for (const { what, bytes, says } of unfreezable) {
  test(`a document with ${what} is refused with the reason`, async () => {
    expect(await createSigningCopy({ path: await written(bytes()) })).toEqual({
      problem: expect.stringMatching(says),
    });
  });
}

/** Everything in a file, whether or not a page uses it, without its compression. */
async function unpacked(path: string): Promise<string> {
  const args = ["--qdf", "--object-streams=disable", "--preserve-unreferenced", path, "-"];
  return (await run("qpdf", args, { encoding: "latin1", maxBuffer: 1e8 })).stdout;
}

test("text on hidden layers is removed from the file, not only hidden", async () => {
  const layered = twoFaced.filter(({ note }) => note?.source.includes("layers"));
  expect(layered.length).toBeGreaterThan(0);
  for (const { what, bytes } of layered) {
    const original = await unpacked(await written(bytes()));
    expect(original, what).toContain(elsewhere);
    const path = await written((await copyOf(bytes())).bytes);
    const { stdout } = await run("pdftotext", [path, "-"]);
    expect(stdout, what).toContain(onScreen);
    for (const text of [stdout, await unpacked(path)]) expect(text, what).not.toContain(elsewhere);
    expect(await unpacked(path), what).toContain(onScreen);
  }
});

test("freezing a harmless document keeps its look, structure, bookmarks, destinations and links", async () => {
  const original = pageOf(`${write(onScreen)}/P <</MCID 0>> BDC ${write("Clause", 500)} EMC`, {
    catalog:
      "/Lang(de)/MarkInfo<</Marked true>>/StructTreeRoot 9 0 R/Outlines 6 0 R/Names<</Dests<</Names[(end)[3 0 R/Fit]]>>>>",
    page: "/StructParents 0/Annots[8 0 R 11 0 R]",
    objects: [
      "<</Type/Outlines/First 7 0 R/Last 7 0 R/Count 1>>",
      "<</Title(End)/Parent 6 0 R/Dest(end)>>",
      "<</Type/Annot/Subtype/Link/Rect[60 480 200 540]/A<</S/URI/URI(https://northwind.example/terms)>>>>",
      "<</Type/StructTreeRoot/K 10 0 R/ParentTree<</Nums[0[10 0 R]]>>>>",
      "<</Type/StructElem/S/P/P 9 0 R/K[0]/Pg 3 0 R>>",
      "<</Type/Annot/Subtype/Link/Rect[60 680 200 740]/A<</S/GoTo/D(end)>>>>",
    ],
  });
  const { bytes, notes } = await copyOf(original);
  expect(notes).toEqual([]);
  const { getDocument } = await import("pdfjs-dist/legacy/build/pdf.mjs");
  const document = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
  const page = await document.getPage(1);
  const links = await page.getAnnotations();
  expect(links.map(({ url, dest }) => url ?? dest)).toEqual(["https://northwind.example/terms", "end"]);
  expect((await document.getOutline())?.[0]).toMatchObject({ title: "End", dest: "end" });
  expect(await document.getDestination("end")).toMatchObject([{ num: 3 }, { name: "Fit" }]);
  expect((await page.getStructTree())?.children).toHaveLength(1);
  expect(difference(await byPdfjs(original, "display"), await byPdfjs(bytes, "display"))).toBe(0);
});

test("freezing is deterministic, and freezing a frozen document does not change how it prints", async () => {
  const originals = [await contractPdf(3), ...twoFaced.slice(0, 3).map(({ bytes }) => bytes())];
  for (const original of originals) {
    const [first, second] = [await copyOf(original), await copyOf(original)];
    expect(first.bytes.equals(second.bytes)).toBe(true);
    const again = await copyOf(first.bytes);
    expect(again.notes).toEqual([]);
    expect(difference(await byPdfjs(first.bytes, "print"), await byPdfjs(again.bytes, "print"))).toBe(0);
  }
});
