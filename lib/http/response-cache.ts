/**
 * What reads answered, by workspace, change number and UTC day: on those and the input alone an answer depends,
 * so a cached one is exact, on every server, and nothing needs to be thrown out.
 */
import { LRUCache } from "lru-cache";
import type { Context } from "#lib/core/context.ts";
import type { AnyOperation } from "#lib/core/operation.ts";
import { etagOf } from "#lib/core/serialize.ts";

export interface Representation {
  body: Buffer;
  etag: string;
}

const responseCache = new LRUCache<string, Representation>({
  maxSize: 16 * 1024 * 1024,
  maxEntrySize: 1024 * 1024,
  sizeCalculation: ({ body }, key) => body.length + key.length,
});

export function representationOf(text: string): Representation {
  const body = Buffer.from(text);
  return { body, etag: etagOf(body) };
}

/** The answer to the read that `question` tells from all others; `read` is called where none is cached. */
export async function cached(
  ctx: Context,
  operation: AnyOperation,
  question: string,
  read: () => Promise<string>,
): Promise<Representation> {
  const day = Math.floor(ctx.now.getTime() / 86_400_000);
  const key = operation.cacheable ? `${ctx.organizationId} ${ctx.seq} ${day} ${question}` : null;
  const hit = key && responseCache.get(key);
  if (hit) return hit;
  const representation = representationOf(await read());
  if (key) responseCache.set(key, representation);
  return representation;
}
