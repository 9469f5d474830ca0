/** Reads an operation's input from a request: from the query, a JSON body, or a form with a file. */
import { z } from "zod";
import { type Issue, Refusal } from "#lib/core/errors.ts";
import type { AnyOperation } from "#lib/core/operation.ts";
import { bodyLimitBytes, jsonObject, readBody, refuseLength, reserved, reservedName } from "./body.ts";
import type { ApiRequest } from "./exchange.ts";
import { formInput } from "./input-form.ts";
import { jsonWithFile } from "./input-json.ts";
import type { Upload } from "./upload.ts";

interface QueryInput {
  input: Record<string, unknown>;
  /** Problems that would be lost before a schema sees the input. */
  issues: Issue[];
}

/**
 * The query as a plain object. A name that is an array in the schema collects all its values, written
 * `status=A&status=B` or `status[]=A`; for other names the last value counts. Where the schema has a map of lists,
 * `customFields.seats=1` adds a value to its key `seats`.
 */
export function queryInput(schema: z.ZodObject, search: string): QueryInput {
  const input: Record<string, unknown> = {};
  const issues: Issue[] = [];
  for (const [written, value] of new URLSearchParams(search)) {
    const name = written.endsWith("[]") ? written.slice(0, -2) : written;
    const [before = "", ...after] = name.split(".");
    const field = Object.hasOwn(schema.shape, before) ? inner(schema.shape[before]!) : undefined;
    if (field instanceof z.ZodRecord) {
      if (after.length === 0) continue;
      if (after.join(".") === reserved) issues.push({ path: name, message: reservedName });
      input[before] ??= Object.create(null);
      collect(Object(input[before]), after.join("."), value);
    } else if (!field || after.length > 0) continue;
    else if (field instanceof z.ZodArray) collect(input, name, value);
    else input[name] = value;
  }
  return { input, issues };
}

function collect(into: object, name: string, value: string): void {
  const values: unknown = Reflect.get(into, name);
  if (Array.isArray(values)) values.push(value);
  else Reflect.set(into, name, [value]);
}

function inner(field: z.core.$ZodType): z.core.$ZodType {
  return field instanceof z.ZodOptional || field instanceof z.ZodDefault ? inner(field.unwrap()) : field;
}

export interface BodyInput {
  body: Record<string, unknown>;
  /** Parameters of the path that are repeated elsewhere; reported together with all other issues. */
  issues: Issue[];
  /** The receiver has to discard it. */
  upload: Upload | null;
  isForm: boolean;
}

const emptyInput: BodyInput = { body: {}, issues: [], upload: null, isForm: false };

/** The body's fields, and the file in it. */
export async function bodyInput(
  request: ApiRequest,
  { input, file }: AnyOperation,
  parameters: Record<string, string>,
): Promise<BodyInput> {
  if (request.method === "DELETE") return emptyInput;
  const type = mediaType(request);
  const isForm = file !== undefined && type === "multipart/form-data";
  if (!file) refuseLength(request, bodyLimitBytes);
  if (!isForm && type !== undefined && type !== "application/json" && hasBody(request)) {
    throw new Refusal(
      "unsupported_media_type",
      `Send the body as JSON, with content-type: application/json${file ? ", or as multipart/form-data" : ""}.`,
    );
  }
  refuseEncoding(request);
  if (isForm) return withPathIssues(parameters, await formInput(request, file), isForm);
  if (file) return withPathIssues(parameters, await jsonWithFile(request, file));
  const bytes = await readBody(request, bodyLimitBytes);
  const takesBody = Object.keys(input.shape).some((name) => !Object.hasOwn(parameters, name));
  if (bytes.length === 0 && !takesBody) return emptyInput;
  return withPathIssues(parameters, { body: jsonObject(bytes), upload: null });
}

const mediaType = (request: ApiRequest) =>
  request.header("content-type")?.split(";", 1)[0]?.trim().toLowerCase();

/** Rejects a body that is not declared as JSON. */
export function refuseOtherThanJson(request: ApiRequest): void {
  if (mediaType(request) === "application/json") return;
  throw new Refusal("unsupported_media_type", "Send the body as JSON, with content-type: application/json.");
}

/** Rejects a compressed body: unpacked, it could be a thousand times as long as what was sent. */
function refuseEncoding(request: ApiRequest): void {
  const encoding = request.header("content-encoding")?.trim().toLowerCase();
  if (!encoding || encoding === "identity" || !hasBody(request)) return;
  throw new Refusal("unsupported_media_type", "Send the body uncompressed, without content-encoding.", {
    headers: { "accept-encoding": "identity" },
  });
}

const hasBody = (request: ApiRequest) =>
  request.header("transfer-encoding") !== undefined || Number(request.header("content-length") ?? 0) > 0;

function withPathIssues(
  parameters: Record<string, string>,
  given: { body: Record<string, unknown>; upload: Upload | null },
  isForm = false,
): BodyInput {
  const issues = Object.keys(given.body)
    .filter((name) => Object.hasOwn(parameters, name))
    .map((name) => ({ path: name, message: "is not a field that can be set here" }));
  return { ...given, issues, isForm };
}
