/** The API description: an OpenAPI 3.1 document, made of the route table and the schemas that validate. */
import { settings } from "#lib/core/env.ts";
import type { AnyOperation } from "#lib/core/operation.ts";
import { routes } from "#lib/routes.ts";
import { ErrorAnswer, refusals } from "./errors.ts";
import { describeOperation, type Shared } from "./operation.ts";
import { headers, type Json, json, parameters, reference, references } from "./parts.ts";
import { describeSchemas } from "./schemas.ts";
import { describeWebhooks } from "./webhooks.ts";
import { introduction, tags, webhookTag } from "./words.ts";

let made: { base: string; text: string } | undefined;

/** What GET /openapi.json answers. It is made once for a base address. */
export function openapi(): string {
  const base = settings().BASE_URL;
  if (made?.base !== base) made = { base, text: JSON.stringify(describeApi(routes)) };
  return made.text;
}

/** Describes a route table, whose keys read `METHOD /path/{name}`. */
function describeApi(table: Record<string, AnyOperation>) {
  const shared: Shared = { schemas: describeSchemas(), responses: {} };
  shared.schemas.output(ErrorAnswer);
  const paths: Record<string, Json> = { "/openapi.json": { get: itself(shared) } };
  for (const [route, operation] of Object.entries(table)) {
    const [method = "", path = ""] = route.split(" ");
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(route, operation, shared) };
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Countersign API",
      version: "1.0.0",
      summary: "Contract management, self-hosted.",
      description: introduction,
    },
    servers: [{ url: `${settings().BASE_URL}/api/v1`, description: "This installation" }],
    tags: [...Object.values(tags), webhookTag],
    paths,
    webhooks: describeWebhooks(shared.schemas),
    components: {
      securitySchemes: {
        apiKey: {
          type: "apiKey",
          in: "header",
          name: "x-api-key",
          description: "A key of the workspace, created in its settings: `csk_…`",
        },
      },
      schemas: shared.schemas.named,
      responses: shared.responses,
      parameters,
      headers,
    },
  };
}

const document = {
  type: "object",
  required: ["openapi", "info", "paths"],
  properties: {
    openapi: { type: "string", examples: ["3.1.1"] },
    info: { type: "object" },
    paths: { type: "object" },
  },
};

function itself({ responses }: Shared): Json {
  return {
    operationId: "openapi.read",
    summary: "Read this description",
    tags: [tags.me.name],
    security: [],
    "x-required-scopes": [],
    parameters: ["IfNoneMatch", "RequestId"].map((name) => reference("parameters", name)),
    responses: {
      200: {
        description: "An OpenAPI 3.1 document.",
        headers: references("headers", ["X-Request-Id", "ETag"]),
        content: json({ schema: document }),
      },
      304: {
        description: "Not modified: the response you have is still current.",
        headers: references("headers", ["X-Request-Id", "ETag"]),
      },
      ...refusals(["internal_error"], responses),
    },
  };
}
