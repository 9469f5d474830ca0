/** Detects the type of an uploaded file from its bytes; runs only in the child process. */
import { open } from "node:fs/promises";
import { UnacceptableFile } from "#lib/documents/sandbox/unacceptable-file.ts";

export const pdfType = "application/pdf";
export const docxType = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

/**
 * What is wrong: the type of file, or the file itself. The message continues a sentence that begins with the field's
 * name.
 */
export type InspectionResult =
  | { contentType: string; pageCount: number | null }
  | { wrong: "type" | "content"; message: string };

export async function inspectFile({ path }: { path: string }): Promise<InspectionResult> {
  return inspect(path, await headOf(path));
}

/** The same for bytes that are not in a file. */
export async function inspectBytes({ bytes }: { bytes: Uint8Array }): Promise<InspectionResult> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return inspect(file, file.subarray(0, headBytes));
}

async function inspect(file: string | Buffer, head: Buffer): Promise<InspectionResult> {
  const type = await typeOf(head);
  try {
    // Each process reads one file, so it loads only what reads that type.
    if (type === "pdf") {
      const { inspectPdf } = await import("./inspect-pdf.ts");
      return { contentType: pdfType, pageCount: await inspectPdf(file) };
    }
    if (type === "docx") {
      const { inspectDocx } = await import("#lib/documents/docx/inspect-docx.ts");
      await inspectDocx(file);
      return { contentType: docxType, pageCount: null };
    }
  } catch (error) {
    if (error instanceof UnacceptableFile) return { wrong: "content", message: error.message };
    throw error;
  }
  return { wrong: "type", message: type };
}

const headBytes = 1024 * 1024;

async function headOf(path: string): Promise<Buffer> {
  const head = Buffer.alloc(headBytes);
  const file = await open(path);
  const { bytesRead } = await file.read(head, 0, headBytes, 0);
  await file.close();
  return head.subarray(0, bytesRead);
}

/** "pdf", "docx", or why it is neither. */
async function typeOf(bytes: Buffer): Promise<string> {
  if (bytes.subarray(0, 5).toString("latin1") === "%PDF-") return "pdf";
  if (bytes.subarray(0, 4).toString("latin1") === "PK\x03\x04") return "docx";
  const { fileTypeFromBuffer } = await import("file-type");
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined);
  if (found?.ext === "cfb") {
    return "must be a PDF or DOCX without a password; this is one with a password, or of an older format";
  }
  return `must be a PDF or DOCX file${found ? `; this is ${found.ext.toUpperCase()}` : ""}`;
}
