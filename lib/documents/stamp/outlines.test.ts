import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { outlineOf } from "./outline.ts";
import { outlined } from "./outlines.ts";

const typed = [
  "Dana Fox",
  "Ελένη Παπαδοπούλου",
  "김민준",
  "田中さくら",
  "王小明",
  "محمد عبد الله",
  "דוד כהן",
];

/** How much processor time this thread takes for something. */
async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

test("fonts are read and texts set outside the thread that answers requests, and look as if set here", async () => {
  const all = () => Promise.all(typed.map((text) => outlined({ typed: text })));
  const elsewhere = await cpuMs(all);
  test.info().annotations.push({ type: "ms", description: `${elsewhere}` });
  expect(elsewhere).toBeLessThan(100);
  expect(await all()).toEqual(typed.map((text) => outlineOf({ typed: text })));
});

test("where setting a text fails, those who wait are told to ask again, and who asks again is answered", async () => {
  const broken = outlined({ typed: 1 as never });
  const other = outlined({ typed: "Somebody else" });
  await expect(broken).rejects.toMatchObject({ code: "unavailable" });
  await expect(other).rejects.toMatchObject({ code: "unavailable" });
  expect((await outlined({ typed: "Somebody else" })).path).not.toBe("");
});

test("a program that has done its work ends, and does not wait for the thread to have rested", async () => {
  const module = join(import.meta.dirname, "outlines.ts");
  const script = `import { outlined } from ${JSON.stringify(module)}; await outlined({ typed: "Ann" });`;
  const args = ["--input-type=module-typescript", "--eval", script];
  // It rests for a minute. The program itself takes a second.
  await promisify(execFile)(process.execPath, args, {
    timeout: 45_000,
    env: { ...process.env, LOG_LEVEL: "warn" },
  });
});
