/** Files below DATA_DIR: `files/<workspace>/<first two digits>/<sha256>`, and `records/`. */
import { constants } from "node:fs";
import { open, opendir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Backend, type FileInfo, type Key, type Range, Replaced } from "./backend.ts";
import { diskRecords } from "./disk-records.ts";
import { createFolder, syncFolder } from "./folders.ts";

/** Only ids and hashes become path segments. */
const segment = /^[\w-]{1,100}$/;

export function disk(dataDir: string): Backend {
  const folder = join(dataDir, "files");
  const pathOf = ({ organizationId, sha256 }: Key) => {
    if (!segment.test(organizationId) || !/^[0-9a-f]{64}$/.test(sha256)) {
      throw new TypeError("A stored file is named by a workspace's id and a sha256 in lower-case hex.");
    }
    return join(folder, organizationId, sha256.slice(0, 2), sha256);
  };
  return {
    pathOf,
    records: diskRecords(join(dataDir, "records")),
    async put(key, path) {
      const target = pathOf(key);
      await createFolder(dirname(target));
      // Replaces an existing file: its bytes are the same, unless the disk has damaged them.
      await rename(path, target);
      await syncFolder(dirname(target));
    },
    async find(key) {
      try {
        return foundOf(await stat(pathOf(key), { bigint: true }));
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    open: (key, found, range) => openFile(pathOf(key), found, range),
    async remove(key) {
      await rm(pathOf(key), { force: true });
    },
    list: () => listFiles(folder),
  };
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === "ENOENT";

interface Stat {
  size: bigint;
  mtimeNs: bigint;
  ctimeNs: bigint;
  ino: bigint;
}

function foundOf({ size, mtimeNs, ctimeNs, ino }: Stat): FileInfo {
  const modifiedAt = new Date(Number(mtimeNs / 1_000_000n));
  // Unlike a modification time, a change time cannot be set back.
  return { sizeBytes: Number(size), modifiedAt, stamp: `${ino} ${size} ${mtimeNs} ${ctimeNs}` };
}

async function openFile(path: string, found: FileInfo, range?: Range) {
  const file = await open(path, constants.O_RDONLY);
  try {
    const now = foundOf(await file.stat({ bigint: true }));
    if (now.stamp !== found.stamp) throw new Replaced(`${path} changed before it was opened.`);
    return file.createReadStream({ ...range, highWaterMark: 128 * 1024 });
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function* listFiles(folder: string): AsyncIterable<Key & { modifiedAt: Date }> {
  for await (const organization of entries(folder)) {
    for await (const shelf of entries(join(folder, organization))) {
      for await (const sha256 of entries(join(folder, organization, shelf))) {
        const file = await stat(join(folder, organization, shelf, sha256)).catch(() => null);
        if (file?.isFile()) yield { organizationId: organization, sha256, modifiedAt: file.mtime };
      }
    }
  }
}

async function* entries(folder: string): AsyncIterable<string> {
  try {
    for await (const { name } of await opendir(folder)) yield name;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
