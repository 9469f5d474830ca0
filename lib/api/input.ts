/** The input of an operation as a request carries it: in the query, or in a JSON body. */
import { z } from "zod";
import { type Issue, invalid, Refusal } from "#lib/errors.ts";
import type { Asked } from "./asked.ts";

const bodyLimitBytes = 1024 * 1024;

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

/**
 * The JSON object of a body. What the path already says may not be said again: those names come back as
 * `refused`, for the caller to see together with all else that is wrong.
 */
export async function bodyInput(
  asked: Asked,
  schema: z.ZodObject,
  parameters: Record<string, string>,
): Promise<{ body: Record<string, unknown>; refused: Issue[] }> {
  if (asked.method === "DELETE") return { body: {}, refused: [] };
  const bytes = await asked.body(bodyLimitBytes);
  const type = asked.header("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  const takesBody = Object.keys(schema.shape).some((name) => !Object.hasOwn(parameters, name));
  if (bytes.length === 0 && !takesBody) return { body: {}, refused: [] };
  if (bytes.length > 0 && type !== undefined && type !== "application/json") {
    throw new Refusal(
      "unsupported_media_type",
      "Send the body as JSON, with content-type: application/json.",
    );
  }
  const body = parseJson(bytes);
  if (body === null || typeof body !== "object" || Array.isArray(body)) {
    throw invalid({ path: "", message: "must be a JSON object" });
  }
  const refused = Object.keys(body)
    .filter((name) => Object.hasOwn(parameters, name))
    .map((name) => ({ path: name, message: "is not a field that can be set here" }));
  return { body: body as Record<string, unknown>, refused };
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new Refusal("invalid_body", "The body is not valid JSON in UTF-8.");
  }
}
