/**
 * The previous version: the newest commit with fewer migrations than this tree, in a folder of its own with the
 * packages that it lists. During a rolling update it runs beside this version, on the same database.
 */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { migrationsFolder } from "#prisma/migrate.ts";
import { bringPackages } from "./mutants/tree.ts";
import { node, root } from "./server.ts";

const run = promisify(execFile);

/**
 * Returns its folder, ready to run, which `closing` removes; undefined if Git's history does not reach back to it. The
 * folder is outside of this tree, because Next builds from the outermost folder with packages, and Node runs no
 * TypeScript inside node_modules.
 */
export async function versionBefore(closing: AsyncDisposableStack): Promise<string | undefined> {
  const commit = await commitBefore();
  if (!commit) return undefined;
  const path = await mkdtemp(join(tmpdir(), "countersign-before-"));
  closing.defer(() => rm(path, { recursive: true, force: true }));
  const archive = join(path, "archive.tar");
  await git("archive", `--output=${archive}`, commit);
  await run("tar", ["-xf", archive, "-C", path]);
  await rm(archive);
  if (await hasThesePackages(path)) {
    await bringPackages(path);
    await run(node, ["prisma/generate.ts"], { cwd: path });
  } else await run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: path });
  await run(node, ["lib/run/web/main.ts"], { cwd: path });
  return path;
}

/** The files that determine which packages there are, and what is kept of each. */
const decisive = ["package-lock.json", "lib/run/trim-packages.ts"];

async function hasThesePackages(path: string): Promise<boolean> {
  const read = (folder: string, name: string) => readFile(join(folder, name), "utf8").catch(() => "");
  const same = decisive.map(async (name) => (await read(path, name)) === (await read(root, name)));
  return (await Promise.all(same)).every(Boolean);
}

async function commitBefore(): Promise<string | undefined> {
  const names = (await readdir(migrationsFolder)).filter((name) => /^\d/.test(name));
  const commits = await git("rev-list", "--first-parent", "HEAD").catch(() => "");
  for (const commit of commits.split("\n").filter(Boolean)) {
    const listed = await git("ls-tree", "--name-only", commit, "prisma/migrations/");
    const earlier = listed.split("\n").filter((line) => /\/\d+_\w+$/.test(line));
    if (earlier.length > 0 && earlier.length < names.length) return commit;
  }
  return undefined;
}

const git = async (...args: string[]) => (await run("git", args, { cwd: root })).stdout;
