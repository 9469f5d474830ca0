/** Files named on the operator's command line, and a progress bar for long commands. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { Presets, SingleBar } from "cli-progress";
import type { z } from "zod";
import { invalid } from "#lib/core/errors.ts";

/** Reads a file. If it cannot be read, throws a Refusal that names `flag`. */
export async function readOperatorsFile(path: string, flag: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    const { code = "it cannot be read" } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "there is no such file" : code;
    throw invalid({ path: `--${flag}`, message: `${path}: ${why}` });
  }
}

/** Resolves a path to an absolute one. Adds an issue if the file does not exist. */
export function readableFile(path: string, ctx: z.RefinementCtx): string {
  const file = resolve(path);
  if (!existsSync(file)) ctx.addIssue({ code: "custom", message: `there is no file ${file}` });
  return file;
}

/**
 * Shows progress on stderr if it is a terminal: stdout is for the result. Each step has its own bar, one after the
 * other.
 */
export function progressBar(unit: string): {
  update(step: string, done: number, of: number): void;
  stop(): void;
} {
  const { stderr } = process;
  if (!stderr.isTTY) return { update: () => undefined, stop: () => undefined };
  const format = `{bar} {value} of {total} ${unit} {step}`;
  const bar = new SingleBar({ format, stream: stderr, clearOnComplete: true }, Presets.shades_classic);
  let current = "";
  return {
    update(step, done, of) {
      if (step === current) return bar.update(done);
      bar.stop();
      bar.start(of, done, { step });
      current = step;
    },
    stop: () => bar.stop(),
  };
}
