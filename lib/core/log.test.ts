import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "@playwright/test";

/** Logs 300 kB, more than a pipe holds, and exits when its input ends. */
const program = `
  import { log } from "#lib/core/log.ts";
  process.stdout.on("error", () => undefined);
  process.stdin.resume().on("end", () => {
    for (let line = 1; line <= 300; line += 1) log().info({ line, text: "x".repeat(1000) }, "a line");
    if (process.argv[1] === "later") setTimeout(() => process.exit(7), 700);
    else process.exit(7);
  });`;

const start = (when: string) =>
  spawn(process.execPath, ["--input-type=module", "--eval", program, when], {
    cwd: `${import.meta.dirname}/../..`,
    env: { ...process.env, LOG_LEVEL: "info" },
    stdio: ["pipe", "pipe", "inherit"],
  });

async function ended(child: ChildProcess): Promise<number> {
  const [code] = await once(child, "exit");
  return code;
}

for (const when of ["at once", "later"]) {
  test(`a process that exits ${when} is not held up by an unread log, and loses no line of one that is read`, async () => {
    const [gone, stalled, read] = [start(when), start(when), start(when)];
    const codes = Promise.all([gone, stalled, read].map(ended));
    const all = once(read, "close");
    let text = "";
    read.stdout.on("data", (chunk) => (text += chunk));
    gone.stdout.destroy();
    for (const { stdin } of [gone, stalled, read]) stdin.end();
    expect(await codes).toEqual([7, 7, 7]);
    await all;
    stalled.stdout.destroy();
    const lines = text.trim().split("\n");
    expect(lines).toHaveLength(300);
    expect(JSON.parse(lines.at(-1)!).line).toBe(300);
  });
}
