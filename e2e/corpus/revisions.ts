/**
 * PDFs that contain an object more than once: in valid revisions, or so that one program reads one version and another
 * program the other. All of the latter contain the same words in both versions.
 */
import { type Part, revised, streamOf, tableStream, withObject, withoutTable } from "./pdf.ts";
import { annotation, elsewhere, onScreen, pageOf, pixels, shadowed, write } from "./two-faced.ts";

interface Revised {
  what: string;
  bytes(): Buffer;
}

/** Both amounts, each drawn in a text rendering mode: 0 is filled, 3 is invisible. */
const amounts = (first: number, second: number) =>
  `BT /F1 40 Tf 60 700 Td ${first} Tr (${onScreen}) Tj 0 -100 Td ${second} Tr (${elsewhere}) Tj ET`;
const shown = amounts(0, 3);
const other = amounts(3, 0);
const contentOf = (content: string) => streamOf(Buffer.from(content), "");

const picture = (more = "") =>
  pageOf("q 300 0 0 100 60 600 cm /I Do Q", {
    resources: "/XObject<</I 6 0 R>>",
    page: more,
    objects: [pixels(200)],
  });

const letter = (shape: string) => contentOf(`1000 0 d0 ${shape} re f`);
const layersWithout = (off: number) => `/OCProperties<</OCGs[6 0 R 7 0 R]/D<</OFF[${off} 0 R]>>>>`;
/** Each amount on a layer, both with the same name; the second is hidden. */
const layered = () =>
  pageOf(`/OC /A BDC ${write(onScreen)} EMC /OC /B BDC ${write(elsewhere, 500)} EMC`, {
    resources: "/Properties<</A 6 0 R/B 7 0 R>>",
    catalog: layersWithout(7),
    objects: ["<</Type/OCG/Name(a)>>", "<</Type/OCG/Name(a)>>"],
  });

/** Changes the table's offset of object 4. */
function leadingTo(file: Buffer, offset: number): Buffer {
  const row = (at: number) => `${String(at).padStart(10, "0")} 00000 n`;
  const { objects, table } = withoutTable(file);
  return Buffer.concat([objects, Buffer.from(table.replace(row(file.indexOf("4 0 obj")), row(offset)))]);
}

/** The table leaves object 4 to a second table, which is a stream. */
function hybrid(content: string, after?: Part): Buffer {
  const file = pageOf(content);
  let { objects: bytes, table } = withoutTable(file);
  if (after) bytes = withObject(bytes, 4, after);
  const stream = bytes.length;
  bytes = withObject(bytes, 19, tableStream({ 4: file.indexOf("4 0 obj") }));
  table = table
    .replace("xref\n0 6", "xref\n0 4")
    .replace(/\d{10} 00000 n \n(\d{10} 00000 n \n)trailer/, "5 1\n$1trailer")
    .replace("/Root", `/XRefStm ${stream}/Root`)
    .replace(/startxref\n\d+/, `startxref\n${bytes.length}`);
  return Buffer.concat([bytes, Buffer.from(table)]);
}

/** A second revision whose table is a stream. */
function revisedByStream(): Buffer {
  const first = pageOf(shown);
  const bytes = withObject(first, 4, contentOf(other));
  const tables = { 4: first.length, 19: bytes.length };
  const table = tableStream(tables, `/Prev ${withoutTable(first).at}`);
  const end = Buffer.from(`startxref\n${bytes.length}\n%%EOF\n`);
  return Buffer.concat([withObject(bytes, 19, table), end]);
}

export const readTwoWays: Revised[] = [
  {
    what: "two copies of the page content that show different amounts",
    bytes: () => shadowed(pageOf(shown), 4, contentOf(other)),
  },
  {
    what: "two copies of the page content that cover different amounts",
    bytes: () => {
      const [above, below] = [write(onScreen), write(elsewhere, 500)];
      const covering = (y: number) => `${above}${below}1 1 1 rg 50 ${y} 500 70 re f`;
      return shadowed(pageOf(covering(480)), 4, contentOf(covering(680)));
    },
  },
  {
    what: "two different copies of an image",
    bytes: () => shadowed(picture(), 6, pixels(0)),
  },
  {
    what: "two different copies of an image and a missing annotation",
    bytes: () => shadowed(picture("/Annots[99 0 R]"), 6, pixels(0)),
  },
  {
    what: "two different copies of a font's glyph",
    bytes: () => {
      const font =
        "<</Type/Font/Subtype/Type3/FontBBox[0 0 1000 1000]/FontMatrix[.001 0 0 .001 0 0]/CharProcs<</a 7 0 R>>/Encoding<</Differences[97/a]>>/FirstChar 97/LastChar 97/Widths[1000]>>";
      const objects = [font, letter("0 0 900 900")];
      const file = pageOf("BT /T 40 Tf 60 600 Td (a) Tj ET", { resources: "/Font<</T 6 0 R>>", objects });
      return shadowed(file, 7, letter("0 0 100 900"));
    },
  },
  {
    what: "two catalogs that show different layers",
    bytes: () => shadowed(layered(), 1, `<</Type/Catalog/Pages 2 0 R${layersWithout(6)}>>`),
  },
  {
    what: "two copies of a page that swap layers of the same name",
    bytes: () => {
      const file = layered();
      const page = /3 0 obj\n(<<.*>>)\nendobj\n4 0 obj/.exec(file.toString("latin1"))![1]!;
      return shadowed(file, 3, page.replace("/A 6 0 R/B 7 0 R", "/A 7 0 R/B 6 0 R"));
    },
  },
  {
    what: "a cross-reference to an object inside another object's stream",
    bytes: () => {
      const hidden = withObject(Buffer.alloc(0), 4, contentOf(shown));
      const file = pageOf(other, { objects: [streamOf(hidden, "")] });
      return leadingTo(file, file.indexOf(hidden));
    },
  },
  {
    what: "two copies of an object and a hybrid cross-reference table",
    bytes: () => hybrid(shown, contentOf(other)),
  },
  {
    what: "a stream whose stated length goes beyond its first end marker",
    bytes: () => {
      const [start, end] = [write(onScreen), `\nendstream\n1 1 1 rg 50 680 500 70 re f`];
      const content = `<</Length 6 0 R>>\nstream\n${start}${end}\nendstream`;
      return revised(pageOf(start, { objects: [`${start.length + end.length}`] }), { 4: content });
    },
  },
  {
    what: "an annotation that its cross-reference table marks as deleted",
    bytes: () =>
      revised(
        pageOf(write(onScreen, 500), { page: "/Annots[6 0 R]", objects: annotation(0b100, onScreen) }),
        { 6: null },
      ),
  },
  {
    what: "a second trailer that leads to other pages",
    bytes: () => {
      const file = pageOf(shown, {
        objects: [
          "<</Type/Catalog/Pages 7 0 R>>",
          "<</Type/Pages/Count 1/Kids[8 0 R]>>",
          "<</Type/Page/Parent 7 0 R/MediaBox[0 0 600 800]/Contents 9 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
          contentOf(other),
        ],
      });
      const more = `trailer\n<</Size 10/Root 6 0 R>>\nstartxref\n${withoutTable(file).at}\n%%EOF\n`;
      return Buffer.concat([file, Buffer.from(more)]);
    },
  },
];

export const wellRevised: Revised[] = [
  {
    what: "an appended revision",
    bytes: () => revised(pageOf(shown), { 4: contentOf(other) }),
  },
  {
    what: "three appended revisions of an image",
    bytes: () =>
      [pixels(0), pixels(100), pixels(50)].reduce((file, part) => revised(file, { 6: part }), picture()),
  },
  { what: "an appended revision and a cross-reference stream", bytes: revisedByStream },
  {
    what: "an annotation that a revision deleted",
    bytes: () => {
      const file = pageOf(shown, { page: "/Annots[6 0 R]", objects: annotation(0b100, onScreen) });
      const page =
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>";
      return revised(file, { 3: page, 6: null });
    },
  },
  { what: "a hybrid cross-reference table", bytes: () => hybrid(shown) },
  { what: "two identical copies of an object", bytes: () => shadowed(pageOf(shown), 4, contentOf(shown)) },
  {
    what: "an appended revision and no cross-reference table where one is expected",
    bytes: () =>
      Buffer.from(
        revised(pageOf(shown), { 4: contentOf(other) }, { prev: false })
          .toString("latin1")
          .replace(/startxref\n\d+\n%%EOF\n$/, "startxref\n0\n%%EOF\n"),
        "latin1",
      ),
  },
  {
    what: "a stream that ends with a line break and has its length in another object",
    bytes: () =>
      pageOf("", {
        page: "/Contents 6 0 R",
        objects: [`<</Length 7 0 R>>\nstream\n${shown}\r\nendstream`, `${shown.length + 1}`],
      }),
  },
  { what: "an image and a missing annotation", bytes: () => picture("/Annots[99 0 R]") },
];
