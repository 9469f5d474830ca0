/**
 * `npm run bench -- all`: runs every part that has limits and needs nothing but this checkout, one after another, each
 * in its own process. Takes half an hour to an hour. Fails if a limit is broken, and lists the outcome of each part.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type Flags, say } from "./flags.ts";

/** Each size of `lists` is its own part: after seeding a hundred times as much, PostgreSQL is busy for a while. */
const parts = [
  ["api", "--seconds", "1", "--rounds", "5"],
  ["hot"],
  ["import"],
  ["lists", "--sizes", "1000", "--rounds", "20"],
  ["lists", "--sizes", "100000", "--rounds", "5"],
  ["lists", "--sizes", "1000000", "--rounds", "5"],
  ["seal", "--only", "requests"],
  ["render"],
  ["web"],
  ["install"],
];

export async function allBench({ json }: Flags): Promise<void> {
  const others = process.argv.slice(2).filter((given) => !["all", "--json"].includes(given));
  if (others.length > 0) throw new TypeError("all takes --json alone.");
  const outcomes: string[] = [];
  for (const part of parts) {
    say(`\nnpm run bench -- ${part.join(" ")}`);
    const began = performance.now();
    const code = await run([...part, ...(json ? ["--json"] : [])]);
    const seconds = Math.round((performance.now() - began) / 1000);
    const outcome = code === 0 ? "holds" : `ended with ${code}`;
    outcomes.push(`${part.join(" ").padEnd(40)} ${`${seconds} s`.padStart(7)}  ${outcome}`);
    if (code !== 0) process.exitCode = 1;
  }
  say(`\n${outcomes.join("\n")}`);
}

/** The part prints its own results. On SIGINT or SIGTERM, waits for the part to close what it opened before exiting. */
async function run(args: string[]): Promise<number | null> {
  const main = join(import.meta.dirname, "main.ts");
  const child = spawn(process.execPath, [main, ...args], { stdio: ["ignore", "inherit", "inherit"] });
  const ended = once(child, "exit");
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    ended.then(() => process.exit(130));
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, end);
  const [code] = await ended;
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, end);
  return code;
}
