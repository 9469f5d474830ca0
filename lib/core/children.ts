/** The programs that this one has started: however it ends, short of a kill -9, none of them goes on. */
import type { ChildProcess } from "node:child_process";

/** Next bundles this file more than once; the process still ends once. */
const shared = globalThis as { countersignChildren?: Set<ChildProcess> };

export function endWithThis(child: ChildProcess): void {
  const children = shared.countersignChildren ?? watched();
  children.add(child);
  const forget = () => children.delete(child);
  child.once("close", forget).once("error", forget);
}

function watched(): Set<ChildProcess> {
  const children = new Set<ChildProcess>();
  shared.countersignChildren = children;
  process.once("exit", () => {
    for (const child of children) child.kill("SIGKILL");
  });
  return children;
}
