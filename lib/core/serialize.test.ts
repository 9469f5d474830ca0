import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { z } from "zod";
import { SerializedRowCache, StoredJson, serialize } from "./serialize.ts";
import { timestamp, toJsonValue } from "./wire.ts";

const Thing = z.object({
  id: z.string(),
  kind: z.enum(["A", "B"]),
  count: z.int(),
  at: timestamp.nullable(),
  tags: z.array(z.string()),
  inner: z.object({ on: z.boolean() }).nullable(),
  extra: z.string().optional(),
  free: z.record(z.string(), z.json()),
});

const things = fc.record(
  {
    id: fc.string({ unit: "binary" }),
    kind: fc.constantFrom("A", "B"),
    count: fc.integer(),
    at: fc.option(fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true })),
    tags: fc.array(fc.string({ unit: "grapheme" })),
    inner: fc.option(fc.record({ on: fc.boolean(), secret: fc.string() })),
    extra: fc.string(),
    free: fc.dictionary(fc.string(), fc.jsonValue()),
    passwordHash: fc.string(),
  },
  { requiredKeys: ["id", "kind", "count", "at", "tags", "inner", "free", "passwordHash"] },
);

test("serialize writes exactly what zod's parse and JSON.stringify write", () => {
  fc.assert(
    fc.property(things, (thing) => {
      expect(serialize(Thing, thing)).toBe(JSON.stringify(Thing.parse(toJsonValue(thing))));
    }),
  );
});

test("a field that the schema does not name is never serialized, at any depth", () => {
  const text = serialize(z.array(Thing.shape.inner), [{ on: true, passwordHash: "x" }, null]);
  expect(text).toBe('[{"on":true},null]');
});

test("a value that does not fit its schema is never serialized", () => {
  const cases: [z.ZodType, unknown][] = [
    [z.object({ a: z.string() }), {}],
    [z.object({ a: z.string() }), { a: null }],
    [z.object({ a: z.string() }), null],
    [z.enum(["A"]), "B"],
    [z.int(), Number.NaN],
    [z.int(), "1"],
    [z.boolean(), 0],
    [z.array(z.string()), "text"],
    [z.string(), 7],
    [z.union([z.literal(1), z.literal(2)]), 3],
  ];
  for (const [schema, value] of cases) expect(() => serialize(schema, value)).toThrow();
});

test("stored JSON is written verbatim, without being parsed", () => {
  const schema = z.object({ inner: Thing.shape.inner });
  expect(serialize(schema, { inner: new StoredJson('{ "on": true }') })).toBe('{"inner":{ "on": true }}');
});

test("rows are serialized once per key, keep their order, and are left out if they no longer exist", async () => {
  const rows = new SerializedRowCache<number>();
  const asked: number[][] = [];
  const print = async (missing: number[]) => {
    asked.push(missing);
    const there = missing.filter((id) => id !== 2);
    return there.map((id) => ({ id, key: `${id} old`, text: new StoredJson(`{"id":${id}}`) })).reverse();
  };
  const listed = async (...keys: [number, string][]) =>
    (await rows.of(new Map(keys), print)).map(({ text }) => text);
  expect(await listed([3, "3 old"], [2, "2 old"], [1, "1 old"])).toEqual(['{"id":3}', '{"id":1}']);
  expect(await listed([1, "1 old"], [3, "3 new"])).toEqual(['{"id":1}', '{"id":3}']);
  expect(asked).toEqual([[3, 2, 1], [3]]);
});
