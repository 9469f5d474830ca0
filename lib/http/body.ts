/** Reads a request's body without files, within limits, and parses it as JSON. */
import { invalid, Refusal } from "#lib/core/errors.ts";
import { tooLarge } from "#lib/storage/incoming.ts";
import type { ApiRequest } from "./exchange.ts";

/** The limit of a body, or of everything but the file in it. */
export const bodyLimitBytes = 1024 * 1024;

export function refuseLength(request: ApiRequest, limitBytes: number): void {
  if (Number(request.header("content-length") ?? 0) > limitBytes) throw tooLarge("body", limitBytes);
}

export async function readBody(request: ApiRequest, limitBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.chunks()) {
    length += chunk.length;
    if (length > limitBytes) throw tooLarge("body", limitBytes);
    chunks.push(chunk);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

/** The most names in all objects of a body: the largest real request, with 500 fields, has 8,000. */
const maxNames = 20_000;

/** Nesting of lists and objects: no request needs ten levels. */
const maxDepth = 100;

/** Parses UTF-8 text that must be a JSON object. */
export function jsonObject(bytes: Uint8Array): Record<string, unknown> {
  const excess = excessOf(bytes);
  if (excess) throw invalid({ path: "", message: excess });
  const { text, body } = parseJson(bytes);
  const path = mayNameReserved.test(text) ? pathOfReserved(body) : null;
  if (path !== null) throw invalid({ path, message: reservedName });
  if (body === null || typeof body !== "object" || Array.isArray(body)) {
    throw invalid({ path: "", message: "must be a JSON object" });
  }
  return body as Record<string, unknown>;
}

function parseJson(bytes: Uint8Array): { text: string; body: unknown } {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { text, body: JSON.parse(text) };
  } catch {
    throw new Refusal("invalid_body", "The body is not valid JSON in UTF-8.");
  }
}

/** JavaScript drops a value under this name, so it is rejected instead of silently lost. */
export const reserved = "__proto__";
export const reservedName = "is a name that programs reserve";

/** Written literally or with escapes. */
const mayNameReserved = /__proto__|\\u/;

/**
 * The path of a reserved name in a value. Paths are built only on the way back: a body has room for half a million
 * numbers.
 */
function pathOfReserved(value: unknown): string | null {
  if (value === null || typeof value !== "object") return null;
  if (Object.hasOwn(value, reserved)) return reserved;
  const names = Array.isArray(value) ? value.keys() : Object.keys(value);
  for (const name of names) {
    const below = pathOfReserved((value as Record<string | number, unknown>)[name]);
    if (below !== null) return `${name}.${below}`;
  }
  return null;
}

const [quote, backslash, colon] = [0x22, 0x5c, 0x3a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * What a JSON text has too many of, if anything. Checked before parsing: each unknown name costs a microsecond to
 * parse, check and report, each nested list nearly as much, and a megabyte has room for very many.
 */
function excessOf(bytes: Uint8Array): string | null {
  let isInString = false;
  let [names, depth] = [0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) isInString = !isInString;
    else if (isInString) at += byte === backslash ? 1 : 0;
    else if (byte === colon) names++;
    else if (byte === openBrace || byte === openBracket) depth++;
    else if (byte === closeBrace || byte === closeBracket) depth--;
    if (names > maxNames) return `has more than ${maxNames.toLocaleString("en")} names in its objects`;
    if (depth > maxDepth) return `is nested more than ${maxDepth} levels deep`;
  }
  return null;
}
