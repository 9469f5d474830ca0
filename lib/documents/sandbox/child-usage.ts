/** What a process uses, according to its system: /proc on Linux, ps elsewhere. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

export interface Usage {
  cpuMs: number;
  memoryMb: number;
}

/** Null if the process has exited. */
export async function usageOf(pid: number): Promise<Usage | null> {
  try {
    return process.platform === "linux" ? await fromProc(pid) : await fromPs(pid);
  } catch {
    return null;
  }
}

const ticksPerSecond = 100;
const pageBytes = 4096;

async function fromProc(pid: number): Promise<Usage> {
  const stat = await readFile(`/proc/${pid}/stat`, "latin1");
  // The name in parentheses may contain spaces, so fields are counted from the third one.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [utime = 0, stime = 0] = fields.slice(11, 13).map(Number);
  const rssPages = Number(fields[21]);
  return {
    cpuMs: ((utime + stime) * 1000) / ticksPerSecond,
    memoryMb: (rssPages * pageBytes) / 1024 / 1024,
  };
}

async function fromPs(pid: number): Promise<Usage> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "rss=,time=", "-p", String(pid)]);
  const [rssKb = "0", time = "0"] = stdout.trim().split(/\s+/);
  const seconds = time.split(/[:-]/).reduce((sum, part) => sum * 60 + Number(part), 0);
  return { cpuMs: seconds * 1000, memoryMb: Number(rssKb) / 1024 };
}
