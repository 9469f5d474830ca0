/**
 * The program started by child.ts: runs the function named by its arguments, a module and one of its exports, on the
 * JSON from its input, and prints the result as JSON. It may read only its own program and the given file. It prints
 * a line once it is ready: a process that exits before that has seen none of its input.
 */
import { Console } from "node:console";
import { json } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

// Stdout carries the result.
globalThis.console = new Console(process.stderr);

async function main([module = "", name = ""]: string[]): Promise<void> {
  const { [name]: parse } = await import(pathToFileURL(module).href);
  process.stdout.write("\n");
  const result = await parse(await json(process.stdin));
  process.stdout.write(JSON.stringify(result));
}

await main(process.argv.slice(2));
