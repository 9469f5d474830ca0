/** The child processes of this process: however it ends, short of a SIGKILL, none of them outlives it. */
import type { ChildProcess } from "node:child_process";

const children = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});

export function killOnExit(child: ChildProcess): void {
  children.add(child);
  const forget = () => children.delete(child);
  child.once("close", forget).once("error", forget);
}
