/**
 * What reads answered, by workspace, change number and UTC day: on those and the input alone an answer depends,
 * so a kept one is exact, on every server, and nothing needs to be thrown out.
 */
import { LRUCache } from "lru-cache";
import type { Context } from "#lib/core/context.ts";
import type { AnyOperation } from "#lib/core/operation.ts";
import { etagOf } from "#lib/core/serialize.ts";

export interface Read {
  body: Buffer;
  etag: string;
}

const kept = new LRUCache<string, Read>({
  maxSize: 16 * 1024 * 1024,
  maxEntrySize: 1024 * 1024,
  sizeCalculation: ({ body }, key) => body.length + key.length,
});

export function readOf(text: string): Read {
  const body = Buffer.from(text);
  return { body, etag: etagOf(body) };
}

/** The answer to a read that `asked` tells from all others; `read` is called where none is kept. */
export async function keptRead(
  operation: AnyOperation,
  ctx: Context,
  asked: string,
  read: () => Promise<string>,
): Promise<Read> {
  const day = Math.floor(ctx.now.getTime() / 86_400_000);
  const key = operation.cacheable ? `${ctx.organizationId} ${ctx.seq} ${day} ${asked}` : null;
  const before = key && kept.get(key);
  if (before) return before;
  const answer = readOf(await read());
  if (key) kept.set(key, answer);
  return answer;
}
