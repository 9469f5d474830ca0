/**
 * The program that lib/pdf/child.ts starts: runs the parser that its argument names on the JSON of its input, and
 * prints the result as JSON. It may read its own program and the file it was given, and nothing else.
 */
import { json } from "node:stream/consumers";
import type { findAnchors } from "./anchors.ts";
import type { inspect } from "./inspect.ts";
import type { readSeal } from "./read-seal.ts";
import type { sealPages } from "./seal-pages.ts";

/** Each takes `{path, …}`, answers what can be printed as JSON, and is loaded when it is asked for. */
const parsers = {
  anchors: async (input: Parameters<typeof findAnchors>[0]) =>
    (await import("./anchors.ts")).findAnchors(input),
  inspect: async (input: Parameters<typeof inspect>[0]) => (await import("./inspect.ts")).inspect(input),
  readSeal: async (input: Parameters<typeof readSeal>[0]) => (await import("./read-seal.ts")).readSeal(input),
  sealPages: async (input: Parameters<typeof sealPages>[0]) =>
    (await import("./seal-pages.ts")).sealPages(input),
};

export type Parsers = typeof parsers;

async function main(task: string): Promise<void> {
  const parser = parsers[task as keyof Parsers] as (input: unknown) => Promise<unknown>;
  const result = await parser(await json(process.stdin));
  process.stdout.write(JSON.stringify(result));
}

await main(process.argv[2] ?? "");
