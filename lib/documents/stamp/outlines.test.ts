import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { outlineOf } from "./outline.ts";
import { getOutline } from "./outlines.ts";

const typed = [
  "Dana Fox",
  "Ελένη Παπαδοπούλου",
  "김민준",
  "田中さくら",
  "王小明",
  "محمد عبد الله",
  "דוד כהן",
];

const turn = { share: "Ann" };

/** The processor time that this thread takes for something. */
async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

test("outlines are computed off the main thread, and equal those computed on it", async () => {
  const all = () => Promise.all(typed.map((text) => getOutline({ typed: text }, turn)));
  const elsewhere = await cpuMs(all);
  test.info().annotations.push({ type: "ms", description: `${elsewhere}` });
  expect(elsewhere).toBeLessThan(100);
  expect(await all()).toEqual(typed.map((text) => outlineOf({ typed: text })));
});

test("a failed outline is reported as unavailable, and the next text is still outlined", async () => {
  // Every text can be laid out; a value that is not text fails.
  const broken = getOutline({ typed: 1 as never }, turn);
  const other = getOutline({ typed: "Someone else" }, turn);
  await expect(broken).rejects.toMatchObject({ code: "unavailable" });
  expect((await other).path).not.toBe("");
});

/** As many letters as a field allows, all different, and without a place to break. */
const longest = (first: number) =>
  String.fromCodePoint(...Array.from({ length: 500 }, (_, at) => first + at * 7));

test("fitting the longest text into a box takes less than ten times as long as setting it on one line", async () => {
  outlineOf({ typed: typed.join("") });
  for (const first of [0xac00, 0x4e00]) {
    const text = longest(first).replace(/[\s\p{Cn}\p{P}]/gu, "a");
    const once = await cpuMs(() => outlineOf({ text, width: 20_000, height: 12 }));
    for (const [width, height] of [
      [200, 20],
      [3, 3],
      [20, 2000],
    ] as const) {
      const spent = await cpuMs(() => outlineOf({ text, width, height }));
      test
        .info()
        .annotations.push({ type: `${text.slice(0, 3)} ${width} x ${height}`, description: `${spent} ms` });
      expect(spent, `${text.slice(0, 3)} in ${width} x ${height}`).toBeLessThan(10 * once);
    }
  }
});

test("a signer's outlines are computed one at a time, so another signer waits for at most two of them", async () => {
  const order: string[] = [];
  const many = Array.from({ length: 40 }, async (_, at) => {
    await getOutline(
      { text: `${longest(0xac00).slice(3)}${at}`, width: 200, height: 20 },
      { share: "greedy" },
    );
    order.push("greedy");
  });
  await getOutline({ typed: "Ben" }, { share: "Ben" });
  order.push("Ben");
  await Promise.all(many);
  expect(order.indexOf("Ben")).toBeLessThanOrEqual(2);
});

test("a program that has used the outline thread exits without waiting for the thread's idle time-out", async () => {
  const module = join(import.meta.dirname, "outlines.ts");
  const script = `import { getOutline } from ${JSON.stringify(module)}; await getOutline({ typed: "Ann" }, { share: "Ann" });`;
  const args = ["--input-type=module-typescript", "--eval", script];
  // The thread rests for a minute. The program itself takes a second.
  await promisify(execFile)(process.execPath, args, {
    timeout: 45_000,
    env: { ...process.env, LOG_LEVEL: "warn" },
  });
});
