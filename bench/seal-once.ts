/** Seals one document, or only draws on it with pdf-lib, in its own process. Prints its time and peak memory. */
import { readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { evidenceOf, fieldsFor, scribble, sealingKey } from "#e2e/sealing.ts";
import { PDFDocument } from "#lib/documents/pdf/pdf-lib.ts";
import { sealDocument } from "#lib/documents/seal/seal.ts";

const [kind, path = "", pages = ""] = process.argv.slice(2);
const unsigned = await readFile(path);
const key = sealingKey();

async function bare(): Promise<void> {
  const pdf = await PDFDocument.load(unsigned);
  const image = await pdf.embedPng(Buffer.from(scribble(), "base64"));
  pdf.getPage(Number(pages) - 1).drawImage(image, { x: 60, y: 100, width: 150, height: 45 });
  await pdf.save();
}

async function sealing(): Promise<void> {
  const evidence = evidenceOf(unsigned);
  await sealDocument({ path, evidence, fields: fieldsFor(evidence, Number(pages) - 1) }, key);
}

let children = 0;
let isOver = false;
const watching = (async () => {
  const { execFileSync } = await import("node:child_process");
  while (!isOver) {
    await wait(40);
    if (kind === "bare") continue;
    try {
      // The system knows a child's peak memory only while the child runs.
      const ids = execFileSync("pgrep", ["-P", String(process.pid)], { encoding: "utf8" })
        .trim()
        .split("\n");
      for (const id of ids) {
        const status = await readFile(`/proc/${id}/status`, "utf8");
        children = Math.max(children, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
      }
    } catch {
      // The child has exited.
    }
  }
})();

const started = performance.now();
await (kind === "bare" ? bare() : sealing());
const ms = performance.now() - started;
isOver = true;
await watching;
const peakMb = Math.max(children, process.resourceUsage().maxRSS / 1024);
console.log(JSON.stringify({ ms, peakMb }));
