/** The thread of lib/documents/stamp/outlines.ts. */
import { parentPort } from "node:worker_threads";
import { outlineOf, type Wording } from "./outline.ts";

parentPort?.on("message", (wording: Wording) => parentPort?.postMessage(outlineOf(wording)));
