/** Describes tools for the protocol. Schemas and hints follow from the operations. */
import { z } from "zod";
import { type AnyOperation, onlyReads, successStatusOf } from "#lib/core/operation.ts";
import { routes } from "#lib/routes.ts";
import { tools } from "./table.ts";
import { type AnyTool, missingScopes, operationsOf } from "./tool.ts";

export interface DescribedTool {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: "object"; [key: string]: unknown };
  annotations: {
    readOnlyHint: boolean;
    destructiveHint?: boolean;
    idempotentHint?: boolean;
    openWorldHint: false;
  };
}

/** Cached: converting schemas to JSON Schema takes milliseconds. */
const described = new Map<AnyTool, DescribedTool>();

/** Lists the tools that these scopes allow. */
export function describeTools(scopes: readonly string[]): DescribedTool[] {
  return tools.filter((tool) => missingScopes(tool, scopes).length === 0).map(descriptionOf);
}

function descriptionOf(tool: AnyTool): DescribedTool {
  const known = described.get(tool) ?? describe(tool);
  described.set(tool, known);
  return known;
}

function describe(tool: AnyTool): DescribedTool {
  const { name, title, description, input } = tool;
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: "input" });
  const inputSchema = { ...shorten(schema), type: "object" as const };
  return { name, title, description, inputSchema, annotations: hintsOf(tool) };
}

const methods = new Map<AnyOperation, string>(
  Object.entries(routes).map(([route, operation]) => [operation, route.split(" ")[0]!]),
);

/**
 * Derives the hints from HTTP semantics: GET is read-only, PUT and PATCH are idempotent, and operations that only
 * create are not destructive.
 */
function hintsOf(tool: AnyTool): DescribedTool["annotations"] {
  const writing = operationsOf(tool).filter((operation) => !onlyReads(operation));
  if (writing.length === 0) return { readOnlyHint: true, openWorldHint: false };
  return {
    readOnlyHint: false,
    destructiveHint: writing.some((operation) => successStatusOf(operation) !== 201),
    idempotentHint: writing.every((operation) => ["PUT", "PATCH"].includes(methods.get(operation) ?? "")),
    openWorldHint: false,
  };
}

type Schema = z.core.JSONSchema.BaseSchema;

/** Left out, since operations report invalid input anyway and every conversation reads the whole list of tools. */
const leftOut = [
  "pattern",
  "minLength",
  "maxLength",
  "example",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
];

/** Shortens a schema as far as possible. */
function shorten(schema: Schema): Schema {
  const { anyOf, properties, items, propertyNames: _, ...rest } = schema;
  const short = Object.fromEntries(
    Object.entries(rest).filter(([name]) => !leftOut.includes(name)),
  ) as Schema;
  // A date without a time is accepted as a timestamp, too.
  if (short.format === "date-time") Object.assign(short, { format: "date", description: undefined });
  if (properties) {
    short.properties = Object.fromEntries(
      Object.entries(properties).map(([name, one]) => [name, shorten(one as Schema)]),
    );
  }
  if (items) short.items = shorten(items as Schema);
  if (typeof short.additionalProperties === "object") {
    short.additionalProperties = shorten(short.additionalProperties);
  }
  if (!anyOf || short.type) return short;
  const options = anyOf.map((option) => shorten(option as Schema));
  return merged(short, options);
}

/** Merges options such as text and null into `["string", "null"]`, unless an option says more than one schema can. */
function merged(rest: Schema, options: Schema[]): Schema {
  const types = [...new Set(options.flatMap(({ type }) => type ?? []))];
  const said = Object.assign({}, ...options) as Schema;
  const isPlain = options.every(({ type, enum: values, properties }) => type && !values && !properties);
  return (isPlain ? { ...said, ...rest, type: types } : { ...rest, anyOf: options }) as Schema;
}
