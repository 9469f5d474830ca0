/**
 * The program that warm.ts starts: runs the function that its arguments name, a module and an export of it, on one
 * frame after another. What the module exports as `warmUp` is run first. It may read its own program and no file:
 * the bytes come with the frame. Whatever goes wrong ends it.
 */
import { Console } from "node:console";
import { pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { FrameReader, writeFrame } from "./frames.ts";

// What goes to stdout is the answer.
globalThis.console = new Console(process.stderr);

const nothing = new Uint8Array();

async function main([module = "", name = ""]: string[]): Promise<void> {
  const { [name]: work, warmUp } = await import(pathToFileURL(module).href);
  await warmUp?.();
  collectGarbage();
  writeFrame(process.stdout, { message: { ready: true }, bytes: nothing });
  const frames = new FrameReader(process.stdin);
  for (let frame = await frames.next(); frame; frame = await frames.next()) {
    const { bytes = nothing, ...message } = await work({ ...frame.message, bytes: frame.bytes });
    writeFrame(process.stdout, { message, bytes });
  }
}

/** What beginning leaves behind is a third of what it would hold while it waits. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")({ type: "major", execution: "sync", flavor: "last-resort" });
}

await main(process.argv.slice(2));
