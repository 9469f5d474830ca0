import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { PDFDocument, rgb } from "#lib/documents/pdf/pdf-lib.ts";
import { missingIn, Typesetter } from "#lib/documents/typeset/fonts.ts";
import { captionHeight, ink } from "#lib/documents/typeset/mark-layout.ts";
import { type OutlineInput, outlineOf } from "./outline.ts";
import { Images, type Mark, stampFields } from "./stamp.ts";

let folder: string;
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-outline-"));
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sheet = { width: 600, height: 400 };
const place = { xPct: 10, yPct: 25, wPct: 40, hPct: 12 };
const box = { x: 60, y: 252, width: 240, height: 48 };

/** How much ink there is at each pixel of a page. */
async function inkOf(pdf: PDFDocument): Promise<Uint8Array> {
  const path = join(folder, `${crypto.randomUUID()}.pdf`);
  writeFileSync(path, await pdf.save());
  const pgm = execFileSync("pdftoppm", ["-gray", "-r", "144", path], { maxBuffer: 1e9 });
  return pgm.subarray(-sheet.width * sheet.height * 4).map((gray) => 255 - gray);
}

async function stamped(mark: Mark, caption?: string): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  pdf.addPage([sheet.width, sheet.height]);
  const type = new Typesetter(pdf);
  const field = { ...place, pageIndex: 0, mark, ...(caption === undefined ? {} : { caption }) };
  await stampFields(pdf, [field], { type, images: new Images(pdf) });
  await type.embed();
  return inkOf(pdf);
}

/** As a browser shows it: at the left, as large as it fits, centered vertically. */
async function shown(wording: OutlineInput, room: typeof box): Promise<Uint8Array> {
  const { viewBox, path } = outlineOf(wording);
  const [, , width, height] = viewBox.split(" ").map(Number) as [number, number, number, number];
  const scale = Math.min(room.width / width, room.height / height);
  const pdf = await PDFDocument.create();
  const y = room.y + room.height / 2 + (height * scale) / 2;
  const color = "typed" in wording ? rgb(...ink) : rgb(0, 0, 0);
  pdf.addPage([sheet.width, sheet.height]).drawSvgPath(path, { x: room.x, y, scale, color });
  return inkOf(pdf);
}

/**
 * How many inked pixels of one picture have no ink of the other next to them: letters are drawn slightly thinner than
 * shapes.
 */
function strays(one: Uint8Array, other: Uint8Array): number {
  const beside = [-1, 0, 1].flatMap((row) => [-1, 0, 1].map((column) => row * sheet.width * 2 + column));
  const inked = [...one.keys()].filter((at) => one[at]! > 128);
  expect(inked.length).toBeGreaterThan(100);
  return inked.filter((at) => beside.every((by) => (other[at + by] ?? 0) < 32)).length;
}

async function expectSame(mark: Promise<Uint8Array>, outline: Promise<Uint8Array>, name: string) {
  const [one, other] = [await mark, await outline];
  expect([strays(one, other), strays(other, one)], name).toEqual([0, 0]);
}

const names = [
  "Dana Fox",
  "Ελένη Παπαδοπούλου",
  "김민준",
  "田中さくら",
  "محمد عبد الله",
  "דוד כהן",
  "Nguyễn Thị Hương",
  "WWWWWWWWWW",
  "Maximiliana Alexandrina von Hohenlohe-Schillingsfürst-Waldenburg zu Bartenstein",
];

for (const name of names) {
  test(`the outline of ${name} matches its stamp in shape and position`, async () => {
    await expectSame(stamped({ typed: name }), shown({ typed: name }, box), name);
  });
}

test("the outline of a field's text matches its stamp, even if wrapped or shrunk", async () => {
  const { width, height } = box;
  for (const text of [
    "Head of purchasing",
    "구매 책임자",
    "A remark that takes more than a single line of its box, by far",
  ])
    await expectSame(stamped({ text }), shown({ text, width, height }, box), text);
});

test("a signature's outline leaves the room that the caption below it takes", async () => {
  const strip = captionHeight(box, 1);
  expect(strip).toBeGreaterThan(0);
  const above = { ...box, y: box.y + strip, height: box.height - strip };
  const caption = await stamped({ typed: "" }, "-");
  const signature = await stamped({ typed: "Dana Fox" }, "-");
  const alone = signature.map((one, at) => one - caption[at]!);
  await expectSame(Promise.resolve(alone), shown({ typed: "Dana Fox" }, above), "Dana Fox");
});

test("exactly the characters that no packaged font has are reported, as whole grapheme clusters", () => {
  expect(missingIn("Ann 😀 Lee 😀 👩‍👧", "hand")).toEqual(["😀", "👩‍👧"]);
  expect(missingIn("สมชาย", "hand")).toEqual(["ส", "ม", "ช", "า", "ย"]);
  for (const name of [...names, "Łukasz Żółć", "王小明", "Ọlá\u200d", "Jo\u0308rg \u{E0100}"])
    expect(missingIn(name, "hand"), name).toEqual([]);
});
