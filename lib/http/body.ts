/** The body of a request, without files: read within bounds, parsed as JSON. */
import { invalid, Refusal } from "#lib/core/errors.ts";
import { tooLarge } from "#lib/storage/incoming.ts";
import type { Asked } from "./exchange.ts";

/** Of a body, or of what surrounds a file in it. */
export const bodyLimitBytes = 1024 * 1024;

export function refuseLength(asked: Asked, limitBytes: number): void {
  if (Number(asked.header("content-length") ?? 0) > limitBytes) throw tooLarge("body", limitBytes);
}

export async function readBody(asked: Asked, limitBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of asked.chunks()) {
    length += chunk.length;
    if (length > limitBytes) throw tooLarge("body", limitBytes);
    chunks.push(chunk);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

/** Text in UTF-8 that is a JSON object. */
export function jsonObject(bytes: Uint8Array): Record<string, unknown> {
  const body = parseJson(bytes);
  if (body === null || typeof body !== "object" || Array.isArray(body)) {
    throw invalid({ path: "", message: "must be a JSON object" });
  }
  return body as Record<string, unknown>;
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new Refusal("invalid_body", "The body is not valid JSON in UTF-8.");
  }
}
