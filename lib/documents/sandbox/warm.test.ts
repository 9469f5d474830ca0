/** Guarantees of processes that stay for the next document, tested with the one that seals. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "@playwright/test";
import { contractPdf, evidenceOf, fieldsFor, sealingKey } from "#e2e/sealing.ts";
import { projectPath } from "#lib/core/root.ts";
import type { SealedPages, SealInput } from "#lib/documents/seal/seal-pages.ts";
import { describeCertificate } from "#lib/documents/seal/signing-key.ts";
import { parser, runInChild } from "./child.ts";
import { usageOf } from "./child-usage.ts";
import { type PoolOptions, WarmChildren } from "./warm.ts";
import type { Limits, ParserFailed } from "./watch.ts";

test.describe.configure({ timeout: 90_000 });

const usual: Limits = { timeoutMs: 30_000, memoryMb: 1024 };

let opened: { close(): void }[] = [];
test.afterEach(() => {
  for (const one of opened) one.close();
  opened = [];
});

function children(limits: Partial<Limits> = {}, rest: Partial<PoolOptions> = {}) {
  const what = {
    module: "lib/documents/seal/pages-writer.ts",
    name: "sealPages",
    lane: "sealing",
  } as const;
  const pool = new WarmChildren<SealInput, SealedPages>(what, { ...usual, ...limits }, rest);
  opened.push(pool);
  return {
    pool,
    seal: async (share: string, bytes: Uint8Array, pages = 1) =>
      pool.run(inputFor(bytes, pages), bytes, { share }),
    servant: (share: string | null) => pool.waiting.find((child) => child.share === share)?.pid,
  };
}

function inputFor(bytes: Uint8Array, pages: number): SealInput {
  const evidence = evidenceOf(bytes);
  return {
    evidence,
    fields: fieldsFor(evidence, pages - 1),
    verifyUrl: null,
    sealedWith: describeCertificate(sealingKey().certificates[0]!),
    at: new Date(0).toISOString(),
    sealBytes: 8192,
  };
}

/** The processes that this one has started and that have not ended, according to the system. */
async function started(): Promise<number[]> {
  const pids = await readFile(`/proc/${process.pid}/task/${process.pid}/children`, "utf8");
  return pids.trim().split(" ").map(Number);
}

/** Expects every other process that was started since to have ended. */
function expectOnly(known: () => (number | undefined)[], before: number[]) {
  const others = async () => (await started()).filter((pid) => ![...before, ...known()].includes(pid));
  return expect.poll(others, { timeout: 30_000 }).toEqual([]);
}

async function expectEnded(pid: number | undefined, why?: string): Promise<void> {
  expect(pid).toBeGreaterThan(0);
  await expect.poll(() => existsSync(`/proc/${pid}`), { message: why, timeout: 30_000 }).toBe(false);
}

const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: ParserFailed) => error.reason,
  );

test("a sandbox process is reused for documents of the same workspace, and never for another workspace's", async () => {
  const { seal, servant } = children();
  const document = await contractPdf(1);
  await seal("a", document);
  const first = servant("a");
  expect(first).toBeDefined();
  const waiting = servant(null);
  expect(waiting, "one stands ready for whoever comes next").toBeDefined();
  await seal("a", document);
  expect(servant("a")).toBe(first);
  await seal("b", document);
  expect(servant("b")).toBe(waiting);
  expect(servant("a"), "and a's is still a's").toBe(first);
});

test("a crash or an exceeded limit is reported, and the next document gets a new process", async () => {
  const document = await contractPdf(1);
  const long = await contractPdf(100);
  const { seal, servant } = children({ answerMb: 0.3 });
  await seal("a", document);
  for (const [reason, bytes, pages] of [
    ["crash", Buffer.from("no PDF"), 1],
    ["memory", long, 100],
  ] as const) {
    const before = servant("a");
    expect(await failure(seal("a", bytes, pages))).toBe(reason);
    await expectEnded(before, reason);
    await seal("a", document);
    expect(servant("a")).not.toBe(before);
  }
  for (const [reason, limits] of [
    ["time", { timeoutMs: 20 }],
    ["memory", { memoryMb: 90 }],
  ] as const) {
    const strict = children(limits);
    expect(await failure(strict.seal("a", long, 100))).toBe(reason);
    expect(strict.servant("a"), reason).toBeUndefined();
  }
});

test("a document handed to a process that was just killed is processed by another one", async () => {
  const { seal, servant } = children();
  const document = await contractPdf(1);
  await seal("a", document);
  const first = servant("a")!;
  // This process does not know yet when it hands over the document.
  process.kill(first, "SIGSEGV");
  await seal("a", document);
  expect(servant("a")).not.toBe(first);
});

test("a document that no process began to read is reported as stalled, not as broken", async () => {
  const module = "lib/documents/sandbox/no-such-module.ts";
  const pool = new WarmChildren({ module, name: "read", lane: "requests" }, usual);
  opened.push(pool);
  expect(await failure(pool.run({}, Buffer.from("a"), { share: "a" }))).toBe("stalled");
  const alone = parser<(input: { path: string }) => void>(module, "read", "requests");
  expect(await failure(runInChild(alone, { path: import.meta.filename }, usual, { share: "a" }))).toBe(
    "stalled",
  );
  const breaking = parser<(input: { path: string }) => void>(
    "lib/documents/inspect/inspect.ts",
    "inspectFile",
    "requests",
  );
  const missing = { path: join(import.meta.dirname, "no-such-file") };
  expect(await failure(runInChild(breaking, missing, usual, { share: "a" }))).toBe("crash");
});

test("earlier documents do not use up a document's time limit: the process is replaced between two", async () => {
  const { seal, servant } = children({ timeoutMs: 2_000 });
  const document = await contractPdf(20);
  await seal("a", document, 20);
  const first = servant("a");
  expect(first).toBeDefined();
  // After the limit for one document, and before the system's own, twice that, could end it in the middle of one.
  while (servant("a") === first) {
    expect((await usageOf(first!))!.cpuMs).toBeLessThan(4_000);
    await seal("a", document, 20);
  }
  expect(servant("a")).toBeUndefined();
  await expectEnded(first);
  await seal("a", document, 20);
  expect(servant("a")).toBeDefined();
});

test("a process ends after its maximum number of documents, or after its idle time-out", async () => {
  const document = await contractPdf(1);
  const worn = children({}, { files: 2 });
  await worn.seal("a", document);
  const first = worn.servant("a");
  expect(first).toBeDefined();
  await worn.seal("a", document);
  expect(worn.servant("a")).toBeUndefined();
  await expectEnded(first);

  const before = await started();
  const idle = children({}, { idleMs: 1 });
  await idle.seal("a", document);
  await expect.poll(() => idle.servant("a")).toBeUndefined();
  await expectOnly(() => [idle.servant(null)], before);
});

test("at most the configured number of used processes wait, and an unused one ends after its time-out", async () => {
  const before = await started();
  const { pool, seal, servant } = children({}, { waiting: 2, idleMs: 600_000, freshMs: 1 });
  const document = await contractPdf(1);
  for (const share of ["a", "b", "c"]) await seal(share, document);
  expect(servant("a"), "who waited longest has ended").toBeUndefined();
  const waiting = [servant("b"), servant("c")];
  expect(waiting).toEqual([expect.any(Number), expect.any(Number)]);
  await expect.poll(() => servant(null)).toBeUndefined();
  await expectOnly(() => waiting, before);
  await pool.run(inputFor(document, 1), async () => document, { share: "d" });
  expect(servant("d"), "a new one is started for who comes then").toBeDefined();
});

test("an idle process that has served no workspace uses less than 150 MB of memory and no processor time", async () => {
  const { seal, servant } = children({}, { idleMs: 1 });
  await seal("a", await contractPdf(1));
  const fresh = servant(null)!;
  let before = -1;
  // It begins with a document of its own; then it rests.
  await expect
    .poll(
      async () => {
        const spent = (await usageOf(fresh))!.cpuMs;
        const isAtRest = spent > 0 && spent === before;
        before = spent;
        return isAtRest;
      },
      { intervals: [500], timeout: 30_000 },
    )
    .toBe(true);
  expect((await usageOf(fresh))!.memoryMb).toBeLessThan(150);
  expect(servant("a")).toBeUndefined();
});

test("a sandbox process ends when the process that started it exits, fails or is killed by any signal", async () => {
  const ends = [
    ...["process.exit(0);", "throw new Error('a bug');"],
    ...["SIGTERM", "SIGKILL"].map((signal) => `process.kill(process.pid, "${signal}");`),
  ];
  const starters = ends.map(async (end) => {
    // Any function will do, and one that loads little is quick.
    const program = `
      const { WarmChildren } = await import(${JSON.stringify(join(import.meta.dirname, "warm.ts"))});
      const what = { module: "lib/core/lanes.ts", name: "turnOf", lane: "sealing" };
      const pool = new WarmChildren(what, { timeoutMs: 30_000, memoryMb: 1024 });
      await pool.run({}, Buffer.from("a"), { share: "a" });
      (await import("node:fs")).writeSync(1, pool.waiting.map(({ pid }) => pid).join(" "));
      ${end}`;
    const starter = spawn(process.execPath, ["--input-type=module", "-e", program], {
      cwd: projectPath(),
      env: { ...process.env, LOG_LEVEL: "fatal" },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const pids = (await text(starter.stdout)).split(" ").map(Number);
    expect(pids, "a used one and a fresh one").toHaveLength(2);
    for (const pid of pids) await expectEnded(pid, end);
  });
  await Promise.all(starters);
});
