import { PassThrough, Readable } from "node:stream";
import { expect, test } from "@playwright/test";
import { turnsOf } from "#e2e/turns.ts";
import { LineDecoder, linesOf, readLines, writeLines } from "./lines.ts";

async function passed(value: unknown, chunkOf = (text: string) => [text]): Promise<unknown> {
  const read = new LineDecoder();
  const bytes = [...linesOf(value)].flatMap(chunkOf).map((text) => Buffer.from(text));
  await readLines(Readable.from(bytes), (line) => line !== "" && read.addLine(line));
  return read.value();
}

test("a value arrives as JSON has it, however its lines are divided", async () => {
  const values = [
    ...[
      null,
      true,
      12.5,
      "",
      "a\nb",
      "𝒜\u2028",
      [],
      [1, [2]],
      {},
      { a: [] },
      { a: null, b: [null, { c: [] }] },
    ],
    { pages: ["a".repeat(100_000), "b".repeat(100_000), "\n"], path: "/a", more: { list: [1, 2, 3] } },
    JSON.parse('{"__proto__":["a"],"constructor":1}'),
    { left: undefined, list: [undefined, 1] },
  ];
  for (const value of values) {
    const same = JSON.parse(JSON.stringify(value));
    expect(await passed(value)).toEqual(same);
    expect(await passed(value, (text) => text.match(/[\s\S]{1,7}/gu)!)).toEqual(same);
  }
});

test("nothing that a process says becomes anything but a value", async () => {
  const read = new LineDecoder();
  read.addLine("[null,{}]");
  read.addLine('["__proto__",{"isAdmin":true}]');
  expect((read.value() as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  for (const line of ["", "no JSON", "1", '["unknown",[1],true]', "null"]) {
    expect(() => new LineDecoder().addLine(line), line).toThrow();
  }
});

test("while megabytes are written and read, other requests have their turn", async () => {
  const rows = Array.from({ length: 50_000 }, (_, at) => ({
    line: at,
    values: { title: "A contract ".repeat(10) },
  }));
  const stream = new PassThrough();
  const read = new LineDecoder();
  const { longestMs, totalMs } = await turnsOf(async () => {
    writeLines(stream, { rows });
    await readLines(stream, (line) => read.addLine(line));
  });
  expect(read.value()).toEqual({ rows });
  expect(longestMs).toBeLessThan(totalMs / 3);
});
