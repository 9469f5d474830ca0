/**
 * The program started by warm.ts: runs the function named by its arguments, a module and one of its exports, on one
 * frame after another. If the module exports `warmUp`, that runs first. It may read its own program and no files: the
 * bytes come with the frame. Any error ends it.
 */
import { Console } from "node:console";
import { pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { FrameReader, writeFrame } from "./frames.ts";

// Stdout carries the result.
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

/** Garbage left by starting is a third of the memory it would hold while it waits. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")({ type: "major", execution: "sync", flavor: "last-resort" });
}

await main(process.argv.slice(2));
