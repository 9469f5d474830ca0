/**
 * Values as lines of JSON between this process and one that runs a parser. Long lists are divided, so that this process
 * serves others while it reads or writes megabytes. Nothing but JSON is accepted: the other process may have been taken
 * over by a file.
 */
import { Readable, type Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";

/** A property; `isPart`: more items of a list. The name is null for a value as a whole, which its properties follow. */
type Line = [name: string | null, value: unknown, isPart?: true];

/** A part of a list ends when it has so many letters. */
const lettersAtOnce = 64 * 1024;

export function* linesOf(value: unknown): Generator<string> {
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    yield lineOf([null, value ?? null]);
    return;
  }
  yield lineOf([null, {}]);
  for (const [name, property] of Object.entries(value)) {
    if (property === undefined) continue;
    if (!Array.isArray(property)) yield lineOf([name, property]);
    else yield* linesOfList(name, property);
  }
}

/** Writes a value and ends the stream. */
export function writeLines(stream: Writable, value: unknown): void {
  const inTurns = async function* () {
    for (const line of linesOf(value)) {
      yield line;
      await setImmediate();
    }
  };
  Readable.from(inTurns()).pipe(stream);
}

const lineOf = (line: Line) => `${JSON.stringify(line)}\n`;

function* linesOfList(name: string, list: unknown[]): Generator<string> {
  yield lineOf([name, []]);
  let part: string[] = [];
  let letters = 0;
  for (const [index, item] of list.entries()) {
    const text = JSON.stringify(item) ?? "null";
    part.push(text);
    letters += text.length;
    if (letters < lettersAtOnce && index < list.length - 1) continue;
    yield `[${JSON.stringify(name)},[${part.join(",")}],true]\n`;
    [part, letters] = [[], 0];
  }
}

/** Puts a value together from its lines. */
export class LineDecoder {
  #whole: unknown;
  readonly #properties = new Map<string, unknown>();

  /** Throws if the text is no such line. */
  addLine(text: string): void {
    const [name, value, isPart] = JSON.parse(text) as Line;
    if (name === null) this.#whole = value;
    else if (!isPart) this.#properties.set(name, value);
    else for (const item of value as unknown[]) (this.#properties.get(name) as unknown[]).push(item);
  }

  /** Undefined if there was no line. */
  value(): unknown {
    return this.#properties.size === 0 ? this.#whole : Object.fromEntries(this.#properties);
  }
}

/** Reads a stream line by line. A line may be long, and is joined once. */
export async function readLines(stream: Readable, take: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  const read = (text: string) => {
    const [first = "", ...others] = text.split("\n");
    parts.push(first);
    for (const next of others) {
      take(parts.join(""));
      parts = [next];
    }
  };
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    read(decoder.decode(chunk, { stream: true }));
    await setImmediate();
  }
  read(decoder.decode());
  const last = parts.join("");
  if (last !== "") take(last);
}
