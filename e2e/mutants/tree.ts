/** A copy of the sources to plant slips in, so that the tree that someone works in stays as it is. */
import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { root } from "../server.ts";
import type { Mutant } from "./mutant.ts";

const run = promisify(execFile);

export interface Tree {
  path: string;
  /** Makes the edits; answers how to undo them, or null where one does not apply. */
  plant(edits: Mutant["edits"]): Promise<(() => Promise<void>) | null>;
  remove(): Promise<void>;
}

/** What is not the sources. */
const left = new Set([".data", ".git", ".next", "node_modules", "playwright-report", "test-results"]);

/** What stands in the tree now, with what was generated from it. */
export async function copyTree(): Promise<Tree> {
  const path = await mkdtemp(join(tmpdir(), "countersign-mutants-"));
  await cp(root, path, { recursive: true, filter: (from) => !left.has(relative(root, from)) });
  await bringPackages(path);
  return {
    path,
    plant: (edits) => plant(path, edits),
    remove: () => rm(path, { recursive: true, force: true }),
  };
}

/** The packages themselves, as links to each file: neither the build nor the sandbox follows a link out of here. */
export async function bringPackages(path: string): Promise<void> {
  const [from, to] = [join(root, "node_modules"), join(path, "node_modules")];
  await run("cp", ["-al", from, to]).catch(async () => {
    await rm(to, { recursive: true, force: true });
    await run("cp", ["-a", from, to]);
  });
}

/** Makes the edits in the tree at `path`; answers how to undo them, or null where one does not apply. */
export async function plant(path: string, edits: Mutant["edits"]): Promise<(() => Promise<void>) | null> {
  const before = new Map<string, string>();
  const after = new Map<string, string>();
  for (const { file, find, replace } of edits) {
    if (!before.has(file)) before.set(file, await readFile(join(path, file), "utf8"));
    const parts = (after.get(file) ?? before.get(file)!).split(find);
    if (parts.length !== 2) return null;
    after.set(file, parts.join(replace));
  }
  const writeAll = async (texts: Map<string, string>) => {
    for (const [file, text] of texts) await writeFile(join(path, file), text);
  };
  await writeAll(after);
  return () => writeAll(before);
}
