/** Real-world PDFs: odd, old, broken, and nevertheless valid. */
import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import { PDFDocument } from "#lib/documents/pdf/pdf-lib.ts";
import { catalog, encryptedPdf, type Part, pagesOf, pdfOf, streamOf } from "./pdf.ts";
import { readTwoWays, wellRevised } from "./revisions.ts";
import { pageOf, twoFaced, unfreezable, write } from "./two-faced.ts";

export interface Odd {
  what: string;
  bytes(): Buffer | Promise<Buffer>;
  /** False: it may be rejected, as long as a reason is given. */
  isSealed: boolean;
}

const text = write("Agreement");
const sealed = (what: string, bytes: Odd["bytes"]): Odd => ({ what, bytes, isSealed: true });
const maybe = (what: string, bytes: Odd["bytes"]): Odd => ({ what, bytes, isSealed: false });
/** A document with one page that has additional entries. */
const paged = (what: string, page: string): Odd => sealed(what, () => pageOf(text, { page }));
const tampered = (from: string | RegExp, to: string) => () =>
  Buffer.from(pageOf(text).toString("latin1").replace(from, to), "latin1");

const annots = (kinds: string[], more: string) => () =>
  pageOf(text, {
    page: `/Annots[${kinds.map((_, index) => `${index + 6} 0 R`).join(" ")}]`,
    objects: kinds.map((kind) => `<</Type/Annot/Subtype/${kind}${more}>>`),
  });

const allKinds = [
  ...[
    "Text",
    "Link",
    "FreeText",
    "Line",
    "Square",
    "Circle",
    "Polygon",
    "PolyLine",
    "Highlight",
    "Underline",
  ],
  ...[
    "Squiggly",
    "StrikeOut",
    "Caret",
    "Stamp",
    "Ink",
    "Popup",
    "FileAttachment",
    "Sound",
    "Movie",
    "Screen",
  ],
  ...["Widget", "PrinterMark", "TrapNet", "Watermark", "3D", "Redact", "Projection", "RichMedia", "Nonsense"],
];

const boxes: Odd[] = [
  ...[90, 180, -90, 450].map((turn) => paged(`a page turned by ${turn}`, `/Rotate ${turn}`)),
  paged("a page turned by 45", "/Rotate 45"),
  paged("a page turned by half a number", "/Rotate 89.9"),
  paged("a crop box beyond the page", "/CropBox[-500 -500 5000 5000]"),
  paged("a crop box that the page does not reach", "/CropBox[2000 2000 2100 2100]"),
  paged("a crop box of nothing", "/CropBox[10 10 10 10]"),
  paged("a crop box of words", "/CropBox[/a/b/c/d]"),
  paged("units of ten points", "/UserUnit 10"),
  paged("units of nothing", "/UserUnit 0"),
  sealed("a page of five metres", tampered("[0 0 600 800]", "[0 0 14400 14400]")),
  maybe("a page of a thousand kilometres", tampered("[0 0 600 800]", "[0 0 3e9 3e9]")),
  sealed("a page of no size", tampered("[0 0 600 800]", "[0 0 0 0]")),
  sealed("a page without a box", tampered("/MediaBox[0 0 600 800]", "")),
  sealed("a page with its corners exchanged", tampered("[0 0 600 800]", "[600 800 0 0]")),
];

const contents: Odd[] = [
  sealed("a page of nothing", () => pdfOf([catalog, pagesOf(1, [3]), "<</Type/Page/Parent 2 0 R>>"])),
  paged("no resources where it says resources", "/Resources null"),
  paged("content that is not there", "/Contents 99 0 R"),
  paged("content that is a number", "/Contents 7"),
  paged("content in parts, some of them missing", "/Contents[99 0 R 4 0 R null 5 0 R]"),
  sealed("a string that never ends", () => pageOf(`${text} BT (abc`)),
  sealed("states and sections that are never closed", () => pageOf(`q q q /A BMC /B BMC ${text}`)),
  sealed("states and sections that were never opened", () => pageOf(`Q Q EMC EMC ET ${text}`)),
  sealed("operations that do not exist", () => pageOf(`1 2 3 nonsense << /a [ >> ${text}`)),
  sealed("a picture within the content", () =>
    pageOf(`q 9 0 0 9 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \u0000 EI Q ${text}`),
  ),
  sealed("a drawn object that draws itself", () =>
    pageOf(`${text}/X Do`, {
      resources: "/XObject<</X 6 0 R>>",
      objects: [
        streamOf(Buffer.from("/X Do"), "/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 6 0 R>>>>"),
      ],
    }),
  ),
  sealed("a deflated stream that is cut off", () =>
    pageOf(text, {
      page: "/Contents[4 0 R 6 0 R]",
      objects: [streamOf(deflateSync(text.repeat(50)).subarray(0, 40), "/Filter/FlateDecode")],
    }),
  ),
  maybe("a filter that no one knows", () =>
    pageOf(text, {
      page: "/Contents[4 0 R 6 0 R]",
      objects: [streamOf(Buffer.from("x"), "/Filter/Nonsense")],
    }),
  ),
  sealed("a font that is not there", tampered("/F1 5 0 R", "/F1 9 0 R")),
  sealed("a font of drawn letters", () =>
    pageOf(`BT /T 20 Tf 60 600 Td (a) Tj ET ${text}`, {
      resources: "/Font<</T 6 0 R>>",
      objects: [
        "<</Type/Font/Subtype/Type3/FontBBox[0 0 1000 1000]/FontMatrix[.001 0 0 .001 0 0]/CharProcs<</a 7 0 R>>/Encoding<</Differences[97/a]>>/FirstChar 97/LastChar 97/Widths[1000]>>",
        streamOf(Buffer.from("1000 0 d0 0 0 900 900 re f"), ""),
      ],
    }),
  ),
];

const deepTree = (levels: number): Part[] => [
  catalog,
  ...Array.from({ length: levels }, (_, level) => pagesOf(1, [level + 3])),
  "<</Type/Page/MediaBox[0 0 600 800]>>",
];

const structures: Odd[] = [
  sealed("a page tree of sixty levels", () => pdfOf(deepTree(60))),
  maybe("a page tree of three thousand levels", () => pdfOf(deepTree(3000))),
  sealed("a page that does not say that it is one", tampered("/Type/Page/Parent", "/Parent")),
  maybe("pages that are not counted", tampered("/Count 1", "")),
  maybe("a page within the tree itself", () =>
    pdfOf([catalog, "<</Type/Pages/Count 1/Kids[<</Type/Page/MediaBox[0 0 600 800]>>]>>"]),
  ),
  maybe("a catalogue that does not say that it is one", tampered("/Type/Catalog", "")),
  maybe("a trailer that leads nowhere", tampered("/Root 1 0 R", "")),
  sealed("a table of objects that is not where it should be", tampered(/startxref\n\d+/, "startxref\n0")),
  maybe("no table of objects", tampered(/xref\n0[\s\S]*trailer/, "trailer")),
  sealed("objects in streams", async () => {
    const pdf = await PDFDocument.create();
    pdf.addPage().drawText("Agreement");
    return Buffer.from(await pdf.save({ useObjectStreams: true }));
  }),
  ...wellRevised.map(({ what, bytes }) => sealed(what, bytes)),
  sealed("bookmarks that lead in a circle", () =>
    pageOf(text, {
      catalog: "/Outlines 6 0 R",
      objects: ["<</First 7 0 R/Last 7 0 R/Count 1>>", "<</Title(a)/Parent 6 0 R/Next 7 0 R/First 7 0 R>>"],
    }),
  ),
  sealed("names that lead in a circle", () =>
    pageOf(text, { catalog: "/Names<</Dests 6 0 R>>", objects: ["<</Kids[6 0 R]/Names[(a)]>>"] }),
  ),
  sealed("a structure that leads in a circle", () =>
    pageOf(text, { catalog: "/StructTreeRoot 6 0 R", objects: ["<</Type/StructTreeRoot/K 6 0 R>>"] }),
  ),
  sealed("a description of itself that is none", () =>
    pageOf(text, { catalog: "/Metadata 5/Lang 7/Names 3" }),
  ),
  sealed("layers that are described wrongly", () =>
    pageOf(`/OC /A BDC ${text} EMC`, {
      catalog: "/OCProperties<</OCGs 7/D<</OFF(a)/ON 6 0 R/AS 9>>>>",
      resources: "/Properties<</A 6 0 R>>",
      objects: ["<</Type/OCMD/OCGs 6 0 R/VE[/Not[/And 6 0 R[/Or]]]>>"],
    }),
  ),
  sealed("a page of a newer kind", tampered("%PDF-1.7", "%PDF-2.0")),
  maybe("words before its first line", async () => Buffer.concat([Buffer.from("\n\n"), pageOf(text)])),
  maybe("an empty password", () => encryptedPdf({ ownerPassword: "o" })),
];

const interactive: Odd[] = [
  sealed("annotations of every kind without a picture", annots(allKinds, "/Rect[60 600 200 700]/F 4")),
  sealed(
    "annotations of every kind with words in the wrong places",
    annots(allKinds, "/Rect[(a)]/F(x)/AP 3/QuadPoints[1]/InkList 4/C[/a]/BS 7/DA 3/Border(a)/A 3/Contents 5"),
  ),
  sealed(
    "annotations that look like themselves",
    annots(["Stamp", "Widget", "Link"], "/Rect[60 600 200 700]/AP<</N 6 0 R>>/Parent 6 0 R"),
  ),
  sealed("annotations that are not there", () => pageOf(text, { page: "/Annots[99 0 R null 7(a)]" })),
  sealed("a form that asks for its looks", () =>
    pageOf(text, {
      catalog: "/AcroForm<</NeedAppearances true/Fields[6 0 R 7 0 R]>>",
      page: "/Annots[6 0 R 7 0 R]",
      objects: [
        "<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/V(Northwind Traders)/Rect[60 500 300 530]>>",
        "<</Type/Annot/Subtype/Widget/FT/Btn/T(b)/V/Yes/AS/Yes/Rect[60 400 90 430]>>",
      ],
    }),
  ),
  sealed("a signature from elsewhere", () =>
    pageOf(text, {
      catalog: "/AcroForm<</SigFlags 3/Fields[6 0 R]>>/Perms<</DocMDP 7 0 R>>",
      page: "/Annots[6 0 R]",
      objects: [
        "<</Type/Annot/Subtype/Widget/FT/Sig/T(s)/V 7 0 R/Rect[0 0 0 0]/F 132>>",
        `<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/adbe.pkcs7.detached/ByteRange[0 10 20 30]/Contents<${"00".repeat(64)}>>>`,
      ],
    }),
  ),
];

/** Valid documents with some bytes changed, the same in each run. */
function damaged(number: number): Odd {
  return maybe(`damage number ${number}`, () => {
    const from = twoFaced[number % twoFaced.length]!.bytes();
    const noise = createHash("sha512").update(`damage ${number}`).digest();
    for (let at = 0; at < 8; at += 4) from[noise.readUInt32BE(at) % from.length] = noise[32 + at]!;
    return from;
  });
}

export const odd: Odd[] = [
  ...boxes,
  ...contents,
  ...structures,
  ...interactive,
  ...twoFaced.map(({ what, bytes }) => sealed(what, bytes)),
  ...[...unfreezable, ...readTwoWays].map(({ what, bytes }) => maybe(what, bytes)),
  ...Array.from({ length: 20 }, (_, number) => damaged(number)),
];
