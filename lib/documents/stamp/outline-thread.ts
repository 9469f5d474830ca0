/** The thread of lib/documents/stamp/outlines.ts. */
import { parentPort } from "node:worker_threads";
import { type OutlineInput, outlineOf } from "./outline.ts";

parentPort?.on("message", (wording: OutlineInput) => parentPort?.postMessage(outlineOf(wording)));
