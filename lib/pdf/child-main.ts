/**
 * The program that lib/pdf/child.ts starts: runs the parser that its argument names on the JSON of its input, and
 * prints the result as JSON. It may read its own program and the file it was given, and nothing else.
 */
import { json } from "node:stream/consumers";
import { inspect } from "./inspect.ts";

/** Each takes `{path, …}` and answers what can be printed as JSON. */
const parsers = { inspect };

export type Parsers = typeof parsers;

async function main(task: string): Promise<void> {
  const parser = parsers[task as keyof Parsers];
  const result = await parser((await json(process.stdin)) as Parameters<typeof parser>[0]);
  process.stdout.write(JSON.stringify(result));
}

await main(process.argv[2] ?? "");
