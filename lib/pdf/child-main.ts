/**
 * The program that lib/pdf/child.ts starts: runs the parser that its argument names on the JSON of its input, and
 * prints the result as JSON. It may read its own program and the file it was given, and nothing else.
 */
import { readFile } from "node:fs/promises";
import { json } from "node:stream/consumers";
import type { compareTexts } from "#lib/contracts/comparison.ts";
import type { Data } from "#lib/templates/tagged.ts";
import type { inspect } from "./inspect.ts";
import type { readText } from "./text.ts";

/** Each takes an object, with the `path` of the file that it may read, and answers what can be printed as JSON. */
const parsers = {
  inspect: async (input: Parameters<typeof inspect>[0]) => (await import("./inspect.ts")).inspect(input),
  text: async (input: Parameters<typeof readText>[0]) => (await import("./text.ts")).readText(input),
  compare: async ({ a, b }: { path?: undefined; a: string[]; b: string[] }): Promise<Compared> =>
    (await import("#lib/contracts/comparison.ts")).compareTexts(a, b),
  inspectTemplate: async ({ path }: { path: string }) =>
    (await import("#lib/templates/inspect.ts")).inspectTemplate(await readFile(path)),
  fillTemplate: async ({ path, data }: { path: string; data: Data }) => {
    const { fillTemplate } = await import("#lib/templates/fill.ts");
    return { base64: Buffer.from(fillTemplate(await readFile(path), data)).toString("base64") };
  },
};

type Compared = ReturnType<typeof compareTexts>;

export type Parsers = typeof parsers;

async function main(task: string): Promise<void> {
  const parser = parsers[task as keyof Parsers] as (input: unknown) => Promise<unknown>;
  const result = await parser(await json(process.stdin));
  process.stdout.write(JSON.stringify(result));
}

await main(process.argv[2] ?? "");
