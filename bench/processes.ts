/** What a process and its children cost, as Linux counts it. Elsewhere: null. */
import { readdirSync, readFileSync } from "node:fs";

const msPerTick = 10;

type Stat = { parent: number; own: number; withReaped: number };

function readStat(pid: string): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in parentheses may hold spaces; the fields after it are counted from the last one.
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
 * Milliseconds of processor time that a process and its descendants have used. Those that ended (such as
 * PostgreSQL's parallel workers) count too: their parent took their time over.
 */
export function cpuMs(root: number | null): number | null {
  if (root === null || process.platform !== "linux") return null;
  let sum = 0;
  for (const { withReaped } of descendants(root).values()) sum += withReaped;
  return sum;
}

/** Memory in use, the process and its descendants together. */
export const rssMb = (root: number): number | null => memoryMb(root, "status", /^VmRSS:\s*(\d+)/m);

/** The same, where several processes share it each with its part: what PostgreSQL's processes share counts once. */
export const pssMb = (root: number): number | null => memoryMb(root, "smaps_rollup", /^Pss:\s*(\d+)/m);

function memoryMb(root: number, file: string, line: RegExp): number | null {
  if (process.platform !== "linux") return null;
  let kb = 0;
  for (const pid of descendants(root).keys()) {
    try {
      kb += Number(line.exec(readFileSync(`/proc/${pid}/${file}`, "latin1"))?.[1] ?? 0);
    } catch {
      // It has just ended.
    }
  }
  return kb / 1024;
}
