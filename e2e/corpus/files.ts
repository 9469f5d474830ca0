/** Files from strangers: those that must be rejected, each with its message, and those that must be accepted. */
import { randomBytes } from "node:crypto";
import { constants, deflateRawSync, deflateSync } from "node:zlib";
import { docxType, pdfType } from "#lib/contracts/schema.ts";
import { blanks, catalog, encryptedPdf, inZlib, pagesOf, pdfOf, simplePdf, streamOf } from "./pdf.ts";
import { contentTypes, documentPart, docxOf, type Member, pack, relations, zipOf } from "./zip.ts";

export interface Sent {
  what: string;
  fileName: string;
  contentType: string;
  bytes(): Buffer | Promise<Buffer>;
}

export interface Refused extends Sent {
  /** The field below `document` that the error names. */
  at: "contentBase64" | "contentType" | "fileName";
  says: RegExp;
}

const pdf = (what: string, says: RegExp, bytes: Sent["bytes"]): Refused => ({
  ...{ what, says, bytes, at: "contentBase64", fileName: "agreement.pdf", contentType: pdfType },
});
const docx = (what: string, says: RegExp, bytes: Sent["bytes"]): Refused => ({
  ...{ what, says, bytes, at: "contentBase64", fileName: "agreement.docx", contentType: docxType },
});
const other = (what: string, fileName: string, contentType: string, bytes: Sent["bytes"]): Refused => ({
  ...{ what, fileName, contentType, bytes, at: "contentType", says: /must be a PDF or DOCX/ },
});
const named = (what: string, fileName: string, says: RegExp): Refused => ({
  ...{ what, fileName, says, at: "fileName", contentType: pdfType, bytes: () => simplePdf(what) },
});

/** Objects in a stream that grows a thousandfold when read, and both libraries must read it. */
function objectBomb(megabytes: number, filter = "/FlateDecode"): Buffer {
  let bytes = inZlib(blanks(megabytes));
  if (filter.startsWith("[")) bytes = deflateSync(bytes);
  const stream = streamOf(bytes, `/Type/ObjStm/N 1/First 4/Filter${filter}`);
  return pdfOf([catalog, pagesOf(1, [3]), "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>", stream]);
}

/** Each node contains the next one twice: thirty of them make a billion pages. */
function doublingTree(): Buffer {
  const levels = Array.from({ length: 30 }, (_, level) => pagesOf(2 ** 30, [level + 3, level + 3]));
  return pdfOf([catalog, ...levels, "<</Type/Page/MediaBox[0 0 9 9]>>"]);
}

const pdfs: Refused[] = [
  pdf("an encrypted PDF", /is encrypted/, () => encryptedPdf({ userPassword: "u", ownerPassword: "o" })),
  pdf("a PDF with restrictions", /is encrypted/, () => encryptedPdf({ ownerPassword: "o" })),
  pdf("half a PDF", /is cut off/, () => simplePdf("half", 40).subarray(0, 2000)),
  pdf("a PDF without its last line", /is cut off/, () => simplePdf("cut").subarray(0, -6)),
  pdf("an empty file", /must not be empty/, () => Buffer.alloc(0)),
  pdf("a PDF's first line", /is cut off/, () => Buffer.from("%PDF-1.7\n")),
  pdf("noise between a first and a last line", /is broken/, () =>
    Buffer.concat([Buffer.from("%PDF-1.7\n"), randomBytes(20_000), Buffer.from("\n%%EOF")]),
  ),
  pdf("2,001 pages", /more than 2,000 pages/, () => simplePdf("long", 2001)),
  pdf("three pages that say they are one", /says that it has 1 pages, and has 3/, () => {
    const page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>";
    return pdfOf([catalog, pagesOf(1, [3, 4, 5]), page, page, page]);
  }),
  pdf("two billion pages that are one", /says that it has 2147483647 pages|more than 2,000/, () =>
    pdfOf([catalog, pagesOf(2_147_483_647, [3]), "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>"]),
  ),
  pdf("pages that contain themselves", /is broken|more than/, () => pdfOf([catalog, pagesOf(1, [2])])),
  pdf("pages that contain each other", /is broken|more than/, () =>
    pdfOf([catalog, pagesOf(2, [3]), pagesOf(2, [2, 3])]),
  ),
  pdf("a page tree that doubles thirty times", /is broken|more than|takes too long/, doublingTree),
  pdf("a million nested lists", /is broken|grows too large|takes too long/, () =>
    pdfOf([`<</Type/Catalog/Pages 2 0 R/X ${"[".repeat(1_000_000)}>>`, pagesOf(0, [])]),
  ),
  pdf("an object stream of 1.5 GB", /grows too large|takes too long|is broken/, () => objectBomb(1536)),
  pdf("an object stream deflated twice", /grows too large|takes too long|is broken/, () =>
    objectBomb(1536, "[/FlateDecode/FlateDecode]"),
  ),
  pdf("no catalogue", /is broken/, () => pdfOf(["<</Type/Font>>"])),
  pdf("no pages", /no pages|is broken/, () => pdfOf([catalog, pagesOf(0, [])])),
  pdf("a page that is missing", /is broken/, () => pdfOf([catalog, pagesOf(1, [77])])),
  pdf("a PDF that is a ZIP archive too", /PDF and a ZIP archive/, () => {
    const [head, archive] = [simplePdf("both"), docxOf("both")];
    return Buffer.concat([head, archive, Buffer.from("\n%%EOF")]);
  }),
];

const megabytes = (count: number) => ({ bytes: blanks(count), size: count * 1024 * 1024, crc: 0 });

const parts = (more: Member[]) => docxOf("agreed", more);

/** Half a gigabyte that stays below the ratio: besides incompressible data, the same thirty megabytes repeatedly. */
function slowBomb(): Buffer {
  const packed = megabytes(30);
  const blank = Array.from({ length: 18 }, (_, n) => ({ name: `word/media/${n}.bin`, bytes: "", packed }));
  return parts([
    { name: "word/media/noise.bin", bytes: randomBytes(7 * 1024 * 1024), isStored: true },
    ...blank,
  ]);
}

/** Stays within the ratio because of incompressible data, with far more XML than a document has. */
function elementBomb(): Buffer {
  const block = deflateRawSync(Buffer.from("<b></b>".repeat(150_000)), {
    finishFlush: constants.Z_FULL_FLUSH,
  });
  const blocks = Array.from({ length: 400 }, () => block);
  const end = Buffer.from([0x03, 0x00]);
  const bytes = Buffer.concat([
    deflateRawSync("<a>", { finishFlush: constants.Z_FULL_FLUSH }),
    ...blocks,
    end,
  ]);
  const packed = { bytes, size: 3 + 400 * 150_000 * 7, crc: 0 };
  return parts([
    { name: "word/media/noise.bin", bytes: randomBytes(5 * 1024 * 1024), isStored: true },
    { name: "word/styles.xml", bytes: "", packed },
  ]);
}

const clauses = (count: number) =>
  Array.from({ length: count }, (_, n) => `<w:p><w:r><w:t>${n}. We agree.</w:t></w:r></w:p>`).join("");
const whole = String(documentPart("agreed").bytes).replace("<w:body>", `<w:body>${clauses(50)}`);

/** A DOCX around the given document part. */
const withDocument = (bytes: string | Buffer) =>
  zipOf([contentTypes(), relations, { name: "word/document.xml", bytes }]);

/** The document's relationships, each to a part named after its kind. */
const relationsPart = (kinds: Record<string, string>): Member => ({
  name: "word/_rels/document.xml.rels",
  bytes: `<Relationships>${Object.entries(kinds)
    .map(([id, kind]) => `<Relationship Id="${id}" Type="http://x/${kind}" Target="${kind}.xml"/>`)
    .join("")}</Relationships>`,
});

const entity = '<!DOCTYPE w:document [<!ENTITY x SYSTEM "file:///etc/passwd">]>';
const laughs = `<!DOCTYPE l [<!ENTITY a "ha">${[..."bcdefgh"].map((name, n) => `<!ENTITY ${name} "${`&${"abcdefg"[n]};`.repeat(10)}">`).join("")}]>`;
const macroMain = "application/vnd.ms-word.document.macroEnabled.main+xml";

const docxs: Refused[] = [
  docx("600 MB of blanks", /expands to more/, () =>
    parts([{ name: "word/a.bin", bytes: "", packed: megabytes(600) }]),
  ),
  docx("30 MB in 30 kB", /expands to more/, () =>
    parts([{ name: "word/a.bin", bytes: "", packed: megabytes(30) }]),
  ),
  docx("540 MB in 8 MB", /expands to more/, slowBomb),
  docx("a part that is larger than it says", /a wrong size|is broken|expands to more/, () =>
    parts([{ name: "word/a.bin", bytes: "x".repeat(5000), saysSize: 10 }]),
  ),
  docx("an external entity", /document type/, () =>
    zipOf([contentTypes(), relations, documentPart("&x;", entity)]),
  ),
  docx("a billion laughs", /document type/, () =>
    zipOf([contentTypes(), relations, documentPart("&h;", laughs)]),
  ),
  docx("an external entity in UTF-16", /document type/, () =>
    parts([{ name: "word/styles.xml", bytes: Buffer.from(`\ufeff${entity}<w:document/>`, "utf16le") }]),
  ),
  docx("a document type in a part of relations", /document type/, () =>
    parts([{ name: "word/_rels/document.xml.rels", bytes: `${" ".repeat(70_000)}<!doctype x>` }]),
  ),
  docx("a document with macros under another name", /holds macros/, () =>
    zipOf([contentTypes(macroMain), relations, documentPart("x")]),
  ),
  docx("a part with macros", /holds macros/, () =>
    parts([{ name: "word/vbaProject.bin", bytes: randomBytes(2000) }]),
  ),
  docx("400 MB of elements in 5 MB", /takes too long|grows too large/, elementBomb),
  docx("a part that breaks off in the archive", /is broken|is damaged/, () => {
    const whole = pack(randomBytes(100_000));
    return parts([
      { name: "word/media/a.png", bytes: "", packed: { ...whole, bytes: whole.bytes.subarray(0, 50_000) } },
    ]);
  }),
  docx("a document whose packed words were changed", /document.xml is not as it was packed/, () => {
    const { name, bytes } = documentPart("We owe 900 euros.");
    const changed = Buffer.from(String(bytes).replace("900", "100"));
    return zipOf([contentTypes(), relations, { name, bytes: "", packed: { ...pack(changed), crc: 1 } }]);
  }),
  docx("a document that breaks off after its first clauses", /document.xml is cut off/, () =>
    withDocument(whole.slice(0, whole.length / 2)),
  ),
  docx("a document that breaks off within a tag", /document.xml is cut off/, () =>
    withDocument(whole.slice(0, -3)),
  ),
  docx("tags that close each other", /document.xml is cut off, or is not XML/, () =>
    withDocument(whole.replace("</w:t></w:r>", "</w:r></w:t>")),
  ),
  docx("an entity that no one declared", /document.xml is cut off, or is not XML/, () => docxOf("&no one;")),
  docx("words in no encoding", /document.xml is cut off, or is not XML/, () =>
    withDocument(Buffer.from(whole.replace("agreed", "agr\xe9ed"), "latin1")),
  ),
  docx("broken XML beside the document", /footnotes.xml is cut off/, () =>
    parts([{ name: "word/footnotes.xml", bytes: "<w:footnotes><w:footnote>" }]),
  ),
  docx("nothing that leads to the document", /nothing in it leads to its document/, () =>
    zipOf([contentTypes(), documentPart("x")]),
  ),
  docx("footnotes that are not in the archive", /word.footnotes.xml is missing/, () =>
    parts([relationsPart({ rId1: "footnotes" })]),
  ),
  docx("a footnote without footnotes", /the part with its footnotes is missing/, () =>
    withDocument(whole.replace("<w:t>", '<w:footnoteReference w:id="2"/><w:t>')),
  ),
  docx("a header that nothing leads to", /calls rId7 is missing/, () =>
    withDocument(
      whole.replace(
        "</w:body>",
        '<w:sectPr><w:headerReference w:type="default" r:id="rId7"/></w:sectPr></w:body>',
      ),
    ),
  ),
  docx("no document in it", /word\/document.xml is missing/, () => zipOf([contentTypes(), relations])),
  docx("no content types", /not a DOCX/, () => zipOf([documentPart("x")])),
  docx("a spreadsheet", /word\/document.xml is missing/, () =>
    zipOf([contentTypes(), { name: "xl/workbook.xml", bytes: "<workbook/>" }]),
  ),
  docx("a part above the archive", /outside/, () => parts([{ name: "../../etc/cron.d/x", bytes: "x" }])),
  docx("a part at the root", /outside/, () => parts([{ name: "/etc/passwd", bytes: "x" }])),
  docx("a part with backslashes", /outside/, () => parts([{ name: "..\\..\\x", bytes: "x" }])),
  docx("two parts of one name", /two parts with the same name/, () => parts([documentPart("the other")])),
  docx("an encrypted part", /is encrypted/, () =>
    parts([{ name: "word/a.xml", bytes: "x", isEncrypted: true }]),
  ),
  docx("half an archive", /is broken/, () => docxOf("x".repeat(3000)).subarray(0, 500)),
  docx("an archive's first bytes", /is broken/, () => Buffer.from("PK\x03\x04")),
  docx("ten thousand and one parts", /more than 10,000 parts/, () =>
    parts(Array.from({ length: 10_001 }, (_, n) => ({ name: `p/${n}.bin`, bytes: "", isStored: true }))),
  ),
  docx("a DOCX that is a PDF too", /DOCX and a PDF/, () =>
    zipOf([{ name: "a.pdf", bytes: simplePdf("inside"), isStored: true }, contentTypes(), documentPart("x")]),
  ),
];

const others: Refused[] = [
  other("an old or encrypted Office file", "a.docx", docxType, () =>
    Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(4096)]),
  ),
  other("a picture", "a.pdf", pdfType, () =>
    Buffer.from("89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de", "hex"),
  ),
  other("a page of HTML", "a.pdf", pdfType, () => Buffer.from("<!doctype html><script>alert(1)</script>")),
  other("a drawing", "a.pdf", "image/svg+xml", () =>
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  ),
  other("a program", "a.pdf", pdfType, () => Buffer.concat([Buffer.from("MZ"), Buffer.alloc(512)])),
  other("text", "a.pdf", "text/plain", () => Buffer.from("We agree.")),
  other("a PDF behind HTML", "a.pdf", pdfType, () =>
    Buffer.concat([Buffer.from("<script>alert(1)</script>\n"), simplePdf("behind")]),
  ),
  {
    ...other("a PDF called a DOCX", "a.pdf", docxType, () => simplePdf("type")),
    says: /must be application.pdf/,
  },
  {
    ...other("a DOCX called a PDF", "a.docx", pdfType, () => docxOf("type")),
    says: /must be application.vnd/,
  },
];

const names: Refused[] = [
  named("a name with line breaks", "a\r\nset-cookie: x=1\r\n.pdf", /line breaks or control/),
  named("a name that is a path", "../../etc/passwd.pdf", /not a path/),
  named("a name with backslashes", "..\\boot.pdf", /not a path/),
  named("a name that turns around", "invoice\u202efdp.pdf", /direction of text/),
  named("a name with a right-to-left mark", "a\u200fb.pdf", /direction of text/),
  named("a name with an emoji", "signed \u{1f389}.pdf", /emoji/),
  named("a name of 300 characters", `${"n".repeat(296)}.pdf`, /at most 255/),
  named("no name", " ", /must not be empty/),
  named("a program's name", "agreement.exe", /must end in .pdf/),
  named("another document's name", "agreement.docx", /must end in .pdf/),
];

export const refused = [...pdfs, ...docxs, ...others, ...names];

const good = (what: string, fileName: string, contentType: string, bytes: Sent["bytes"]): Sent => ({
  ...{ what, fileName, contentType, bytes },
});

export const taken: Sent[] = [
  good("a PDF", "agreement.pdf", pdfType, () => simplePdf("plain")),
  good("2,000 pages", "Long.PDF", pdfType, () => simplePdf("2000", 2000)),
  good("a DOCX", "agreement.docx", docxType, () => docxOf("We agree.")),
  good("a DOCX as Word on the web names its parts", "web.docx", docxType, () =>
    zipOf([
      contentTypes(),
      { ...relations, bytes: String(relations.bytes).replace("document.xml", "document2.xml") },
      { ...documentPart("We agree."), name: "word/document2.xml" },
    ]),
  ),
  good("a DOCX in UTF-16, without a picture that it names", "utf16.docx", docxType, () => {
    const utf16 = String(documentPart("We agree.").bytes).replace("UTF-8", "UTF-16");
    const bytes = Buffer.from(`\ufeff${utf16}`, "utf16le");
    return zipOf([
      contentTypes(),
      relations,
      { name: "word/document.xml", bytes },
      relationsPart({ rId1: "image" }),
    ]);
  }),
  good("a name in other letters", "契約書 – Ünal & Søn (v1.2).pdf", pdfType, () => simplePdf("letters")),
  good("a name without an extension", "agreement v2.1", pdfType, () => simplePdf("bare")),
  good("a type that claims nothing", "a.docx", "application/octet-stream", () => docxOf("octets")),
];
