/** Records on a disk: files that not even this program can overwrite. */
import { randomUUID } from "node:crypto";
import { link, open, readdir, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { RecordStore } from "./backend.ts";
import { createFolder, syncFolder } from "./folders.ts";

const code = (error: unknown) => (error as NodeJS.ErrnoException).code;

export function diskRecords(folder: string): RecordStore {
  const pathOf = (name: string) => {
    if (!/^([\w-]{1,100}\/)*[\w.-]{0,200}$/.test(name) || name.includes("..")) {
      throw new TypeError(`${name} cannot name a record.`);
    }
    return join(folder, name);
  };
  return {
    async put(name, bytes) {
      const target = pathOf(name);
      await createFolder(dirname(target));
      const draft = join(/* turbopackIgnore: true */ dirname(target), `.${randomUUID()}`);
      const file = await open(/* turbopackIgnore: true */ draft, "wx", 0o400);
      try {
        await file.writeFile(bytes);
        await file.sync();
        // Unlike a rename, a link never replaces an existing file.
        await link(draft, target).catch((error) => {
          if (code(error) !== "EEXIST") throw error;
        });
      } finally {
        await file.close();
        await rm(draft, { force: true });
      }
      await syncFolder(dirname(target));
    },
    async list(below) {
      const names = await readdir(pathOf(below)).catch((error) => {
        if (code(error) === "ENOENT") return [];
        throw error;
      });
      return names
        .filter((name) => !name.startsWith("."))
        .sort()
        .map((name) => `${below}${name}`);
    },
    read: (name) => readFile(pathOf(name)),
  };
}
