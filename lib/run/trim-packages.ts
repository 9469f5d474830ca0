/**
 * Runs after `npm ci`: deletes files from node_modules that nothing here uses, about a quarter of it. Files that are
 * missing or cannot be deleted are skipped: nothing depends on this.
 */
import { readdir, rm } from "node:fs/promises";
import { join, sep } from "node:path";

const packages = join(import.meta.dirname, "..", "..", "node_modules");

/** Engines of databases other than PostgreSQL. */
const otherDatabases = /_bg\.(cockroachdb|mysql|sqlite|sqlserver)\./;

/** The two weights that documents use (lib/documents/typeset/faces.ts, lib/documents/render/office-main.ts). */
const setInFonts = /-(Regular|Bold)\.[ot]tf$/;

/** Builds for pages without a bundler. */
const otherBuilds =
  /^(docx.dist.[^/\\]+\.(umd|iife)\.c?js|@cantoo.pdf-lib.dist.pdf-lib(\.esm(\.min)?)?\.js)$/;

/** Types for importing icons dynamically, and for their alternative names. */
const otherIcons = /^lucide-react.(dynamic\w*|dist.lucide-react\.(pre|suf)fixed)\.d\.m?ts$/;

/** Sources of packages, and builds that nothing loads. */
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

/** Headers for compiling native modules for this Node: 67 MB. */
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
