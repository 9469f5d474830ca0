/** How an answer becomes text, and the tag that tells one text from another. */
import { hash } from "node:crypto";
import type { z } from "zod";
import type { Context } from "./context.ts";
import { Refusal } from "./errors.ts";
import { wire } from "./wire.ts";

/** The value as its schema says. What the schema does not name is left out, so a secret cannot leak. */
export function print(schema: z.ZodType, value: unknown): string {
  return JSON.stringify(schema.parse(wire(value)));
}

/** The ETag of an answer: the same bytes have the same tag, on every server. */
export function etagOf(body: string | Uint8Array): string {
  return `"${hash("sha256", body, "base64url").slice(0, 27)}"`;
}

/** Whether a tag is among those of an If-Match or If-None-Match header. */
export function matches(header: string, tag: string): boolean {
  const tags = header.split(",").map((item) => item.trim());
  return tags.includes("*") || tags.includes(tag);
}

/**
 * Refuses a change to a resource that is no longer as the caller last read it (If-Match). `representation`
 * is what the resource's GET would answer now; call it where nobody else can change the resource.
 */
export async function expectUnchanged(
  ctx: Context,
  schema: z.ZodType,
  representation: () => unknown,
): Promise<void> {
  if (ctx.expected === null) return;
  const tag = etagOf(print(schema, await representation()));
  if (matches(ctx.expected, tag)) return;
  throw new Refusal(
    "precondition_failed",
    "The resource has changed since it was read. Read it again, and send the change with its new ETag.",
  );
}
