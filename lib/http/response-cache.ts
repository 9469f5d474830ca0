/**
 * Caches the responses of reads by workspace, change number and UTC day. They depend only on those and the input, so a
 * cached response is exact, on every server, and needs no invalidation.
 */
import { LRUCache } from "lru-cache";
import type { Context } from "#lib/core/context.ts";
import type { AnyOperation } from "#lib/core/operation.ts";
import { etagOf } from "#lib/core/serialize.ts";

export interface Representation {
  /** Text is sent together with the headers; bytes need not be encoded again each time. */
  body: string | Buffer;
  sizeBytes: number;
  etag: string;
}

const responseCache = new LRUCache<string, Representation>({
  maxSize: 16 * 1024 * 1024,
  maxEntrySize: 1024 * 1024,
  sizeCalculation: ({ sizeBytes }, key) => sizeBytes + key.length,
});

export function representationOf(text: string): Representation {
  return { body: text, sizeBytes: Buffer.byteLength(text), etag: etagOf(text) };
}

/** For a short text, encoding costs less than sending its bytes separately from the headers. */
const shortBytes = 4 * 1024;

/** The response to the read identified by `question`; calls `read` if none is cached. */
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
  const text = await read();
  const representation = representationOf(text);
  if (key && wasReadRecently(key)) {
    const isLong = representation.sizeBytes > shortBytes;
    responseCache.set(key, isLong ? { ...representation, body: Buffer.from(text) } : representation);
  }
  return representation;
}

/** Hashes of the latest reads, one per slot, distinguished by 32 bits. */
const recentReads = new Uint32Array(8192);

/**
 * Whether the same read was requested recently. Most are not repeated before the workspace changes, and caching all of
 * those would only keep the garbage collector busy.
 */
function wasReadRecently(key: string): boolean {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  hash >>>= 0;
  const place = hash % recentReads.length;
  const isKnown = recentReads[place] === hash;
  recentReads[place] = hash;
  return isKnown;
}
