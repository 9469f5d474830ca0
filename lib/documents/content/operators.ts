/** Reads a content stream operation by operation, skipping strings, comments and images. */

export interface Operation {
  /** The operator's name; `BI` stands for a whole inline image. */
  operator: string;
  /** Each as written. */
  operands: string[];
  /** Where the operation begins in the stream, operands included. */
  start: number;
  end: number;
}

/** Viewers know no operator with more. */
const maxOperands = 64;

/**
 * Each operation is written in the bytes from `start` to `end`, so that a stream can be copied without some of them.
 */
export function* operations(bytes: Uint8Array): Generator<Operation> {
  let at = 0;
  let start = -1;
  let operands: string[] = [];
  const take = (from: number, to: number) => {
    if (operands.length < maxOperands) operands.push(latin1(bytes, from, to));
  };
  /** An array or dictionary is one operand. */
  let nesting = 0;
  let nestedFrom = 0;
  while (at < bytes.length) {
    const byte = bytes[at]!;
    if (isSpace(byte)) {
      at++;
      continue;
    }
    if (byte === 0x25) {
      at = endOfLine(bytes, at);
      continue;
    }
    const from = at;
    if (start < 0) start = from;
    at = endOfToken(bytes, at);
    const opens = byte === 0x5b || (byte === 0x3c && at - from === 2);
    const closes = byte === 0x5d || (byte === 0x3e && at - from === 2);
    if (opens && nesting++ === 0) nestedFrom = from;
    else if (closes && nesting > 0 && --nesting === 0) take(nestedFrom, at);
    else if (nesting > 0 || closes) continue;
    else if (!opens) {
      const token = delimiters.has(byte) ? "" : latin1(bytes, from, at);
      if (!isOperator(token)) {
        take(from, at);
        continue;
      }
      if (token === "BI") at = endOfImage(bytes, at);
      yield { operator: token, operands, start, end: at };
      [start, operands] = [-1, []];
    }
  }
}

/** The name in an operand, without slash and escapes. */
export function nameIn(operand: string | undefined): string | null {
  if (!operand?.startsWith("/")) return null;
  return operand
    .slice(1)
    .replace(/#([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

const latin1 = (bytes: Uint8Array, start: number, end: number) =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString("latin1");

const isSpace = (byte: number | undefined) =>
  byte === undefined || byte === 32 || (byte >= 9 && byte <= 13) || byte === 0;
const delimiters = new Set([..."()<>[]{}/%"].map((one) => one.charCodeAt(0)));

const isOperator = (token: string) => token !== "" && !/^[+-]*[\d.]|^(true|false|null)$/.test(token);

function endOfToken(bytes: Uint8Array, start: number): number {
  const byte = bytes[start]!;
  if (byte === 0x28) return endOfString(bytes, start);
  const isPair = bytes[start + 1] === byte;
  if (byte === 0x3c && !isPair) {
    const end = bytes.indexOf(0x3e, start);
    return end < 0 ? bytes.length : end + 1;
  }
  if (byte === 0x3c || byte === 0x3e) return start + (isPair ? 2 : 1);
  if (delimiters.has(byte) && byte !== 0x2f) return start + 1;
  let at = start + 1;
  while (at < bytes.length && !isSpace(bytes[at]) && !delimiters.has(bytes[at]!)) at++;
  return at;
}

function endOfLine(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== 10 && bytes[at] !== 13) at++;
  return at;
}

function endOfString(bytes: Uint8Array, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; at++) {
    if (bytes[at] === 0x5c) at++;
    else if (bytes[at] === 0x28) depth++;
    else if (bytes[at] === 0x29 && --depth === 0) return at + 1;
  }
  return bytes.length;
}

/** The position after an `EI` between white space: where viewers assume that the image's data ends. */
function endOfImage(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && !(bytes[at] === 0x49 && bytes[at + 1] === 0x44 && isSpace(bytes[at + 2]))) at++;
  for (at += 2; at < bytes.length; at++) {
    const isEnd = bytes[at] === 0x45 && bytes[at + 1] === 0x49 && isSpace(bytes[at - 1]);
    if (isEnd && isSpace(bytes[at + 2])) return at + 2;
  }
  return bytes.length;
}
