/**
 * Optimized copies of the web build's scripts and style sheets. They are compressed once at the highest level instead
 * of at every request. Scripts are marked for V8, which then compiles them while they load, in parallel with the page's
 * own work, instead of when a function is first called. Next's own files stay unchanged, for clients that do not accept
 * these.
 */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

const compress = promisify(brotliCompress);
const folders = ["chunks", "media"];
const folderOf = (root: string, folder: string) => join(root, ".next", "static", folder);
const copiesOf = (root: string, folder: string) => join(root, ".next", "compressed", folder);

/** https://v8.dev/blog/explicit-compile-hints: it must be the file's first line. */
const mark = "//# allFunctionsCalledOnLoad\n";

const types: Record<string, string> = {
  ".js": "application/javascript; charset=UTF-8",
  ".mjs": "application/javascript; charset=UTF-8",
  ".css": "text/css; charset=UTF-8",
};

/** Must be called after each build. */
export async function compressChunks(root: string): Promise<void> {
  for (const folder of folders) {
    const [from, to] = [folderOf(root, folder), copiesOf(root, folder)];
    await rm(to, { recursive: true, force: true });
    await mkdir(to, { recursive: true });
    const names = await readdir(from).catch(() => []);
    const chunks = names.filter((name) => extname(name) in types);
    await Promise.all(chunks.map((name) => compressChunk(join(from, name), join(to, name))));
  }
}

async function compressChunk(from: string, to: string): Promise<void> {
  const content = await readFile(from);
  const marked = from.endsWith(".js") ? Buffer.concat([Buffer.from(mark), content]) : content;
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  await writeFile(to, await compress(marked, { params }));
}

/** Serves chunks from memory. Returns false for requests that the handler does not answer. */
export async function openChunks(
  root: string,
): Promise<(request: IncomingMessage, response: ServerResponse) => boolean> {
  const chunks = new Map<string, Buffer>();
  for (const folder of folders) {
    const copies = copiesOf(root, folder);
    for (const name of await readdir(copies).catch(() => [])) {
      chunks.set(`/_next/static/${folder}/${name}`, await readFile(join(copies, name)));
    }
  }
  return (request, response) => {
    const [address = ""] = request.url?.split("?") ?? [];
    const chunk = request.method === "GET" && acceptsBrotli(request) ? chunks.get(address) : undefined;
    if (!chunk) return false;
    response.writeHead(200, {
      "content-type": types[extname(address)],
      "content-encoding": "br",
      "content-length": chunk.length,
      "cache-control": "public, max-age=31536000, immutable",
      vary: "Accept-Encoding",
      "x-content-type-options": "nosniff",
    });
    response.end(chunk);
    return true;
  };
}

/** Range requests and revalidations are left to Next. */
const acceptsBrotli = ({ headers }: IncomingMessage): boolean =>
  /\bbr\b/.test(String(headers["accept-encoding"])) && !headers.range && !headers["if-none-match"];
