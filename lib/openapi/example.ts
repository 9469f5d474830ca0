/** Makes an example that fits a JSON Schema: of what its author gave as examples, and of what it allows. */
import type { JsonSchema } from "./schemas.ts";

const formats: Record<string, string> = {
  date: "2026-01-31",
  "date-time": "2026-01-01T00:00:00.000Z",
  email: "dana@northwind.example",
  uri: "https://northwind.example/countersign",
};

const sha256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

/** What fields of these names hold, where their schemas give no example. */
const usual: Record<string, string> = {
  title: "Master services agreement with Northwind",
  name: "Dana Reyes",
  signedName: "Dana Reyes",
  email: "dana@northwind.example",
  domain: "northwind.example",
  ip: "203.0.113.7",
  signedIp: "203.0.113.7",
  ipAddress: "203.0.113.7",
  userAgent: "Mozilla/5.0",
  signedUserAgent: "Mozilla/5.0",
  sha256,
  hash: sha256,
  prevHash: sha256,
  pdfSha256: sha256,
  documentSnapshotHash: sha256,
};

/** `called` is the name of the field that the example is for: a string without a better one says it. */
export function exampleOf(
  schema: JsonSchema,
  named: Record<string, JsonSchema>,
  called = "text",
  depth = 0,
): unknown {
  const inner = (part: JsonSchema, name = called) => exampleOf(part, named, name, depth + 1);
  // A schema that contains itself (any JSON value) has no other end.
  if (depth > 20) return null;
  if (schema.$ref) return inner(named[schema.$ref.split("/").at(-1)!]!);
  if (schema.examples) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  const choice = schema.anyOf ?? schema.oneOf;
  if (choice && !schema.type) return inner(choice.find((option) => option.type !== "null")!);
  switch (typeOf(schema)) {
    case "object":
      return objectOf(schema, inner);
    case "array":
      return schema.items ? [inner(schema.items as JsonSchema)] : [];
    case "integer":
    case "number":
      return Math.max(1, schema.minimum ?? 1);
    case "boolean":
      return true;
    case "string":
      return stringOf(schema, called);
    default:
      return null;
  }
}

function typeOf({ type }: JsonSchema): string | undefined {
  return Array.isArray(type) ? type.find((one) => one !== "null") : type;
}

function objectOf(schema: JsonSchema, inner: (part: JsonSchema, name?: string) => unknown): object {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  if (properties.length > 0) {
    return Object.fromEntries(properties.map(([name, property]) => [name, inner(property, name)]));
  }
  const values = schema.additionalProperties;
  if (typeof values !== "object") return {};
  const names = schema.required ?? (schema.propertyNames as JsonSchema | undefined)?.enum ?? ["title"];
  return Object.fromEntries(names.map((name) => [name, inner(values, String(name))]));
}

function stringOf(schema: JsonSchema, called: string): string {
  const known = formats[schema.format ?? ""] ?? usual[called];
  if (known) return known;
  const words = called.replaceAll(/([A-Z])/g, " $1").toLowerCase();
  return (words.charAt(0).toUpperCase() + words.slice(1)).slice(0, schema.maxLength);
}
