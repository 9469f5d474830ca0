/** Which responses are cached, from when on, and for how long. */
import { expect, test } from "@playwright/test";
import { type Context, systemContext } from "#lib/core/context.ts";
import type { AnyOperation } from "#lib/core/operation.ts";
import { cached } from "./response-cache.ts";

const operation = { cacheable: true } as AnyOperation;
const at = (seq: number, now = new Date("2026-03-01T12:00:00Z")): Context => ({
  ...systemContext("org_cached", "test", now),
  seq,
});

/** Repeats a read, and returns how often it was executed. */
async function reads(ctx: Context, question: string, times: number, text = "{}", what = operation) {
  let count = 0;
  for (let nth = 0; nth < times; nth++) {
    const { body, sizeBytes, etag } = await cached(ctx, what, question, async () => {
      count++;
      return text;
    });
    expect([body.toString(), sizeBytes, etag.length]).toEqual([text, Buffer.byteLength(text), 29]);
  }
  return count;
}

test("a response is cached on its second request, until the workspace or the date changes", async () => {
  for (const [question, text] of [
    ["/short", '{"name":"Ελένη"}'],
    ["/long", JSON.stringify("Ελένη, 김민준. ".repeat(1000))],
  ] as const) {
    expect(await reads(at(1), question, 1, text)).toBe(1);
    expect(await reads(at(1), question, 1, text)).toBe(1);
    expect(await reads(at(1), question, 3, text)).toBe(0);
    expect(await reads(at(2), question, 5, text)).toBe(2);
    expect(await reads(at(1, new Date("2026-03-02T00:00:00Z")), question, 5, text)).toBe(2);
  }
  expect(await reads({ ...at(1), organizationId: "org_other" as never }, "/short", 5)).toBe(2);
});

test("the response to a single request is not cached, nor any of an operation that is not cacheable", async () => {
  expect(await reads(at(1), "/each", 5, "{}", { cacheable: false } as AnyOperation)).toBe(5);
  for (const _ of ["first", "second"])
    for (let n = 0; n < 100; n++) expect(await reads(at(1), `/unlike/${n}`, 1)).toBe(1);
});
