/** The headers, and the small parts that an OpenAPI document is put together from. */

export type Json = Record<string, unknown>;
type Kind = "schemas" | "responses" | "headers" | "parameters";

export const reference = (kind: Kind, name: string) => ({ $ref: `#/components/${kind}/${name}` });

export const references = (kind: Kind, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, reference(kind, name)]));

export const json = (content: Json) => ({ "application/json": content });

const header = (description: string, example: string | number) => ({
  description,
  schema: { type: typeof example === "number" ? "integer" : "string", examples: [example] },
});

export const rateLimitHeaders = [
  "RateLimit-Policy",
  "RateLimit",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
];

/** components.headers: what answers carry. */
export const headers = {
  "X-Request-Id": header(
    "Identifies this response in the service's logs",
    "0197d2e4-8f0a-4c6e-9d64-1b0f3a7c5e21",
  ),
  ETag: header("Identifies the bytes of this response", '"n4bQgYhMfWWaL-qgxVrQFaO_Tx"'),
  "Accept-Ranges": header("Byte ranges can be requested", "bytes"),
  "Content-Disposition": header("The file's name (RFC 6266)", 'attachment; filename="agreement.pdf"'),
  "Content-Length": header("Bytes in this response", 48213),
  "Content-Range": header("Which bytes these are, and of how many", "bytes 0-1023/48213"),
  Location: header("The path of the created resource", "/api/v1/contracts/ctr_01jz3m5k8pe9qs4vnhb6w2x0ra"),
  "Idempotent-Replayed": header(
    "true if this is the response to an earlier request with the same key",
    "true",
  ),
  "Retry-After": header("Seconds to wait", 30),
  "RateLimit-Policy": header("The limit (q) and its window in seconds (w)", '"default";q=600;w=60'),
  RateLimit: header("Requests left (r), and the seconds until the limit resets (t)", '"default";r=599;t=60'),
  "X-RateLimit-Limit": header("Requests per minute", 600),
  "X-RateLimit-Remaining": header("Requests left", 599),
  "X-RateLimit-Reset": header("When the limit resets, in Unix seconds", 1767225660),
};

const asked = (name: string, description: string, schema: Json) => ({
  name,
  in: "header",
  description,
  schema,
});

/** components.parameters: the headers that requests may carry. */
export const parameters = {
  RequestId: asked("x-request-id", "Your id for the request; without one the service generates one", {
    type: "string",
    pattern: "^[\\w.:-]{1,128}$",
    examples: ["import-2026-01-31.17"],
  }),
  IdempotencyKey: asked(
    "Idempotency-Key",
    "Makes the request safe to retry: for 24 hours, the same key and body get the first response again",
    { type: "string", minLength: 1, maxLength: 255, examples: ["5f2c7b1e-0c52-4d6f-a6b4-6d0d6f4e8a11"] },
  ),
  IfMatch: asked("If-Match", "The ETag that the resource must still have; * for any", {
    type: "string",
    examples: ['"n4bQgYhMfWWaL-qgxVrQFaO_Tx"'],
  }),
  Range: asked("Range", "One range of bytes", { type: "string", examples: ["bytes=0-1023"] }),
  IfRange: asked(
    "If-Range",
    "The ETag that the file must have for Range to apply; otherwise the whole file is sent",
    {
      type: "string",
      examples: ['"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"'],
    },
  ),
  IfNoneMatch: asked("If-None-Match", "The ETag of the response you have: 304 while it is unchanged", {
    type: "string",
    examples: ['"n4bQgYhMfWWaL-qgxVrQFaO_Tx"'],
  }),
};
