/** The parts of a demo template that are not paragraphs: tables and signature blocks. */
import { BorderStyle, Paragraph, Table, TableCell, TableRow, TextRun, WidthType } from "docx";

export const ink = "1F2937";
export const gray = "6B7280";
const lineColor = "CBD5E1";
/** In twips (twentieths of a point). */
const textWidth = 9356;

/** Text between double asterisks becomes bold, and straight apostrophes become typographic ones. */
export function runs(text: string): TextRun[] {
  const pieces = text.replaceAll("'", "’").split("**");
  return pieces.map((piece, index) => new TextRun({ text: piece, bold: index % 2 === 1 }));
}

const rule = { style: BorderStyle.SINGLE, size: 4, color: lineColor };
const none = { style: BorderStyle.NONE, size: 0, color: "auto" };
const padding = { top: 80, bottom: 80, left: 110, right: 110 };

/** A table with two columns: a bold label and a value. */
export function tableOf(rows: string[][]): Table {
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

export function gap(): Paragraph {
  return new Paragraph({ spacing: { after: 60 }, children: [] });
}

/** Keeps the signatures from standing alone on a page. */
export function closing(): Paragraph {
  return new Paragraph({
    keepNext: true,
    spacing: { before: 360, after: 120 },
    children: runs("Signed by the parties' authorised representatives on the dates stated below."),
  });
}

/** A block for each party, side by side. Tags such as {{signature:1}} mark where signers fill in. */
export function signatures(parties: string[]): Table {
  const width = textWidth / 2;
  const line = (label: string, place: string) =>
    new Paragraph({
      keepNext: true,
      spacing: { before: 100 },
      children: [new TextRun({ text: `${label}: `, color: gray }), new TextRun(place)],
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
