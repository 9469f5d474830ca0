/**
 * The program that lib/pdf/child.ts starts: runs the parser that its argument names on the JSON of its input, and
 * prints the result as JSON. It may read its own program and the file it was given, and nothing else.
 */
import { readFile } from "node:fs/promises";
import { json } from "node:stream/consumers";
import type { Data } from "#lib/templates/tagged.ts";
import { inspect } from "./inspect.ts";

/** Each takes `{path, …}` and answers what can be printed as JSON. What only one needs, only it loads. */
const parsers = {
  inspect,
  inspectTemplate: async ({ path }: { path: string }) => {
    const { inspectTemplate } = await import("#lib/templates/inspect.ts");
    return inspectTemplate(await readFile(path));
  },
  fillTemplate: async ({ path, data }: { path: string; data: Data }) => {
    const { fillTemplate } = await import("#lib/templates/fill.ts");
    return { base64: Buffer.from(fillTemplate(await readFile(path), data)).toString("base64") };
  },
};

export type Parsers = typeof parsers;

async function main(task: string): Promise<void> {
  const parser = parsers[task as keyof Parsers];
  const result = await parser((await json(process.stdin)) as never);
  process.stdout.write(JSON.stringify(result));
}

await main(process.argv[2] ?? "");
