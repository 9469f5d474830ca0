import { expect, test } from "@playwright/test";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { z } from "zod";
import { type ErrorCode, statusOf } from "#lib/core/errors.ts";
import { type AnyOperation, successStatusOf } from "#lib/core/operation.ts";
import { payloadOf } from "#lib/events/catalogue.ts";
import { routes } from "#lib/routes.ts";
import { eventTypes } from "#lib/webhooks/schema.ts";
import { openapi } from "./document.ts";

// biome-ignore lint/suspicious/noExplicitAny: a document is read here as its readers do, without types.
type Json = any;

const document: Json = JSON.parse(openapi());
const table = Object.entries(routes) as [string, AnyOperation][];

const described = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
  Object.entries<Json>(methods).map(([method, said]) => [`${method.toUpperCase()} ${path}`, said] as const),
);
const saidOf = new Map<string, Json>(described);

const resolved = (part: Json): Json =>
  part.$ref
    ? part.$ref
        .split("/")
        .slice(1)
        .reduce((at: Json, key: string) => at[key], document)
    : part;

const jsonOf = (part: Json) => resolved(part).content?.["application/json"];

/** Every object in the document, with its JSON pointer. */
function* parts(node: Json = document, pointer = ""): Generator<[string, Json]> {
  if (node === null || typeof node !== "object") return;
  yield [pointer, node];
  for (const [key, inner] of Object.entries(node)) {
    yield* parts(inner, `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`);
  }
}

test("the API description lists exactly the routes that exist", () => {
  const expected = [...table.map(([route]) => route), "GET /openapi.json"];
  expect([...saidOf.keys()].sort()).toEqual(expected.sort());
});

test("every operation has a unique operationId and states the scopes it requires", () => {
  const names = described.map(([, said]) => said.operationId);
  expect(new Set(names).size).toBe(names.length);
  for (const [route, operation] of table) {
    expect(saidOf.get(route).security, route).toEqual([{ apiKey: operation.scopes }]);
    expect(saidOf.get(route)["x-required-scopes"], route).toEqual(operation.scopes);
  }
  expect(saidOf.get("GET /openapi.json").security).toEqual([]);
});

test("every parameter is described, and every input is a parameter or a property of the body", () => {
  for (const [route, operation] of table) {
    const said = saidOf.get(route);
    const inPath = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const own = said.parameters.map(resolved).filter((one: Json) => one.in !== "header");
    const named = own.filter((one: Json) => one.in === "path").map((one: Json) => one.name);
    expect(named.sort(), route).toEqual(inPath.sort());
    for (const one of own) expect(one.description, `${route} ${one.name}`).toBeTruthy();
    const body = said.requestBody ? Object.keys(jsonOf(said.requestBody).schema.properties) : [];
    const all = [...own.map((one: Json) => one.name), ...body];
    expect(all.sort(), route).toEqual(Object.keys(operation.input.shape).sort());
  }
});

test("every example matches its schema", () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(document, "document");
  let checked = 0;
  const check = (pointer: string, example: unknown) => {
    const validate = ajv.compile({ $ref: `document#${encodeURI(pointer)}` });
    validate(example);
    expect(validate.errors, `${pointer}: ${JSON.stringify(example)}`).toBeNull();
    checked++;
  };
  for (const [pointer, part] of parts()) {
    if (Array.isArray(part.examples)) for (const one of part.examples) check(pointer, one);
    if (!part.schema) continue;
    if ("example" in part) check(`${pointer}/schema`, part.example);
    for (const one of Object.values<Json>(part.examples ?? {})) check(`${pointer}/schema`, one.value);
  }
  expect(checked).toBeGreaterThan(table.length);
});

test("every example request and response passes the operation's own validation", () => {
  const takes = (route: string, schema: z.ZodType, value: unknown) =>
    expect(schema.safeParse(value).error?.issues, route).toBeUndefined();
  for (const [route, operation] of table) {
    const said = saidOf.get(route);
    const own = said.parameters.map(resolved).filter((one: Json) => one.in !== "header" && one.required);
    const ids = Object.fromEntries(own.map((one: Json) => [one.name, one.schema.examples[0]]));
    const body = said.requestBody ? jsonOf(said.requestBody).example : {};
    takes(route, operation.input, { ...body, ...ids });
    const answer = jsonOf(said.responses[successStatusOf(operation)]);
    expect(Boolean(answer), route).toBe(Boolean(operation.output));
    if (operation.output) takes(route, operation.output, answer.example);
  }
});

test("no schema in the API description is empty", () => {
  const says = ["type", "$ref", "anyOf", "oneOf", "allOf", "enum", "const", "format"];
  for (const [pointer, part] of parts()) {
    if (Array.isArray(part)) continue;
    const kept = /\/(example|examples|default|value)(\/|$)/.test(pointer);
    const isSchema =
      /\/(schema|items|additionalProperties|(properties|schemas|anyOf|oneOf|allOf)\/[^/]+)$/.test(pointer);
    if (kept || !isSchema) continue;
    expect(
      says.some((word) => word in part),
      `${pointer}: ${JSON.stringify(part)}`,
    ).toBe(true);
  }
});

test("every error code of an operation is described under its status", () => {
  const always: ErrorCode[] = [
    "missing_api_key",
    "invalid_api_key",
    "rate_limited",
    "internal_error",
    "unavailable",
  ];
  for (const [route, operation] of table) {
    const { responses } = saidOf.get(route);
    const codes: ErrorCode[] = [...operation.errors, ...always];
    if (operation.scopes.length > 0) codes.push("insufficient_scope");
    if (!operation.worksUnpaid) codes.push("subscription_inactive");
    if (route.startsWith("POST ")) codes.push("idempotency_key_reused", "idempotency_in_progress");
    if (/^(POST|PUT|PATCH) /.test(route)) codes.push("invalid_body", "validation_error");
    for (const code of codes) {
      const response = responses[statusOf[code]];
      expect(Object.keys(jsonOf(response ?? {})?.examples ?? {}), `${route} ${code}`).toContain(code);
    }
  }
});

test("every error response uses the Error schema", () => {
  for (const [route, said] of described) {
    for (const [status, response] of Object.entries<Json>(said.responses)) {
      if (Number(status) < 400) continue;
      expect(jsonOf(response).schema, `${route} ${status}`).toEqual({ $ref: "#/components/schemas/Error" });
    }
  }
});

test("every PATCH and PUT operation declares precondition_failed, the error of If-Match", () => {
  for (const [route, operation] of table) {
    if (/^(PATCH|PUT) /.test(route)) expect(operation.errors, route).toContain("precondition_failed");
  }
});

test("response schemas allow additional properties, and request schemas do not", () => {
  for (const [route] of table) {
    const said = saidOf.get(route);
    if (said.requestBody) expect(jsonOf(said.requestBody).schema.additionalProperties, route).toBe(false);
  }
  for (const [pointer, part] of parts(document.components.schemas)) {
    expect(part.additionalProperties, pointer).not.toBe(false);
  }
});

test("every event type is described as a webhook with a valid example", () => {
  expect(Object.keys(document.webhooks)).toEqual(eventTypes);
  for (const type of eventTypes) {
    const { post } = document.webhooks[type];
    expect(post.parameters.map((one: Json) => one.name)).toEqual([
      "webhook-id",
      "webhook-timestamp",
      "webhook-signature",
    ]);
    expect(payloadOf(type).safeParse(jsonOf(post.requestBody).example).error?.issues, type).toBeUndefined();
  }
});

test("the SignatureRequestSummary schema has signers but no fields", () => {
  const { SignatureRequestSummary } = document.components.schemas;
  expect(SignatureRequestSummary.properties).not.toHaveProperty("fields");
  expect(SignatureRequestSummary.properties).toHaveProperty("signers");
});
