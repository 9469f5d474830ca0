/** Builds the web app if the build is missing or older than the sources. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { killOnExit } from "#lib/core/children.ts";
import { compressChunks } from "./chunks.ts";

const folders = ["app", "components", "lib"];
const files = [
  "instrumentation-client.ts",
  "instrumentation.ts",
  "next.config.ts",
  "package-lock.json",
  "postcss.config.mjs",
  "prisma/schema.prisma",
  "proxy.ts",
  "tsconfig.json",
];
/** The sources of the build. An image must include them. */
export const sources = [...folders, ...files];

const stamp = join(".next", "countersign-sources");

/** Builds the web app if needed. Calls `say` first, since a build takes a while. */
export async function buildIfStale(root: string, say: (line: string) => void): Promise<void> {
  const wanted = await fingerprint(root);
  const built = await readFile(join(root, stamp), "utf8").catch(() => "");
  if (built === wanted) return;
  say("building the web app (about half a minute, only after an update)");
  await build(root);
  await compressChunks(root);
  await writeFile(join(root, stamp), wanted);
}

/** Returns a hash of the build's sources, without their tests. */
async function fingerprint(root: string): Promise<string> {
  const found = await Promise.all(
    folders.map(async (folder) => {
      const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    }),
  );
  const inFolders = found.flat().filter((file) => !file.endsWith(".test.ts"));
  const all = [...inFolders, ...files.map((file) => join(root, file))].sort();
  const hash = createHash("sha256").update(process.version);
  const contents = await Promise.all(all.map((file) => readFile(file)));
  for (const [index, content] of contents.entries())
    hash.update(all[index]!.slice(root.length)).update(content);
  return hash.digest("hex");
}

async function build(root: string): Promise<void> {
  const next = join(root, "node_modules", "next", "dist", "bin", "next");
  const output: Buffer[] = [];
  const child = spawn(process.execPath, [next, "build"], {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  killOnExit(child);
  child.stdout.on("data", (chunk) => output.push(chunk));
  child.stderr.on("data", (chunk) => output.push(chunk));
  const ended = Promise.withResolvers<number | null>();
  child.once("error", ended.reject).once("close", ended.resolve);
  if ((await ended.promise) !== 0) throw new Error(`The web build failed:\n${Buffer.concat(output)}`);
}
