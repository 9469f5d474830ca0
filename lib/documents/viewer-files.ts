/**
 * The files that the viewer loads from our own origin while it reads a PDF: character maps, standard fonts, decoders.
 */
import { readFile } from "node:fs/promises";
import { projectPath } from "#lib/core/root.ts";

const known = /^(cmaps|standard_fonts|wasm|iccs)\/[\w-]+\.(bcmap|pfb|ttf|wasm|js|icc)$/;

/** One of these files, by its path in the package; null if there is none. */
export async function viewerFile(path: string): Promise<{ bytes: Uint8Array; contentType: string } | null> {
  if (!known.test(path)) return null;
  const bytes = await readFile(projectPath("node_modules", "pdfjs-dist", path)).catch(() => null);
  return bytes && { bytes, contentType: typeOf(path) };
}

function typeOf(path: string): string {
  if (path.endsWith(".wasm")) return "application/wasm";
  return path.endsWith(".js") ? "text/javascript" : "application/octet-stream";
}
