/** Whether a DOCX has anything to read in its body; runs in the child process alone. */
import type { Readable } from "node:stream";
import { openPromise } from "yauzl";

export async function docxHasWords({ path }: { path: string }): Promise<boolean> {
  const zip = await openPromise(path, { lazyEntries: true, strictFileNames: true });
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName !== "word/document.xml") continue;
      const stream: Readable = await zip.openReadStreamPromise(entry);
      return /<w:t(?:\s[^>]*)?>[^<]*[\p{L}\p{N}]/u.test(Buffer.concat(await stream.toArray()).toString());
    }
    return false;
  } finally {
    zip.close();
  }
}
