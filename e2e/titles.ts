/** Reads the titles of the tests in a file without running it. An interpolated part (`${…}`) matches any text. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./server.ts";

const call = /\btest\(\s*("(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)/g;

/** Returns whether a test file has a test with this title; false if the file does not exist. */
export function hasTest(file: string, title: string): boolean {
  return patternsIn(file).some((pattern) => pattern.test(title));
}

function patternsIn(file: string): RegExp[] {
  let text: string;
  try {
    text = readFileSync(join(root, file), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
  return [...text.matchAll(call)].map(([, written]) => patternOf(written!));
}

function patternOf(written: string): RegExp {
  if (written.startsWith('"')) return new RegExp(`^${escaped(JSON.parse(written))}$`);
  const parts = written.slice(1, -1).split(/\$\{[^}]*\}/);
  return new RegExp(`^${parts.map(escaped).join(".*")}$`);
}

export function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}
