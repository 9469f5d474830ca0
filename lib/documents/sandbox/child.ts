/**
 * Runs a parser on untrusted input in a process of its own (sandbox.ts, which starts child-main.ts), limited in time,
 * memory and size of the result, when its turn comes (core/lanes.ts).
 */
import type { ChildProcess } from "node:child_process";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { callerDisconnected, type Lane, nicenessOf, runInLane, type Turn } from "#lib/core/lanes.ts";
import { projectPath } from "#lib/core/root.ts";
import { LineDecoder, readLines, writeLines } from "./lines.ts";
import { startSandboxed } from "./sandbox.ts";
import { enforceLimits, type Limits, ParserFailed, startFailure, unexpectedExit } from "./watch.ts";

/**
 * A function that runs in the child: an export of one of our modules. It takes one object, whose `path` is the only
 * file it may read, and returns a value that can be printed as JSON.
 */
export interface Parser<Input, Result> {
  /** Relative to the project's folder: `lib/documents/text/text.ts`. */
  module: string;
  name: string;
  /** The lane in which it waits for its turn. */
  lane: Lane;
  /** See sandbox.ts. */
  addons?: boolean;
  /** Only for the compiler. */
  readonly result?: (input: Input) => Result;
}

/** Refers to a function by its module, of which the server loads only the type. */
export function parser<Run extends (input: never) => unknown>(
  module: string,
  name: string,
  lane: Lane,
  { addons = false } = {},
): Parser<Parameters<Run>[0], Awaited<ReturnType<Run>>> {
  return { module, name, lane, addons };
}

type AnyParser = Pick<Parser<never, unknown>, "module" | "name" | "lane" | "addons">;

/**
 * Runs one parser. Input and result are values that JSON can express; a file is passed by its path and is all that the
 * child may read besides its own program. An error thrown by the parser becomes ParserFailed("crash").
 */
export async function runInChild<Input extends { path?: string }, Result>(
  parser: Parser<Input, Result>,
  input: Input,
  limits: Limits,
  turn: Turn,
): Promise<Result> {
  // The child works in a folder of its own, while DATA_DIR may be relative to this process's.
  const given = input.path === undefined ? input : { ...input, path: resolve(input.path) };
  return runInLane(parser.lane, turn, () => run(parser, given, limits, turn.signal) as Promise<Result>);
}

const usualAnswerMb = 16;

async function run(
  parser: AnyParser,
  input: { path?: string },
  limits: Limits,
  signal: AbortSignal | undefined,
) {
  const child = start(parser, input, limits);
  const exited = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
    child.once("error", () => resolve());
  });
  let exceeded: ParserFailed["reason"] | null = null;
  const end = () => child.kill("SIGKILL");
  const exceed = (limit: ParserFailed["reason"]) => {
    exceeded ??= limit;
    end();
  };
  const stopWatching = enforceLimits(child, limits, exceed);
  signal?.addEventListener("abort", end, { once: true });
  child.stdin?.on("error", () => undefined);
  writeLines(child.stdin!, input);
  const answer = read(child.stdout!, limits.answerMb ?? usualAnswerMb, () => exceed("memory"));
  const [childOutput, complained] = await Promise.all([answer, text(child.stderr!), exited]);
  stopWatching();
  signal?.removeEventListener("abort", end);
  if (signal?.aborted) throw callerDisconnected();
  if (exceeded) throw new ParserFailed(exceeded, parser.name);
  if (child.exitCode === 0 && childOutput.result !== undefined) return childOutput.result;
  if (child.exitCode === 0) throw new ParserFailed("crash", parser.name, "It answered no JSON.");
  const failed = unexpectedExit(child, parser.name, complained);
  throw failed.reason === "crash" && !childOutput.hasBegun ? startFailure(parser.name, complained) : failed;
}

/** Reads the output: whether the child has begun, and its result, which is undefined if there is none. */
async function read(stream: Readable, limitMb: number, exceed: () => void) {
  let left = limitMb * 1024 * 1024;
  async function* limited() {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      left -= chunk.length;
      if (left < 0) exceed();
      else yield chunk;
    }
  }
  const result = new LineDecoder();
  let hasBegun = false;
  let isJson = true;
  await readLines(Readable.from(limited()), (line) => {
    hasBegun = true;
    if (line === "" || !isJson) return;
    try {
      result.addLine(line);
    } catch {
      // The output is untrusted: a file may have taken over the process.
      isJson = false;
    }
  });
  return { hasBegun, result: isJson ? result.value() : undefined };
}

function start(
  { module, name, lane, addons }: AnyParser,
  { path }: { path?: string },
  { timeoutMs, memoryMb }: Limits,
): ChildProcess {
  try {
    return startSandboxed({
      program: projectPath("lib", "documents", "sandbox", "child-main.ts"),
      args: [projectPath(...module.split("/")), name],
      files: path === undefined ? [] : [path],
      flags: [`--max-old-space-size=${memoryMb}`],
      addons,
      cpuSeconds: Math.ceil(timeoutMs / 1000) + 1,
      niceness: nicenessOf(lane),
      stdio: ["pipe", "pipe", "pipe"],
    });
  } catch (error) {
    throw startFailure(name, String(error));
  }
}
