/** One line of the route table, as an OpenAPI operation. */

import { type AnyOperation, type FileField, successStatusOf } from "#lib/core/operation.ts";
import { type Namespace, nameOf } from "#lib/operations.ts";
import { codesOf, refusals } from "./errors.ts";
import { exampleOf } from "./example.ts";
import { type Json, json, rateLimitHeaders, reference, references } from "./parts.ts";
import type { JsonSchema, Schemas } from "./schemas.ts";
import { meaningOfParameter, tags } from "./words.ts";

/** What the parts of a document share. */
export interface Shared {
  schemas: Schemas;
  responses: Json;
}

export function describeOperation(route: string, operation: AnyOperation, shared: Shared): Json {
  const [verb = "", path = ""] = route.split(" ");
  const method = verb.toLowerCase();
  const input = shared.schemas.input(operation.input);
  const [inPath, rest] = split(input, (name) => path.includes(`{${name}}`));
  const sendsBody = method !== "get" && method !== "delete";
  const name = nameOf(operation);
  return {
    operationId: name,
    summary: operation.summary,
    ...(operation.description ? { description: operation.description } : {}),
    tags: [tags[name.split(".")[0] as Namespace].name],
    security: [{ apiKey: operation.scopes }],
    "x-required-scopes": operation.scopes,
    parameters: [
      ...parametersOf(inPath, "path"),
      ...(method === "get" ? parametersOf(rest, "query") : []),
      ...headersAsked(method, operation).map((header) => reference("parameters", header)),
    ],
    ...(sendsBody && Object.keys(rest.properties ?? {}).length > 0
      ? { requestBody: body(rest, operation, shared) }
      : {}),
    responses: {
      [successStatusOf(operation)]: success(method, operation, shared),
      ...(operation.download ? { 206: part(operation.download) } : {}),
      ...(method === "get" ? { 304: notModified } : {}),
      ...refusals(codesOf(method, path, operation), shared.responses),
    },
  };
}

/** The fields of an object that are meant, and the others. */
function split(schema: JsonSchema, meant: (name: string) => boolean): [JsonSchema, JsonSchema] {
  const part = (keep: (name: string) => boolean): JsonSchema => {
    const { required = [], properties = {}, ...whole } = schema;
    const kept = required.filter(keep);
    return {
      ...whole,
      properties: Object.fromEntries(Object.entries(properties).filter(([name]) => keep(name))),
      ...(kept.length > 0 ? { required: kept } : {}),
    };
  };
  return [part(meant), part((name) => !meant(name))];
}

function parametersOf({ properties = {}, required = [] }: JsonSchema, where: "path" | "query"): Json[] {
  return Object.entries(properties as Record<string, JsonSchema>).map(([name, schema]) => ({
    name,
    in: where,
    required: required.includes(name),
    ...parameter(name, schema, where),
  }));
}

function parameter(name: string, { description, ...schema }: JsonSchema, where: "path" | "query"): Json {
  const meaning = meaningOfParameter(name, schema, where);
  // A timestamp's own description says how it is written, not what it is for.
  const onlyForm = description?.startsWith("ISO 8601");
  if (isMap(schema)) return openParameters(name, description ?? meaning);
  return {
    description: onlyForm ? `${meaning}. ${description}` : (description ?? meaning),
    ...(schema.type === "array" ? { style: "form", explode: true } : {}),
    schema,
  };
}

const isMap = ({ type, additionalProperties }: JsonSchema) =>
  type === "object" && typeof additionalProperties === "object";

/** A map in a query is a parameter for each of its keys: an exploded form, whose properties are parameters of their own. */
function openParameters(name: string, description: string): Json {
  const schema = {
    type: "object",
    propertyNames: { pattern: `^${name}\\.` },
    additionalProperties: { type: "string" },
  };
  const how = `Each is a parameter of its own, \`${name}.<key>\`; repeat one for several values`;
  return { description: `${description}. ${how}`, style: "form", explode: true, schema };
}

function headersAsked(method: string, { download }: AnyOperation): string[] {
  const own: Record<string, string[]> = {
    get: ["IfNoneMatch"],
    post: ["IdempotencyKey"],
    patch: ["IfMatch"],
    put: ["IfMatch"],
  };
  return [...(own[method] ?? []), ...(download ? ["Range", "IfRange"] : []), "RequestId"];
}

function body(schema: JsonSchema, { file }: AnyOperation, { schemas }: Shared): Json {
  const content = json({ schema, example: exampleOf(schema, schemas.named) });
  if (!file) return { required: true, content };
  return { required: true, content: { ...content, "multipart/form-data": form(schema, file) } };
}

/** The same input as a form: the file is one part, the other fields are JSON in another. */
function form(schema: JsonSchema, file: FileField): Json {
  const [, data] = split(schema, (name) => name === file.name);
  const needsFile = schema.required?.includes(file.name) ?? false;
  const hasData = Object.keys(data.properties ?? {}).length > 0;
  const required = [...(needsFile ? ["file"] : []), ...(data.required ? ["data"] : [])];
  const bytes = { type: "string", format: "binary", description: "The document, named and typed" };
  return {
    schema: {
      type: "object",
      properties: { file: bytes, ...(hasData ? { data } : {}) },
      ...(required.length > 0 ? { required } : {}),
      additionalProperties: false,
    },
    ...(hasData ? { encoding: { data: { contentType: "application/json" } } } : {}),
  };
}

const usualHeaders = ["X-Request-Id", ...rateLimitHeaders];

function success(method: string, operation: AnyOperation, { schemas }: Shared): Json {
  const names = [
    ...usualHeaders,
    ...(method === "get" ? ["ETag"] : []),
    ...(operation.location ? ["Location"] : []),
    ...(method === "post" ? ["Idempotent-Replayed"] : []),
  ];
  const answer = { description: meaningOfSuccess(operation), headers: references("headers", names) };
  if (operation.download) {
    const headers = references("headers", [...usualHeaders, ...fileHeaders]);
    return { description: "The bytes.", headers, content: bytesOf(operation.download) };
  }
  if (!operation.output) return answer;
  const schema = schemas.output(operation.output);
  return { ...answer, content: json({ schema, example: exampleOf(schema, schemas.named) }) };
}

const bytesOf = (types: readonly string[]) =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: "string", format: "binary" } }]));

const fileHeaders = ["ETag", "Accept-Ranges", "Content-Disposition", "Content-Length"];

function part(types: readonly string[]): Json {
  return {
    description: "The requested range.",
    headers: references("headers", [...usualHeaders, ...fileHeaders, "Content-Range"]),
    content: bytesOf(types),
  };
}

function meaningOfSuccess(operation: AnyOperation): string {
  const meaning = {
    200: "Success",
    201: "Created",
    202: "Accepted; it will be processed soon",
    204: "Success",
  };
  const status = successStatusOf(operation) as keyof typeof meaning;
  return operation.output ? `${meaning[status]}.` : `${meaning[status]}. The response has no body.`;
}

const notModified = {
  description: "Not modified: the response you have is still current.",
  headers: references("headers", [...usualHeaders, "ETag"]),
};
