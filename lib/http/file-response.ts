/** Sends a stored file: named, with an ETag, whole or a range. */
import { create } from "content-disposition";
import parseRange from "range-parser";
import { Refusal } from "#lib/core/errors.ts";
import { etagMatches } from "#lib/core/serialize.ts";
import type { LinkedFile } from "#lib/storage/signed.ts";
import { findStored } from "#lib/storage/store.ts";
import type { ApiRequest, ApiResponse, ResponseHeaders } from "./exchange.ts";

export interface ServedFile extends LinkedFile {
  organizationId: string;
  /** Runs when the file has been checked and is about to be sent. */
  onSend?(): Promise<void>;
}

/** Sends nothing before the whole file has been checked against its hash. */
export async function fileResponse(
  request: ApiRequest,
  headers: ResponseHeaders,
  file: ServedFile,
): Promise<ApiResponse> {
  const etag = `"${file.sha256}"`;
  Object.assign(headers, { etag, "accept-ranges": "bytes" });
  const known = request.header("if-none-match");
  if (known && etagMatches(known.replaceAll("W/", ""), etag)) return { status: 304, headers, body: null };
  const { sizeBytes, open } = await findStored(file.organizationId, file.sha256);
  const range = rangeOf(request, etag, sizeBytes);
  const { start, end } = range ?? { start: 0, end: sizeBytes - 1 };
  Object.assign(headers, {
    "content-type": file.contentType,
    "content-length": String(end - start + 1),
    "content-disposition": create(file.fileName, { type: file.disposition }),
    // Whatever the file contains, a browser must take it for its declared type and execute nothing in it.
    "x-content-type-options": "nosniff",
    "content-security-policy": "sandbox",
  });
  if (range) headers["content-range"] = `bytes ${start}-${end}/${sizeBytes}`;
  const status = range ? 206 : 200;
  if (request.method === "HEAD") return { status, headers, body: null };
  const body = await open(range ?? undefined);
  try {
    await file.onSend?.();
  } catch (error) {
    body.destroy();
    throw error;
  }
  return { status, headers, body };
}

/** The one requested range; null means the whole file, which is also sent for any other Range header. */
function rangeOf(
  request: ApiRequest,
  etag: string,
  sizeBytes: number,
): { start: number; end: number } | null {
  const header = request.method === "GET" ? request.header("range") : undefined;
  const condition = request.header("if-range");
  if (!header || (condition !== undefined && condition !== etag)) return null;
  const ranges = parseRange(sizeBytes, header, { combine: true });
  if (ranges === -1) {
    throw new Refusal(
      "range_not_satisfiable",
      `The file has ${sizeBytes} bytes, and none of those requested.`,
      {
        headers: { "content-range": `bytes */${sizeBytes}` },
      },
    );
  }
  const [only, more] = ranges === -2 || ranges.type !== "bytes" ? [] : ranges;
  return only && !more ? { start: only.start, end: only.end } : null;
}
