/** Serializes responses, and computes their ETags. */
import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { Context } from "./context.ts";
import { Refusal } from "./errors.ts";
import { observer } from "./observer.ts";
import { toJsonValue } from "./wire.ts";

/** JSON that its schema serialized when it was stored, passed on unchanged. */
export class StoredJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

interface PrintedRow<Id> {
  id: Id;
  /** Everything that the row's text depends on. */
  key: string;
  text: StoredJson;
}

/** A cache of serialized list rows, up to 8 MB; the least recently listed are dropped. */
export class SerializedRowCache<Id> {
  readonly #texts = new LRUCache<string, StoredJson>({
    maxSize: 8 * 1024 * 1024,
    sizeCalculation: ({ text }, key) => text.length + key.length,
  });

  /**
   * Returns the rows with these keys, in this order. `print` reads and serializes those not cached; deleted ones are
   * left out.
   */
  async of(
    keys: ReadonlyMap<Id, string>,
    print: (missing: Id[]) => Promise<PrintedRow<Id>[]>,
  ): Promise<StoredJson[]> {
    const found = new Map([...keys].map(([id, key]) => [id, this.#texts.get(key)]));
    const missing = [...keys.keys()].filter((id) => !found.get(id));
    for (const { id, key, text } of missing.length > 0 ? await print(missing) : []) {
      this.#texts.set(key, text);
      found.set(id, text);
    }
    return [...keys.keys()].flatMap((id) => found.get(id) ?? []);
  }
}

type Writer = (value: unknown, path: string) => string;

const writers = new WeakMap<z.core.$ZodType, Writer>();

/**
 * Serializes a value by its schema, as JSON text. Fields that the schema does not name are left out, so a secret cannot
 * leak; a value that does not fit throws. Dates become ISO 8601, bigints become digits.
 *
 * Parsing with zod and then stringifying does the same at four times the cost, which for long lists is most of the
 * request; so each schema is compiled to a writer once.
 */
export function serialize(schema: z.core.$ZodType, value: unknown): string {
  const text = writerOf(schema)(value, "");
  observer()?.answerSerialized(schema, text);
  return text;
}

function writerOf(schema: z.core.$ZodType): Writer {
  let writer = writers.get(schema);
  if (!writer) {
    writer = compile(schema);
    writers.set(schema, writer);
  }
  return writer;
}

function compile(schema: z.core.$ZodType): Writer {
  if (schema instanceof z.ZodObject) return writeObject(schema);
  if (schema instanceof z.ZodArray) return writeArray(schema);
  if (schema instanceof z.ZodNullable) {
    const inner = writerOf(schema.unwrap());
    return (value, path) => (value === null ? "null" : inner(value, path));
  }
  if (schema instanceof z.ZodEnum) return writeEnum(schema);
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat) return writeString;
  if (schema instanceof z.ZodNumber) return writeNumber;
  if (schema instanceof z.ZodBoolean) return writeBoolean;
  // Records, unions and the like are rare and small.
  return (value) => JSON.stringify(z.parse(schema, toJsonValue(value)));
}

const mismatch = (path: string, expected: string) =>
  new TypeError(`The answer's ${path} is not ${expected}.`);

function writeObject(schema: z.ZodObject): Writer {
  const fields = Object.entries(schema.shape).map(([name, field]) => {
    const isOptional = field instanceof z.ZodOptional;
    const write = writerOf(isOptional ? field.unwrap() : field);
    return { name, isOptional, write, label: `${JSON.stringify(name)}:` };
  });
  return (value, path) => {
    if (value instanceof StoredJson) return value.text;
    if (typeof value !== "object" || value === null) throw mismatch(path, "an object");
    let text = "";
    for (const { name, isOptional, write, label } of fields) {
      const field = (value as Record<string, unknown>)[name];
      if (isOptional && field === undefined) continue;
      text += `${text === "" ? "{" : ","}${label}${write(field, name)}`;
    }
    return text === "" ? "{}" : `${text}}`;
  };
}

function writeArray(schema: z.ZodArray): Writer {
  const write = writerOf(schema.element);
  return (value, path) => {
    if (!Array.isArray(value)) throw mismatch(path, "a list");
    let text = "";
    for (const item of value) text += `${text === "" ? "[" : ","}${write(item, path)}`;
    return text === "" ? "[]" : `${text}]`;
  };
}

function writeEnum(schema: z.ZodEnum): Writer {
  const texts = new Map<unknown, string>(schema.options.map((option) => [option, JSON.stringify(option)]));
  return (value, path) => {
    const text = texts.get(value);
    if (text === undefined) throw mismatch(path, "one of the documented values");
    return text;
  };
}

const writeString: Writer = (value, path) => {
  if (typeof value === "string") return JSON.stringify(value);
  if (value instanceof Date) return `"${value.toISOString()}"`;
  if (typeof value === "bigint") return `"${value}"`;
  throw mismatch(path, "text");
};

const writeNumber: Writer = (value, path) => {
  if (typeof value !== "number" || !Number.isFinite(value)) throw mismatch(path, "a number");
  return String(value);
};

const writeBoolean: Writer = (value, path) => {
  if (typeof value !== "boolean") throw mismatch(path, "true or false");
  return String(value);
};

/** The ETag of a response: the same bytes have the same tag, on every server. */
export function etagOf(body: string | Uint8Array): string {
  return `"${hash("sha256", body, "base64url").slice(0, 27)}"`;
}

/** Whether a tag is among those of an If-Match or If-None-Match header. */
export function etagMatches(header: string, tag: string): boolean {
  const tags = header.split(",").map((item) => item.trim());
  return tags.includes("*") || tags.includes(tag);
}

/**
 * Throws if a resource has changed since the caller last read it (If-Match). `representation` is what the resource's
 * GET would return now; call it while nobody else can change the resource.
 */
export async function expectUnchanged(
  ctx: Context,
  schema: z.ZodType,
  representation: () => unknown,
): Promise<void> {
  if (ctx.ifMatch === null) return;
  const tag = etagOf(serialize(schema, await representation()));
  if (etagMatches(ctx.ifMatch, tag)) return;
  throw new Refusal(
    "precondition_failed",
    "The resource has changed since it was read. Read it again, and send the change with its new ETag.",
  );
}
