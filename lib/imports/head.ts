/** Reads the start of a CSV: its columns, and samples of their cells to guess what they are. */
import { open } from "node:fs/promises";
import { readRecords } from "#lib/contracts/import/rows.ts";
import type { FileField } from "#lib/core/operation.ts";
import type { CustomField } from "#lib/custom-fields/schema.ts";
import { guessDateOrder, guessFields } from "./catalogue.ts";
import { type ColumnHead, csvLimitBytes, type Mapping, maxColumns } from "./schema.ts";

const headBytes = 64 * 1024;
const samplesOf = 3;
const sampleCharacters = 80;

/** Reads the head in this process: it is too small to need a child process. */
export async function readHead(path: string): Promise<{ columns: ColumnHead[] } | { wrong: string }> {
  const bytes = await beginningOf(path);
  if (bytes.includes(0)) return { wrong: "is not a CSV: save the table as CSV in UTF-8" };
  const lastLine = bytes.lastIndexOf("\n");
  const whole = bytes.length < headBytes ? bytes : bytes.subarray(0, lastLine + 1);
  if (whole.length === 0) return { wrong: "has a first line that is too long for the names of columns" };
  const { header, records, errors } = readRecords(upToQuote(whole));
  if (errors[0]) return { wrong: errors[0].message };
  if (header.length > maxColumns) return { wrong: `has more than ${maxColumns} columns` };
  const columns = header.map((name, index) => ({
    name: name.slice(0, sampleCharacters).toWellFormed(),
    samples: records
      .map(({ record }) => (record[index] ?? "").trim().slice(0, sampleCharacters).toWellFormed())
      .filter((cell) => cell !== "")
      .slice(0, samplesOf),
  }));
  return { columns };
}

async function beginningOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(headBytes), position: 0 });
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Cuts the bytes off before a cell of several lines that is incomplete. */
function upToQuote(bytes: Buffer): Buffer {
  const quotes = bytes.reduce((count, byte) => count + (byte === 0x22 ? 1 : 0), 0);
  if (quotes % 2 === 0) return bytes;
  const start = bytes.lastIndexOf("\n", bytes.lastIndexOf('"'));
  return start < 0 ? bytes : bytes.subarray(0, start + 1);
}

export function guessMapping(columns: ColumnHead[], customFields: CustomField[]): Mapping {
  const fields = guessFields(
    columns.map(({ name }) => name),
    customFields,
  );
  const dates = columns.flatMap(({ samples }, index) =>
    fields[index] === "effectiveDate" || fields[index] === "executedAt" ? samples : [],
  );
  return { fields, type: "OTHER", ourRole: "COUNTERPARTY", dateOrder: guessDateOrder(dates) };
}

/** The file field of an import. */
export const csvField: FileField = {
  name: "csv",
  limitBytes: csvLimitBytes,
  lane: "requests",
  async inspect({ path }) {
    const head = await readHead(path);
    if ("wrong" in head) return { wrong: [{ name: "contentBase64", message: head.wrong }] };
    return { contentType: "text/csv", pageCount: null };
  },
};
