/** The schemas that validate, as the JSON Schemas that describe. */
import { z } from "zod";

export type JsonSchema = z.core.JSONSchema.BaseSchema;
type Side = "input" | "output";

export interface Schemas {
  /** What a caller may send. */
  input(schema: z.ZodType): JsonSchema;
  /** What is answered, or sent to a webhook. */
  output(schema: z.ZodType): JsonSchema;
  /** All that was named (`.meta({ id })`) on the way: components.schemas. */
  named: Record<string, JsonSchema>;
}

export function describeSchemas(): Schemas {
  const named: Record<string, JsonSchema> = {};
  function convert(schema: z.ZodType, io: Side): JsonSchema {
    const made = z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => tidy(jsonSchema, io) });
    const { $schema, $defs = {}, ...root } = pointAtComponents(made);
    for (const [id, definition] of Object.entries($defs)) keep(id, definition);
    return root;
  }
  function keep(id: string, definition: JsonSchema): void {
    const known = named[id];
    if (known && JSON.stringify(known) !== JSON.stringify(definition)) {
      throw new Error(`Two different schemas are called ${id}. Give one of them another meta id.`);
    }
    named[id] = definition;
  }
  return {
    input: (schema) => convert(schema, "input"),
    output: (schema) => convert(schema, "output"),
    named,
  };
}

/** References as OpenAPI has them. Zod numbers what has no name; the one such thing is `z.json()`. */
function pointAtComponents(made: object): JsonSchema {
  const text = JSON.stringify(made)
    .replaceAll(/"__schema\d+":/g, '"JsonValue":')
    .replaceAll(/"#\/\$defs\/__schema\d+"/g, '"#/components/schemas/JsonValue"')
    .replaceAll('"#/$defs/', '"#/components/schemas/');
  return JSON.parse(text);
}

function tidy(schema: JsonSchema, io: Side): void {
  spellOutKeys(schema);
  if ("example" in schema) {
    schema.examples = [schema.example];
    delete schema.example;
  }
  // The format says it, and a calendar as a regular expression is 400 characters.
  if (/^(date|date-time|email)$/.test(schema.format ?? "")) delete schema.pattern;
  // Every timestamp that comes in may be a plain date as well.
  if (schema.format === "date-time" && io === "input") {
    schema.anyOf = [{ format: "date-time" }, { format: "date" }];
    delete schema.format;
  }
  if (JSON.stringify(schema.propertyNames) === '{"type":"string"}') delete schema.propertyNames;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER && io === "output") delete schema.maximum;
  // v1 may gain fields: a client that checks answers by this description must not trip over them.
  if (io === "output" && schema.additionalProperties === false) delete schema.additionalProperties;
}

/** A map whose keys are all known is an object: so it is typed, and checked, wherever it is read. */
function spellOutKeys(schema: JsonSchema): void {
  const keys = (schema.propertyNames as JsonSchema | undefined)?.enum;
  const values = schema.additionalProperties;
  if (!keys || typeof values !== "object") return;
  schema.properties = Object.fromEntries(keys.map((key) => [key, values]));
  delete schema.propertyNames;
  delete schema.additionalProperties;
}
