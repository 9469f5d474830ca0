/** PDFs with pages of text lines, for tests. */
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { PDFDocument, StandardFonts } from "#lib/documents/pdf/pdf-lib.ts";

/** Returns a PDF. No two are the same document, even with the same words within the same second. */
export async function pdfOf(pages: string[][]): Promise<Buffer> {
  const document = await PDFDocument.create();
  document.setKeywords([randomUUID()]);
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const lines of pages) {
    const page = document.addPage([595, 842]);
    for (const [index, line] of lines.entries()) {
      page.drawText(line, { x: 60, y: 770 - index * 30, size: 12, font });
    }
  }
  return Buffer.from(await document.save());
}

/** Returns the text of a PDF. */
export async function pdfText(bytes: Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "pdf-text-"));
  const path = join(folder, "printed.pdf");
  try {
    await writeFile(path, bytes);
    return (await promisify(execFile)("pdftotext", ["-layout", path, "-"])).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}
