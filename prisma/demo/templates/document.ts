/**
 * Builds the demo's templates out of text that can be read and reviewed. A line is a paragraph:
 *
 *     # Heading        a numbered clause              - text     a numbered paragraph of it (1.1)
 *     -- text          one of its points, (a)         > text     a paragraph without a number
 *     ## Annex         a heading on a new page        == text    a heading within it
 *     | a | b |        a row of a table               {#tag}     the beginning of a section, {/tag} its end
 *     SIGN a | b       the signature blocks of a, the first signer, and b, the second
 *
 * **Words** between asterisks are bold. Numbers are Word's own, so that clauses count right without the ones that
 * are off; for the same reason clauses are cited by their headings.
 */
import {
  AlignmentType,
  BorderStyle,
  Document,
  Footer,
  Header,
  type INumberingOptions,
  LevelFormat,
  Packer,
  PageNumber,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from "docx";

const font = "Calibri";
const ink = "1F2937";
const grey = "6B7280";
const lineColor = "CBD5E1";
/** In twentieths of a point. */
const textWidth = 9356;

const cm = (length: number) => Math.round(length * 567);

const levels: INumberingOptions["config"][number]["levels"] = [
  { format: LevelFormat.DECIMAL, text: "%1.", left: 1.25, hanging: 1.25, bold: true },
  { format: LevelFormat.DECIMAL, text: "%1.%2", left: 1.25, hanging: 1.25 },
  { format: LevelFormat.LOWER_LETTER, text: "(%3)", left: 2.25, hanging: 1 },
].map(({ format, text, left, hanging, bold = false }, level) => ({
  level,
  format,
  text,
  alignment: AlignmentType.LEFT,
  style: { run: { bold }, paragraph: { indent: { left: cm(left), hanging: cm(hanging) } } },
}));

/** A template as DOCX. */
export async function buildDocument({ title, text }: { title: string; text: string }): Promise<Uint8Array> {
  const document = new Document({
    creator: "Countersign",
    title,
    styles: {
      default: { document: { run: { font, size: 21, color: ink }, paragraph: { spacing: { line: 264 } } } },
    },
    numbering: { config: [{ reference: "clauses", levels }] },
    sections: [
      {
        properties: {
          page: {
            size: { width: 11906, height: 16838 },
            margin: { top: 1418, bottom: 1418, left: 1275, right: 1275, header: 680, footer: 680 },
          },
        },
        headers: { default: new Header({ children: [small(title, AlignmentType.RIGHT)] }) },
        footers: { default: new Footer({ children: [pageNumbers()] }) },
        children: [heading(title), ...blocksOf(text)],
      },
    ],
  });
  return Packer.toBuffer(document);
}

function small(text: string, alignment: (typeof AlignmentType)[keyof typeof AlignmentType]): Paragraph {
  return new Paragraph({ alignment, children: [new TextRun({ text, size: 16, color: grey })] });
}

function pageNumbers(): Paragraph {
  const children = ["Page ", PageNumber.CURRENT, " of ", PageNumber.TOTAL_PAGES];
  return new Paragraph({
    alignment: AlignmentType.CENTER,
    children: [new TextRun({ children, size: 16, color: grey })],
  });
}

function heading(text: string): Paragraph {
  return new Paragraph({
    spacing: { after: 240 },
    children: [new TextRun({ text, bold: true, size: 36 })],
  });
}

type Block = Paragraph | Table;

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let rows: string[][] = [];
  // Each annex counts its clauses from 1.
  let instance = 0;
  const endTable = () => {
    if (rows.length > 0) blocks.push(tableOf(rows), gap());
    rows = [];
  };
  for (const line of text.split("\n").map((one) => one.trim())) {
    if (line === "") continue;
    if (line.startsWith("|")) {
      rows.push(
        line
          .split("|")
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );
      continue;
    }
    endTable();
    if (line.startsWith("## ")) instance++;
    if (line.startsWith("SIGN ")) blocks.push(closing(), signatures(line.slice(5).split(" | ")));
    else blocks.push(paragraphOf(line, instance));
  }
  endTable();
  return blocks;
}

function paragraphOf(line: string, instance: number): Paragraph {
  const [, mark = "", text = ""] = /^(##?|==|--?|>)\s+(.*)$/.exec(line) ?? ["", "", line];
  const numbering = (level: number) => ({ reference: "clauses", level, instance });
  switch (mark) {
    case "#":
      return new Paragraph({
        numbering: numbering(0),
        keepNext: true,
        spacing: { before: 240, after: 80 },
        children: [new TextRun({ text, bold: true, size: 23 })],
      });
    case "##":
      return new Paragraph({
        pageBreakBefore: true,
        spacing: { after: 200 },
        children: [new TextRun({ text, bold: true, size: 28 })],
      });
    case "==":
      return new Paragraph({
        keepNext: true,
        spacing: { before: 200, after: 80 },
        children: [new TextRun({ text, bold: true, size: 23 })],
      });
    case "-":
      return new Paragraph({ numbering: numbering(1), spacing: { after: 100 }, children: runs(text) });
    case "--":
      return new Paragraph({ numbering: numbering(2), spacing: { after: 60 }, children: runs(text) });
    case ">":
      return new Paragraph({ indent: { left: cm(1.25) }, spacing: { after: 100 }, children: runs(text) });
    default:
      return new Paragraph({ spacing: { after: 120 }, children: runs(text) });
  }
}

/** Words between asterisks are bold, and apostrophes are what a typesetter makes of them. */
function runs(text: string): TextRun[] {
  const pieces = text.replaceAll("'", "’").split("**");
  return pieces.map((piece, index) => new TextRun({ text: piece, bold: index % 2 === 1 }));
}

const rule = { style: BorderStyle.SINGLE, size: 4, color: lineColor };
const none = { style: BorderStyle.NONE, size: 0, color: "auto" };
const padding = { top: 80, bottom: 80, left: 110, right: 110 };

/** Two columns: what it is, and what it says. */
function tableOf(rows: string[][]): Table {
  const narrow = 2700;
  const widths = [narrow, textWidth - narrow];
  const cell = (text: string, index: number) =>
    new TableCell({
      width: { size: widths[index]!, type: WidthType.DXA },
      margins: padding,
      children: [new Paragraph({ children: runs(index === 0 ? `**${text}**` : text) })],
    });
  return new Table({
    columnWidths: widths,
    width: { size: textWidth, type: WidthType.DXA },
    borders: {
      top: rule,
      bottom: rule,
      insideHorizontal: rule,
      left: none,
      right: none,
      insideVertical: none,
    },
    rows: rows.map((cells) => new TableRow({ cantSplit: true, children: cells.map(cell) })),
  });
}

function gap(): Paragraph {
  return new Paragraph({ spacing: { after: 60 }, children: [] });
}

/** Keeps the signatures from standing alone on a page. */
function closing(): Paragraph {
  return new Paragraph({
    keepNext: true,
    spacing: { before: 360, after: 120 },
    children: runs("Signed by the parties' authorised representatives on the dates stated below."),
  });
}

/** A block for each party, side by side: {{signature:1}} and its like mark where signers fill in. */
function signatures(parties: string[]): Table {
  const width = textWidth / 2;
  const line = (label: string, place: string) =>
    new Paragraph({
      keepNext: true,
      spacing: { before: 100 },
      children: [new TextRun({ text: `${label}: `, color: grey }), new TextRun(place)],
    });
  const cell = (party: string, index: number) => {
    const signer = index + 1;
    return new TableCell({
      width: { size: width, type: WidthType.DXA },
      margins: { top: 80, bottom: 80, left: 0, right: 300 },
      children: [
        new Paragraph({
          keepNext: true,
          children: [new TextRun("Signed for "), new TextRun({ text: party, bold: true })],
        }),
        new Paragraph({
          keepNext: true,
          spacing: { before: 360, after: 160 },
          border: { bottom: { ...rule, color: ink, space: 4 } },
          children: [new TextRun(`{{signature:${signer}}}`)],
        }),
        line("Name", `{{name:${signer}}}`),
        line("Title", `{{title:${signer}}}`),
        line("Date", `{{date:${signer}}}`),
      ],
    });
  };
  const borders = {
    top: none,
    bottom: none,
    left: none,
    right: none,
    insideHorizontal: none,
    insideVertical: none,
  };
  return new Table({
    columnWidths: [width, width],
    width: { size: textWidth, type: WidthType.DXA },
    borders,
    rows: [new TableRow({ cantSplit: true, children: parties.map(cell) })],
  });
}
