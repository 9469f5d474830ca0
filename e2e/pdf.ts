/** PDFs of pages of lines, for tests. */
import { PDFDocument, StandardFonts } from "pdf-lib";

export async function pdfOf(pages: string[][]): Promise<Buffer> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const lines of pages) {
    const page = document.addPage([595, 842]);
    for (const [index, line] of lines.entries()) {
      page.drawText(line, { x: 60, y: 770 - index * 30, size: 12, font });
    }
  }
  return Buffer.from(await document.save());
}
