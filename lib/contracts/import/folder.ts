/** The folder whose files an import takes: each is looked at as an upload would be, and stored. */
import { hash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Context } from "#lib/core/context.ts";
import { type Issue, invalid } from "#lib/core/errors.ts";
import { type Stored, store } from "#lib/storage/store.ts";
import { documentField, openInspector } from "../documents.ts";

export interface FoundDocument extends Stored {
  fileName: string;
  contentType: string;
  pageCount: number | null;
}

export interface Folder {
  /** Reads a file by its name; what is wrong with it is added to `issues`. One at a time in a `place`. */
  read(fileName: string, issues: Issue[], place: number): Promise<FoundDocument | null>;
  close(): void;
}

/** The files of the folder itself: no name leads out of it, and no link is followed. A dry run keeps none of them. */
export async function openFolder(ctx: Context, folder: string | null, dryRun: boolean): Promise<Folder> {
  const files = await filesIn(folder);
  const inspector = openInspector();
  return {
    async read(fileName, issues, place) {
      const wrong = (message: string) => {
        issues.push({ path: "fileName", message });
        return null;
      };
      if (folder === null) return wrong("names a document: name its folder with --files");
      const path = files.get(fileName.normalize("NFC"));
      if (!path) return wrong(`is not a file of the folder: ${fileName}`);
      if ((await stat(path)).size > documentField.limitBytes) return wrong("is larger than 50 MB");
      const bytes = await readFile(path);
      // No one else is served by this process, so that each place can be a share of its own.
      const turn = { share: `${ctx.organizationId} ${place}` };
      const found = await inspector.inspect({ bytes, fileName, contentType: "" }, turn);
      if ("wrong" in found) return wrong(found.wrong.map(({ message }) => message).join("; "));
      const stored = dryRun
        ? { sha256: hash("sha256", bytes), sizeBytes: bytes.length }
        : await store(ctx.organizationId, bytes);
      return { ...found, ...stored, fileName };
    },
    close: () => inspector.close(),
  };
}

async function filesIn(folder: string | null): Promise<Map<string, string>> {
  if (folder === null) return new Map();
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === "ENOENT" ? "there is no such folder" : error.code;
    throw invalid({ path: "--files", message: `${folder}: ${why}` });
  });
  const files = entries.filter((entry) => entry.isFile());
  return new Map(files.map(({ name }) => [name.normalize("NFC"), join(resolve(folder), name)]));
}
