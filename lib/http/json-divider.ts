/**
 * Extracts one long string from JSON as it arrives, so that a file in base64 is never in memory as a whole. The rest is
 * JSON with a marker in the string's place; it is small, and parsed as usual.
 */

export type Piece =
  /** JSON text, to be parsed once it is complete. */
  | { kind: "text"; bytes: Uint8Array }
  /** The string begins; the text got `marker` in its place. */
  | { kind: "begin"; marker: string }
  /** A part of the string, its escapes resolved. */
  | { kind: "string"; bytes: Uint8Array }
  | { kind: "end" };

const quote = 0x22;
const backslash = 0x5c;
const [openBrace, closeBrace, openBracket, closeBracket, comma] = [0x7b, 0x7d, 0x5b, 0x5d, 0x2c];

const escapes: Record<string, number> = { n: 0x0a, r: 0x0d, t: 0x09, b: 0x08, f: 0x0c };

/** Extracts the string at `outer.inner` of the JSON's object; if the path occurs twice, reports it twice. */
export class JsonDivider {
  readonly #path: [string, string];
  readonly #markerOf: (index: number) => string;
  #depth = 0;
  /** For the first two levels: whether each is an object, and its current key. */
  #isObject: boolean[] = [];
  #keys: (string | null)[] = [];
  #awaitsKey = false;
  #state: "between" | "key" | "string" | "taken" = "between";
  #key: number[] = [];
  #isEscaped = false;
  #escape = "";
  #taken = 0;

  constructor(path: [outer: string, inner: string], markerOf: (index: number) => string) {
    this.#path = path;
    this.#markerOf = markerOf;
  }

  *push(chunk: Uint8Array): Generator<Piece> {
    let from = 0;
    let at = 0;
    while (at < chunk.length) {
      if (this.#state === "taken") {
        at = yield* this.#take(chunk, at);
        from = at;
        continue;
      }
      const byte = chunk[at++]!;
      if (this.#state === "between") this.#structure(byte);
      else this.#letter(byte);
      if ((this.#state as string) !== "taken") continue;
      const marker = this.#markerOf(this.#taken++);
      yield { kind: "text", bytes: chunk.subarray(from, at) };
      yield { kind: "text", bytes: Buffer.from(`${marker}"`) };
      yield { kind: "begin", marker };
      from = at;
    }
    if (from < chunk.length) yield { kind: "text", bytes: chunk.subarray(from) };
  }

  #structure(byte: number): void {
    if (byte === quote) this.#state = this.#stringHere();
    else if (byte === openBrace || byte === openBracket) this.#open(byte === openBrace);
    else if (byte === closeBrace || byte === closeBracket) {
      this.#depth--;
      this.#awaitsKey = false;
    } else if (byte === comma) this.#awaitsKey = this.#isObject[this.#depth - 1] === true;
  }

  #open(isObject: boolean): void {
    this.#depth++;
    this.#awaitsKey = isObject && this.#depth <= 2;
    if (this.#depth > 2) return;
    this.#isObject[this.#depth - 1] = isObject;
    this.#keys[this.#depth - 1] = null;
  }

  #stringHere(): "key" | "string" | "taken" {
    if (this.#awaitsKey) {
      this.#key = [];
      this.#awaitsKey = false;
      return "key";
    }
    const isIt = this.#depth === 2 && this.#keys[0] === this.#path[0] && this.#keys[1] === this.#path[1];
    return isIt ? "taken" : "string";
  }

  #letter(byte: number): void {
    if (this.#state === "key" && (byte !== quote || this.#isEscaped)) this.#key.push(byte);
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) {
      if (this.#state === "key") this.#keys[this.#depth - 1] = keyOf(this.#key);
      this.#state = "between";
    }
  }

  /** Yields bytes without escapes as they are; returns where it stopped. */
  *#take(chunk: Uint8Array, start: number): Generator<Piece, number> {
    let at = start;
    while (this.#escape !== "" && at < chunk.length) {
      this.#escape += String.fromCharCode(chunk[at++]!);
      const letter = resolved(this.#escape);
      if (letter === undefined) continue;
      this.#escape = "";
      yield { kind: "string", bytes: Buffer.from([letter]) };
    }
    if (at === chunk.length) return at;
    const end = indexOr(chunk, quote, at);
    const escaped = chunk.subarray(at, end).indexOf(backslash);
    const stop = escaped < 0 ? end : at + escaped;
    if (stop > at) yield { kind: "string", bytes: chunk.subarray(at, stop) };
    if (stop === chunk.length) return stop;
    if (escaped >= 0) this.#escape = "\\";
    else {
      this.#state = "between";
      yield { kind: "end" };
    }
    return stop + 1;
  }
}

function indexOr(chunk: Uint8Array, byte: number, from: number): number {
  const index = chunk.indexOf(byte, from);
  return index < 0 ? chunk.length : index;
}

function keyOf(bytes: number[]): string {
  try {
    return JSON.parse(`"${Buffer.from(bytes).toString("utf8")}"`);
  } catch {
    // Not JSON; the parser will report it.
    return "";
  }
}

/** The byte of a complete escape. A character that base64 cannot contain stays invalid as base64. */
function resolved(written: string): number | undefined {
  if (written[1] !== "u") return escapes[written[1]!] ?? written.charCodeAt(1);
  if (written.length < 6) return undefined;
  const code = Number.parseInt(written.slice(2), 16);
  return code < 128 ? code : 0;
}
