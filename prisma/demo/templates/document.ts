/**
 * Builds the demo's templates from plain text that can be reviewed. Each line is a paragraph:
 *
 *     # Heading        a numbered clause              - text     a numbered paragraph of it (1.1)
 *     -- text          one of its points, (a)         > text     a paragraph without a number
 *     ## Annex         a heading on a new page        == text    a heading within it
 *     | a | b |        a row of a table               {#tag}     the beginning of a section, {/tag} its end
 *     SIGN a | b       the signature blocks of a, the first signer, and b, the second
 *
 * **Words** between double asterisks are bold. Word numbers the clauses itself, so that the numbers are right when
 * sections are left out; for the same reason, the text refers to clauses by their headings.
 */
import {
  AlignmentType,
  Document,
  Footer,
  Header,
  type INumberingOptions,
  LevelFormat,
  Packer,
  PageNumber,
  Paragraph,
  type Table,
  TextRun,
} from "docx";
import { closing, gap, gray, ink, runs, signatures, tableOf } from "./blocks.ts";

const font = "Calibri";

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

/** Builds a template as DOCX. */
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
  return new Paragraph({ alignment, children: [new TextRun({ text, size: 16, color: gray })] });
}

function pageNumbers(): Paragraph {
  const children = ["Page ", PageNumber.CURRENT, " of ", PageNumber.TOTAL_PAGES];
  return new Paragraph({
    alignment: AlignmentType.CENTER,
    children: [new TextRun({ children, size: 16, color: gray })],
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
  // Each annex numbers its clauses from 1.
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
