/**
 * The program that child.ts starts: runs the function that its arguments name, a module and an export of it, on the
 * JSON of its input, and prints the result as JSON. It may read its own program and the file it was given, and
 * nothing else. A line is printed once it can begin: whoever ends before that has seen nothing of its input.
 */
import { Console } from "node:console";
import { json } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

// What goes to stdout is the answer.
globalThis.console = new Console(process.stderr);

async function main([module = "", name = ""]: string[]): Promise<void> {
  const { [name]: parse } = await import(pathToFileURL(module).href);
  process.stdout.write("\n");
  const result = await parse(await json(process.stdin));
  process.stdout.write(JSON.stringify(result));
}

await main(process.argv.slice(2));
