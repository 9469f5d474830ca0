/** The processes of this machine, as the system lists them. */
import { readdir, readFile } from "node:fs/promises";

export interface Process {
  pid: number;
  command: string;
}

/** Returns all direct and indirect child processes of a process. */
export async function descendantsOf(pid: number): Promise<Process[]> {
  const all = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const parents = new Map<number, number>();
  for (const name of all) {
    const stat = await readFile(`/proc/${name}/stat`, "latin1").catch(() => "");
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (state && state !== "Z") parents.set(Number(name), Number(parent));
  }
  const found: Process[] = [];
  const open = [pid];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const [child, parent] of parents) {
      if (parent !== next) continue;
      const command = await readFile(`/proc/${child}/cmdline`, "latin1").catch(() => "");
      found.push({ pid: child, command: command.replaceAll("\0", " ") });
      open.push(child);
    }
  }
  return found;
}

/** Looks after a pause of 20 ms: looking all the time would take a processor from the observed process. */
export async function glance<T>(look: () => Promise<T>): Promise<T> {
  await new Promise((resolve) => setTimeout(resolve, 20));
  return look();
}

/** Returns the processor time that a process's first thread has used, in milliseconds. */
export async function mainThreadMs(pid: number): Promise<number> {
  const [used = "0"] = (await readFile(`/proc/${pid}/task/${pid}/schedstat`, "latin1")).split(" ");
  return Number(used) / 1e6;
}

/** Returns the processor time that a process has used in all of its threads, in milliseconds. */
export async function processorMs(pid: number): Promise<number> {
  return (await processorTimesOf(pid)).own;
}

/** Returns the processor time of all processes that a process has started, running or ended, in milliseconds. */
export async function processorMsOfChildren(pid: number): Promise<number> {
  const running = await descendantsOf(pid);
  const times = await Promise.all(running.map((child) => processorTimesOf(child.pid)));
  const ended = (await processorTimesOf(pid)).ofEnded;
  return times.reduce((sum, { own, ofEnded }) => sum + own + ofEnded, ended);
}

async function processorTimesOf(pid: number): Promise<{ own: number; ofEnded: number }> {
  const stat = await readFile(`/proc/${pid}/stat`, "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [user = 0, system = 0, usersOfEnded = 0, systemsOfEnded = 0] = fields.slice(11, 15).map(Number);
  // In ticks, of which Linux has 100 per second on all systems that run Node.
  return { own: (user + system) * 10, ofEnded: (usersOfEnded + systemsOfEnded) * 10 };
}
