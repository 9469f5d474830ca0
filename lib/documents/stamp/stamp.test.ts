import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { expect, test } from "@playwright/test";
import { people, png, scribble } from "#e2e/sealing.ts";
import { balance } from "#lib/documents/content/content.ts";
import { freeze } from "#lib/documents/freeze/freeze.ts";
import { PDFDocument, PDFName, type PDFPage, StandardFonts } from "#lib/documents/pdf/pdf-lib.ts";
import { layoutLine, Typesetter } from "#lib/documents/typeset/fonts.ts";
import { wrapText } from "#lib/documents/typeset/line-breaks.ts";
import { fitText } from "#lib/documents/typeset/text-box.ts";
import { BadSignatureImage, cleanSignatureImage } from "./signature-image.ts";
import { Images, type StampedField, stampFields } from "./stamp.ts";

let folder: string;
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-stamp-"));
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

const box = { xPct: 20, yPct: 30, wPct: 30, hPct: 10 };
const red = redOf(8, 8);
/** With the page's proportions, so that the picture fills its box. */
function redOf(width: number, height: number): string {
  const [w, h] = [Math.round(width / 4), Math.round(height / 4)];
  return png(w, h, Buffer.alloc(w * h * 4, Buffer.from([255, 0, 0, 255]))).toString("base64");
}

async function stamped(
  make: (pdf: PDFDocument) => void | Promise<void>,
  fields: StampedField[],
): Promise<string> {
  const made = await PDFDocument.create();
  await make(made);
  const pdf = await PDFDocument.load(await made.save());
  const type = new Typesetter(pdf);
  freeze(pdf, type);
  await stampFields(pdf, fields, { type, images: new Images(pdf) });
  await type.embed();
  const path = join(folder, `${crypto.randomUUID()}.pdf`);
  writeFileSync(path, await pdf.save());
  return path;
}

/** Where red is on the page as a viewer shows it, in percent from its top left corner. */
function redBox(path: string): number[] {
  const ppm = execFileSync("pdftoppm", ["-cropbox", "-r", "72", "-f", "1", "-l", "1", path], {
    maxBuffer: 1e9,
  });
  const [, w, h] = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(ppm.toString("latin1", 0, 40))!.map(Number) as [
    0,
    number,
    number,
  ];
  const start = ppm.length - w * h * 3;
  let [left, top, right, bottom] = [w, h, 0, 0];
  for (let at = 0; at < w * h; at++) {
    const [red, green, blue] = [0, 1, 2].map((color) => ppm.readUInt8(start + at * 3 + color));
    if (red! < 200 || green! > 90 || blue! > 90) continue;
    const [x, y] = [at % w, Math.floor(at / w)];
    [left, right, top, bottom] = [
      Math.min(left, x),
      Math.max(right, x + 1),
      Math.min(top, y),
      Math.max(bottom, y + 1),
    ];
  }
  return [(left / w) * 100, (top / h) * 100, ((right - left) / w) * 100, ((bottom - top) / h) * 100];
}

interface Case {
  name: string;
  /** As displayed. */
  shown: [number, number];
  make(page: PDFPage): void;
  size?: [number, number];
}

const cropped = (page: PDFPage) => page.setCropBox(50, 80, 400, 500);
const cases: Case[] = [
  { name: "an upright page", shown: [600, 800], make: () => undefined },
  { name: "a page rotated by 90 degrees", shown: [800, 600], make: (page) => turn(page, 90) },
  { name: "a page rotated by 180 degrees", shown: [600, 800], make: (page) => turn(page, 180) },
  { name: "a page rotated by 270 degrees", shown: [800, 600], make: (page) => turn(page, 270) },
  { name: "a page rotated by -90 degrees", shown: [800, 600], make: (page) => turn(page, -90) },
  { name: "a page with a crop box", shown: [400, 500], make: cropped },
  {
    name: "a cropped page rotated by 90 degrees",
    shown: [500, 400],
    make: (page) => {
      cropped(page);
      turn(page, 90);
    },
  },
  {
    name: "a page whose media box starts below zero",
    shown: [600, 800],
    make: (page) => page.setMediaBox(-300, -200, 600, 800),
  },
  {
    name: "a page whose media box has its corners swapped",
    shown: [600, 800],
    make: (page) => boxOf(page, "MediaBox", [600, 800, 0, 0]),
  },
  {
    name: "a page whose crop box is larger than the page",
    shown: [600, 800],
    make: (page) => page.setCropBox(-100, -100, 900, 1200),
  },
  { name: "a landscape page", shown: [800, 600], size: [800, 600], make: () => undefined },
  {
    name: "a page with a UserUnit of 2",
    shown: [600, 800],
    make: (page) => page.node.set(PDFName.of("UserUnit"), page.doc.context.obj(2)),
  },
  {
    name: "a page that leaves scaled graphics states open",
    shown: [600, 800],
    make: (page) => content(page, "q 0.5 0 0 0.5 100 100 cm q 2 0 0 2 0 0 cm"),
  },
  {
    name: "a page that restores more graphics states than it saved",
    shown: [600, 800],
    make: (page) => content(page, "Q Q 0.5 0 0 0.5 40 40 cm"),
  },
  { name: "a page that inherits its rotation and media box", shown: [800, 600], make: inherit },
];

const turn = (page: PDFPage, by: number) => page.node.set(PDFName.of("Rotate"), page.doc.context.obj(by));
const boxOf = (page: PDFPage, key: string, corners: number[]) =>
  page.node.set(PDFName.of(key), page.doc.context.obj(corners));

function content(page: PDFPage, operators: string): void {
  page.node.set(PDFName.of("Contents"), page.doc.context.register(page.doc.context.flateStream(operators)));
}

function inherit(page: PDFPage): void {
  const parent = page.node.Parent()!;
  parent.set(PDFName.of("Rotate"), page.doc.context.obj(90));
  parent.set(PDFName.of("MediaBox"), page.doc.context.obj([10, 10, 610, 810]));
  page.node.delete(PDFName.of("MediaBox"));
}

for (const { name, shown, make, size = [600, 800] } of cases) {
  test(`a field is stamped where it was placed on ${name}`, async () => {
    const mark = { png: redOf((shown[0] * box.wPct) / 10, (shown[1] * box.hPct) / 10) };
    const path = await stamped(
      (pdf) => make(pdf.addPage(size as [number, number])),
      [{ ...box, pageIndex: 0, mark }],
    );
    const found = redBox(path);
    [box.xPct, box.yPct, box.wPct, box.hPct].forEach((expected, at) => {
      expect(Math.abs(found[at]! - expected), `${found}`).toBeLessThan(0.8);
    });
  });
}

test("stamps on one page do not appear on another page that shares its resources", async () => {
  const path = await stamped(
    (pdf) => {
      const [first, second] = [pdf.addPage([200, 200]), pdf.addPage([200, 200])];
      const shared = pdf.context.register(pdf.context.obj({ XObject: {} }));
      for (const page of [first, second]) page.node.set(PDFName.of("Resources"), shared);
    },
    [{ ...box, pageIndex: 0, mark: { png: red } }],
  );
  const pdf = await PDFDocument.load(readFileSync(path));
  const names = pdf
    .getPages()
    .map((page) => page.node.Resources()!.lookup(PDFName.of("XObject"))!.toString().length);
  expect(names[0]).toBeGreaterThan(names[1]!);
});

test("stamped names in many scripts, Hebrew and Arabic too, can be extracted as text, and all fonts are embedded", async () => {
  const names = [...people, "فاطمة حسن", "דוד כהן", "Nguyễn Thị Hương", "山田 ヤマダ 太郎", "Jo\u0308rg"];
  const fields = names.map((text, index) => ({
    pageIndex: 0,
    xPct: 5,
    yPct: 5 + 8 * index,
    wPct: 60,
    hPct: 4,
    mark: { text },
  }));
  const path = await stamped((pdf) => void pdf.addPage([600, 800]), fields);
  const text = execFileSync("pdftotext", ["-layout", path, "-"], { encoding: "utf8" });
  // Poppler marks the direction of right-to-left text, and reads a ligature there (لله) from left to right.
  const plain = text.replace(/[\u200e\u200f\u202a-\u202e]/g, "");
  for (const name of names) {
    expect(plain).toContain(name.normalize("NFC").replaceAll("لله", "هلل"));
  }
  const fonts = execFileSync("pdffonts", [path], { encoding: "utf8" }).trim().split("\n").slice(2);
  expect(fonts.filter((line) => !/Identity-H +yes/.test(line))).toEqual([]);
});

test("an Arabic name is shaped with joined letters and set from right to left", () => {
  const line = layoutLine("محمد");
  const shaped = line.glyphs.map(({ glyph }) =>
    glyph.codePoints.map((code) => String.fromCodePoint(code)).join(""),
  );
  expect(shaped.join("")).toBe([..."محمد"].reverse().join(""));
  const isolated = [..."محمد"].reduce((sum, one) => sum + layoutLine(one).width, 0);
  expect(line.width).toBeLessThan(isolated);
});

test("a character that no font has becomes its code point, and invisible characters are dropped", () => {
  expect(layoutLine("Ann \u{1F600} Lee").glyphs.length).toBe("Ann [U+1F600] Lee".length);
  expect(layoutLine("a\u0000b\u200bc\ud800").text).toBe("abc");
});

test("text is wrapped and made smaller until it fits its box", () => {
  const room = { x: 0, y: 0, width: 120, height: 40 };
  expect(fitText("Short", room, { size: 11 })).toMatchObject({ size: 11 });
  const { lines, size } = fitText("A sentence that is much too long for the one line of its box", room, {
    size: 11,
  });
  expect(lines.length).toBeGreaterThan(1);
  expect(Math.max(...lines.map(({ width }) => width * size))).toBeLessThanOrEqual(120.01);
  const flat = fitText("A sentence that is much too long for its box", { ...room, height: 10 }, { size: 11 });
  expect(flat.lines).toHaveLength(1);
  expect(flat.lines[0]!.width * flat.size).toBeLessThanOrEqual(120.01);
});

test("lines break between words, and an overlong word loses no characters", () => {
  expect(wrapText("one two, three", 5).map(({ text }) => text)).toEqual(["one two,", "three"]);
  expect(
    wrapText("x".repeat(40), 10)
      .map(({ text }) => text)
      .join(""),
  ).toBe("x".repeat(40));
  expect(wrapText("", 10)).toHaveLength(1);
});

test("graphics states are counted regardless of strings, names, comments and inline images", () => {
  const of = (text: string) => balance(Buffer.from(text, "latin1"));
  expect(of("q (Q \\) Q) Tj /Q gs % Q\n q Q BI /W 1 ID q Q q EI Q")).toEqual({ depth: 0, deepest: 0 });
  expect(of("Q Q q")).toEqual({ depth: -1, deepest: 2 });
});

test("a field on a missing page is refused", async () => {
  const field = { ...box, pageIndex: 3, mark: { checked: true } };
  await expect(stamped((pdf) => void pdf.addPage([600, 800]), [field])).rejects.toThrow(
    "A field is on page 4, and the document has 1",
  );
});

test("a stamped checkbox is a square with a tick only if checked, and leaves the page's text intact", async () => {
  const helvetica = async (pdf: PDFDocument) => {
    pdf.addPage([600, 800]).drawText("Terms", { font: await pdf.embedFont(StandardFonts.Helvetica) });
  };
  const shares = [];
  for (const checked of [true, false]) {
    const path = await stamped(helvetica, [{ ...box, pageIndex: 0, mark: { checked } }]);
    expect(execFileSync("pdftotext", [path, "-"], { encoding: "utf8" })).toContain("Terms");
    const [edge, inside] = darkIn(path);
    expect(edge, "its square").toBeGreaterThan(0);
    shares.push(inside);
  }
  expect(shares).toEqual([expect.any(Number), 0]);
  expect(shares[0]).toBeGreaterThan(0.05);
});

/** The share of dark pixels in the box of an upright page of 600 by 800 points: in all of it, and inside its square. */
function darkIn(path: string): [all: number, inside: number] {
  const [left, top, width, height] = [6 * box.xPct, 8 * box.yPct, 6 * box.wPct, 8 * box.hPct];
  const dark = (x: number, y: number, w: number, h: number) => {
    const area = ["-x", x, "-y", y, "-W", w, "-H", h].map(String);
    const pgm = execFileSync("pdftoppm", ["-gray", "-r", "72", ...area, path]);
    return pgm.subarray(-w * h).filter((shade) => shade < 128).length / (w * h);
  };
  const side = height - 8;
  return [
    dark(left, top, width, height),
    dark(left + (width - side) / 2, top + (height - side) / 2, side, side),
  ];
}

test("a signature image is cropped to its ink, and cleaning it again changes nothing", () => {
  const cleaned = Buffer.from(cleanSignatureImage(Buffer.from(scribble(300, 90), "base64")));
  expect(cleaned.readUInt32BE(16)).toBe(300);
  expect(cleaned.readUInt32BE(20)).toBeLessThan(90);
  expect(Buffer.from(cleanSignatureImage(cleaned)).equals(cleaned)).toBe(true);
});

test("a signature image that is no PNG, truncated, too large, blank or a decompression bomb is refused", () => {
  const good = Buffer.from(scribble(), "base64");
  const huge = saying(good, 100_000, 90);
  const bomb = saying(png(4000, 3000, Buffer.alloc(48_000_000)), 10, 10);
  const blank = png(4, 1, Buffer.alloc(16));
  const hostile = [Buffer.from("<svg/>"), good.subarray(0, 200), huge, bomb, blank, Buffer.alloc(600_000)];
  for (const image of hostile) expect(() => cleanSignatureImage(image)).toThrow(BadSignatureImage);
});

/** The same bytes, with another declared size of the image. */
function saying(image: Buffer, width: number, height: number): Buffer {
  const lie = Buffer.from(image);
  lie.writeUInt32BE(width, 16);
  lie.writeUInt32BE(height, 20);
  lie.writeUInt32BE(crc32(lie.subarray(12, 29)), 29);
  return lie;
}
