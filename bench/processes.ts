/** What a process and its descendants use, read from /proc; null on systems other than Linux. */
import { readdirSync, readFileSync } from "node:fs";

const msPerTick = 10;

type Stat = { parent: number; own: number; withReaped: number };

function readStat(pid: string): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in parentheses may contain spaces, so fields are counted from the last parenthesis.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const [utime = 0, stime = 0, cutime = 0, cstime = 0] = fields.slice(11, 15).map(Number);
    const own = (utime + stime) * msPerTick;
    return { parent: Number(fields[1]), own, withReaped: own + (cutime + cstime) * msPerTick };
  } catch {
    return undefined;
  }
}

function descendants(root: number): Map<number, Stat> {
  const all = new Map<number, Stat>();
  for (const name of readdirSync("/proc")) {
    const stat = /^\d+$/.test(name) ? readStat(name) : undefined;
    if (stat) all.set(Number(name), stat);
  }
  const found = new Map<number, Stat>();
  const add = (pid: number) => {
    const stat = all.get(pid);
    if (!stat || found.has(pid)) return;
    found.set(pid, stat);
    for (const [child, { parent }] of all) if (parent === pid) add(child);
  };
  add(root);
  return found;
}

/**
 * Milliseconds of processor time used by a process and its descendants. Processes that have exited (such as
 * PostgreSQL's parallel workers) count too: their time is added to their parent's.
 */
export function cpuMs(root: number | null): number | null {
  if (root === null || process.platform !== "linux") return null;
  let sum = 0;
  for (const { withReaped } of descendants(root).values()) sum += withReaped;
  return sum;
}

/** Resident memory of the process and its descendants together, in megabytes. */
export const rssMb = (root: number): number | null => memoryMb(root, "status", /^VmRSS:\s*(\d+)/m);

/** Like rssMb, but shared memory is divided among its users: what PostgreSQL's processes share counts once. */
export const pssMb = (root: number): number | null => memoryMb(root, "smaps_rollup", /^Pss:\s*(\d+)/m);

function memoryMb(root: number, file: string, line: RegExp): number | null {
  if (process.platform !== "linux") return null;
  let kb = 0;
  for (const pid of descendants(root).keys()) {
    try {
      kb += Number(line.exec(readFileSync(`/proc/${pid}/${file}`, "latin1"))?.[1] ?? 0);
    } catch {
      // The process has just exited.
    }
  }
  return kb / 1024;
}
