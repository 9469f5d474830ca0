/** The input of an operation as a request carries it: in the query, in a JSON body, or in a form with a file. */
import { z } from "zod";
import { type Issue, Refusal } from "#lib/core/errors.ts";
import type { AnyOperation } from "#lib/core/operation.ts";
import { bodyLimitBytes, jsonObject, readBody, refuseLength } from "./body.ts";
import type { Asked } from "./exchange.ts";
import { formInput } from "./input-form.ts";
import { jsonWithFile } from "./input-json.ts";
import type { Upload } from "./upload.ts";

/**
 * The query as a plain object. A name that the schema has as an array collects all its values, written
 * `status=A&status=B` or `status[]=A`; of any other name the last value counts.
 */
export function queryInput(schema: z.ZodObject, search: string): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [written, value] of new URLSearchParams(search)) {
    const name = written.endsWith("[]") ? written.slice(0, -2) : written;
    const field = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
    if (!field) continue;
    if (!isArray(field)) input[name] = value;
    else if (Array.isArray(input[name])) input[name].push(value);
    else input[name] = [value];
  }
  return input;
}

function isArray(field: z.core.$ZodType): boolean {
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault) return isArray(field.unwrap());
  return field instanceof z.ZodArray;
}

export interface BodyInput {
  body: Record<string, unknown>;
  /** What the path already says may not be said again: the caller sees it together with all else that is wrong. */
  refused: Issue[];
  /** Whoever gets it discards it. */
  upload: Upload | null;
  isForm: boolean;
}

const nothing: BodyInput = { body: {}, refused: [], upload: null, isForm: false };

/** The object that a body carries, and the file in it. */
export async function bodyInput(
  asked: Asked,
  { input, file }: AnyOperation,
  parameters: Record<string, string>,
): Promise<BodyInput> {
  if (asked.method === "DELETE") return nothing;
  const type = asked.header("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  const isForm = file !== undefined && type === "multipart/form-data";
  if (!file) refuseLength(asked, bodyLimitBytes);
  if (!isForm && type !== undefined && type !== "application/json" && hasBody(asked)) {
    throw new Refusal(
      "unsupported_media_type",
      `Send the body as JSON, with content-type: application/json${file ? ", or as multipart/form-data" : ""}.`,
    );
  }
  if (isForm) return refusing(parameters, await formInput(asked, file), isForm);
  if (file) return refusing(parameters, await jsonWithFile(asked, file));
  const bytes = await readBody(asked, bodyLimitBytes);
  const takesBody = Object.keys(input.shape).some((name) => !Object.hasOwn(parameters, name));
  if (bytes.length === 0 && !takesBody) return nothing;
  return refusing(parameters, { body: jsonObject(bytes), upload: null });
}

const hasBody = (asked: Asked) =>
  asked.header("transfer-encoding") !== undefined || Number(asked.header("content-length") ?? 0) > 0;

function refusing(
  parameters: Record<string, string>,
  taken: { body: Record<string, unknown>; upload: Upload | null },
  isForm = false,
): BodyInput {
  const refused = Object.keys(taken.body)
    .filter((name) => Object.hasOwn(parameters, name))
    .map((name) => ({ path: name, message: "is not a field that can be set here" }));
  return { ...taken, refused, isForm };
}
