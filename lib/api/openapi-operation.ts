/** One line of the route table, as an OpenAPI operation. */
import { codesOf, refusals } from "./openapi-errors.ts";
import { exampleOf } from "./openapi-example.ts";
import { type Json, json, rateLimitHeaders, reference, references } from "./openapi-parts.ts";
import type { JsonSchema, Schemas } from "./openapi-schemas.ts";
import { meaningOfParameter, tags } from "./openapi-words.ts";
import { type AnyOperation, successOf } from "./operation.ts";
import { type Namespace, nameOf } from "./operations.ts";

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
      ...headersAsked(method).map((header) => reference("parameters", header)),
    ],
    ...(sendsBody && Object.keys(rest.properties ?? {}).length > 0
      ? { requestBody: body(rest, shared) }
      : {}),
    responses: {
      [successOf(operation)]: success(method, operation, shared),
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
  return {
    description: onlyForm ? `${meaning}. ${description}` : (description ?? meaning),
    ...(schema.type === "array" ? { style: "form", explode: true } : {}),
    schema,
  };
}

function headersAsked(method: string): string[] {
  const own: Record<string, string[]> = {
    get: ["IfNoneMatch"],
    post: ["IdempotencyKey"],
    patch: ["IfMatch"],
    put: ["IfMatch"],
  };
  return [...(own[method] ?? []), "RequestId"];
}

function body(schema: JsonSchema, { schemas }: Shared): Json {
  return { required: true, content: json({ schema, example: exampleOf(schema, schemas.named) }) };
}

const told = ["X-Request-Id", ...rateLimitHeaders];

function success(method: string, operation: AnyOperation, { schemas }: Shared): Json {
  const names = [
    ...told,
    ...(method === "get" ? ["ETag"] : []),
    ...(operation.location ? ["Location"] : []),
    ...(method === "post" ? ["Idempotent-Replayed"] : []),
  ];
  const answer = { description: meaningOfSuccess(operation), headers: references("headers", names) };
  if (!operation.output) return answer;
  const schema = schemas.output(operation.output);
  return { ...answer, content: json({ schema, example: exampleOf(schema, schemas.named) }) };
}

function meaningOfSuccess(operation: AnyOperation): string {
  const meaning = { 200: "Done", 201: "Made", 202: "Accepted; it happens soon", 204: "Done" };
  const status = successOf(operation) as keyof typeof meaning;
  return operation.output ? `${meaning[status]}.` : `${meaning[status]}. The answer has no body.`;
}

const notModified = {
  description: "What you have is still right.",
  headers: references("headers", [...told, "ETag"]),
};
