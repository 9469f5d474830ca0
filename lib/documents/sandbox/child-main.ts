/**
 * The program started by child.ts: runs the function named by its arguments, a module and one of its exports, on the
 * value from its input, and prints the result, both as lines of JSON (lines.ts). It may read only its own program and
 * the given file. It prints an empty line once it is ready: a process that exits before that has seen none of its input.
 */
import { Console } from "node:console";
import { pathToFileURL } from "node:url";
import { LineDecoder, linesOf, readLines } from "./lines.ts";

// Stdout carries the result.
globalThis.console = new Console(process.stderr);

async function main([module = "", name = ""]: string[]): Promise<void> {
  const { [name]: parse } = await import(pathToFileURL(module).href);
  process.stdout.write("\n");
  const input = new LineDecoder();
  await readLines(process.stdin, (line) => input.addLine(line));
  for (const line of linesOf(await parse(input.value()))) process.stdout.write(line);
}

await main(process.argv.slice(2));
