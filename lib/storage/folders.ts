/** Folders that survive a power cut. */
import { constants } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";

/** Like `mkdir -p`, but surviving a power cut: a new folder's entry is written before anything is put into it. */
export async function createFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

/** Makes the entries of a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders; its file system journals their entries.
  const folder: FileHandle | null = await open(path, constants.O_RDONLY).catch((error) => {
    if (process.platform === "win32") return null;
    throw error;
  });
  try {
    await folder?.sync();
  } finally {
    await folder?.close();
  }
}
