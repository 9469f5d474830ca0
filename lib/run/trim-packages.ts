/**
 * Run after `npm ci`: takes out of node_modules what packages carry and nothing here reads, a quarter of it. What is
 * not there, or cannot be removed, is left: nothing depends on this.
 */
import { readdir, rm } from "node:fs/promises";
import { join, sep } from "node:path";

const packages = join(import.meta.dirname, "..", "..", "node_modules");

/** Of databases that are not PostgreSQL. */
const otherDatabases = /_bg\.(cockroachdb|mysql|sqlite|sqlserver)\./;

/** Text is set in these two weights (lib/documents/typeset/faces.ts, lib/documents/render/office-main.ts). */
const setInFonts = /-(Regular|Bold)\.[ot]tf$/;

/** For pages without a bundler. */
const otherBuilds =
  /^(docx.dist.[^/\\]+\.(umd|iife)\.c?js|@cantoo.pdf-lib.dist.pdf-lib(\.esm(\.min)?)?\.js)$/;

/** Types of icons that are named only when a page runs, and of their other names. */
const otherIcons = /^lucide-react.(dynamic\w*|dist.lucide-react\.(pre|suf)fixed)\.d\.m?ts$/;

/** What packages were made of, and builds of them that nothing loads. */
const unusedFolders = new Set(
  [
    "@cantoo/fontkit/src",
    "@cantoo/pdf-lib/dist/standard-fonts",
    "@cantoo/pdf-lib/dist/upng",
    "@cantoo/pdf-lib/es",
    "@cantoo/pdf-lib/src",
    "@cantoo/pdf-lib/ts3.4",
    "chrono-node/src",
    "gpt-tokenizer/cjs",
    "gpt-tokenizer/src",
    "lucide-react/dist/cjs",
  ].map((path) => join(path)),
);

const isUnused = (path: string): boolean =>
  path.endsWith(".map") ||
  otherBuilds.test(path) ||
  otherIcons.test(path) ||
  (path.startsWith(join("@prisma", "client", "runtime") + sep) && otherDatabases.test(path)) ||
  (/^@embedpdf.fonts-/.test(path) && /\.[ot]tf$/.test(path) && !setInFonts.test(path));

/** What only who compiles modules for this Node needs: 67 MB of headers. */
const headers = /^node-linux-[^/\\]+.include$/;

const isUnusedFolder = (path: string): boolean => headers.test(path) || unusedFolders.has(path);

async function trim(folder: string): Promise<void> {
  const entries = await readdir(join(packages, folder), { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(folder, entry.name);
    const isFolder = entry.isDirectory();
    if (isFolder ? isUnusedFolder(path) : entry.isFile() && isUnused(path))
      await rm(join(packages, path), { recursive: true, force: true }).catch(() => undefined);
    else if (isFolder) await trim(path);
  }
}

await trim("");
