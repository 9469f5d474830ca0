/**
 * `npm run bench -- seal`: the time and memory that sealing a document takes, compared with bare pdf-lib that loads the
 * same pages, draws one signature and saves. Each run is its own process, so that sealing's child process is new as
 * well. `--only requests` instead measures how long signers wait for the sealed document.
 */
import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { contractPdf, sealed } from "#e2e/sealing.ts";
import { type Flags, say } from "./flags.ts";
import { requestsBench } from "./seal-requests.ts";

const run = promisify(execFile);
const sizes = [10, 200];
const minutes = 5;

interface Sample {
  ms: number;
  /** The peak memory of the run's largest process. */
  peakMb: number;
}

interface Row {
  pages: number;
  what: string;
  runs: number;
  p50Ms: number;
  p95Ms: number;
  peakMb: number;
  ratio: number;
}

export async function sealBench(flags: Flags): Promise<void> {
  if (flags.only !== "" && "requests".includes(flags.only)) return requestsBench(flags);
  const folder = await mkdtemp(join(tmpdir(), "countersign-bench-seal-"));
  try {
    if (flags.tamper) return await tamper(folder, flags);
    const rows: Row[] = [];
    for (const pages of sizes) rows.push(...(await measure(folder, pages, Math.max(flags.rounds, 5))));
    const machine = { cpus: cpus().length, node: process.version };
    process.stdout.write(flags.json ? `${JSON.stringify({ rows, machine })}\n` : table(rows));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Measures both kinds in turns, so that a busy moment of the machine affects both. */
async function measure(folder: string, pages: number, runs: number): Promise<Row[]> {
  const path = join(folder, `${pages}.pdf`);
  await writeFile(path, await contractPdf(pages));
  const samples: Record<"bare" | "sealed", Sample[]> = { bare: [], sealed: [] };
  for (let at = 0; at < runs; at++) {
    say(`${pages} pages, ${at + 1} of ${runs}`);
    for (const kind of ["bare", "sealed"] as const) samples[kind].push(await once(kind, path, pages));
  }
  const bare = row(pages, "bare pdf-lib", samples.bare);
  const ours = row(pages, "sealed", samples.sealed);
  return [bare, { ...ours, ratio: ours.p50Ms / bare.p50Ms }];
}

/** The program measures from its own first line: only the start of sealing's child process counts. */
async function once(kind: "bare" | "sealed", path: string, pages: number): Promise<Sample> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, "seal-once.ts"), kind, path, String(pages)],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const said = await text(child.stdout);
  return JSON.parse(said) as Sample;
}

function row(pages: number, what: string, samples: Sample[]): Row {
  const times = samples.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))]!;
  const peakMb = Math.max(...samples.map((sample) => sample.peakMb));
  return { pages, what, runs: times.length, p50Ms: at(0.5), p95Ms: at(0.95), peakMb, ratio: 1 };
}

function table(rows: Row[]): string {
  const head = ["pages", "", "runs", "p50 ms", "p95 ms", "peak MB", "ratio"];
  const lines = rows.map(({ pages, what, runs, p50Ms, p95Ms, peakMb, ratio }) =>
    [pages, what, runs, Math.round(p50Ms), Math.round(p95Ms), Math.round(peakMb), ratio.toFixed(2)].map(
      String,
    ),
  );
  const widths = head.map((_, column) => Math.max(...[head, ...lines].map((line) => line[column]!.length)));
  const text = [head, ...lines].map((line) => line.map((cell, at) => cell.padStart(widths[at]!)).join("  "));
  return `${text.join("\n")}\n`;
}

/** Checks that our verification, and pdfsig where it looks, find every change. Fails if one is missed. */
async function tamper(folder: string, { json }: Flags): Promise<void> {
  const { readSeal } = await import("#lib/documents/seal/read-seal.ts");
  const { bytes } = await sealed(join(folder, "in.pdf"), { pages: 2 });
  const [, start = 0, end = 0] = /\/ByteRange \[ 0 (\d+) (\d+)/.exec(bytes.toString("latin1"))!.map(Number);
  const path = join(folder, "changed.pdf");
  const missed = { byUs: [] as number[], byPdfsig: [] as number[] };
  const until = Date.now() + minutes * 60_000;
  const counts = { changes: 0, appends: 0, shownToPdfsig: 0 };
  const look = async (changed: Buffer, position: number) => {
    await writeFile(path, changed);
    const { checks } = await readSeal({ path });
    if (!checks.some(({ holds }) => holds === false)) missed.byUs.push(position);
    // pdfsig reads only a part of the seal itself; a change in the bytes that the seal covers must be found.
    if (position >= start && position < end) return;
    counts.shownToPdfsig++;
    const { stdout } = await run("pdfsig", ["-nocert", path]).catch((error) => error);
    if (/Signature is Valid/.test(stdout) && /Total document signed/.test(stdout))
      missed.byPdfsig.push(position);
  };
  for (; counts.changes < 1000 && Date.now() < until; counts.changes++) {
    const position = Math.floor(Math.random() * bytes.length);
    const changed = Buffer.from(bytes);
    changed[position]! ^= 1 + Math.floor(Math.random() * 255);
    await look(changed, position);
  }
  for (; counts.appends < 100; counts.appends++) {
    const tail = Buffer.from("\n 0%EOF<>/".repeat(20)).subarray(
      counts.appends,
      counts.appends + 1 + counts.appends,
    );
    await look(Buffer.concat([bytes, tail]), bytes.length);
  }
  const result = { ...counts, missedByUs: missed.byUs, missedByPdfsig: missed.byPdfsig };
  process.stdout.write(json ? `${JSON.stringify(result)}\n` : `${JSON.stringify(result, null, 2)}\n`);
  if (missed.byUs.length + missed.byPdfsig.length > 0) process.exitCode = 1;
}
