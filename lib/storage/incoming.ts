/** Receives bytes into a temporary file and hashes them as they arrive, in constant memory. */
import { createHash, type Hash, randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { type FileHandle, mkdir, open, opendir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { settings } from "#lib/core/env.ts";
import { Refusal } from "#lib/core/errors.ts";

/** Fully received, and not yet stored. The receiver discards it in the end, whether it was kept or not. */
export interface Incoming {
  path: string;
  sha256: string;
  sizeBytes: number;
}

const folder = () => join(settings().DATA_DIR, "incoming");

/** Files being received: they are removed however this process exits, except by kill -9. */
const underWay = new Set<string>();
process.once("exit", () => {
  for (const path of underWay) rmSync(path, { force: true });
});

/** Receives bytes piece by piece. Throws as soon as they exceed the limit. */
export class Receiver {
  readonly path: string;
  readonly #file: FileHandle;
  readonly #limitBytes: number;
  readonly #hash: Hash = createHash("sha256");
  #sizeBytes = 0;
  #isOpen = true;

  private constructor(path: string, file: FileHandle, limitBytes: number) {
    this.path = path;
    this.#file = file;
    this.#limitBytes = limitBytes;
  }

  /** Receives into the data folder, or into a folder within which the file will be moved. */
  static async open(limitBytes = Number.POSITIVE_INFINITY, into = folder()): Promise<Receiver> {
    await mkdir(into, { recursive: true, mode: 0o700 });
    const path = join(into, randomUUID());
    underWay.add(path);
    return new Receiver(path, await open(path, "wx", 0o600), limitBytes);
  }

  async write(chunk: Uint8Array): Promise<void> {
    this.#sizeBytes += chunk.length;
    if (this.#sizeBytes > this.#limitBytes) throw tooLarge("file", this.#limitBytes);
    this.#hash.update(chunk);
    await this.#file.writeFile(chunk);
  }

  /** Resolves once everything is durably on the disk. */
  async finish(): Promise<Incoming> {
    await this.#file.sync();
    await this.#close();
    return { path: this.path, sha256: this.#hash.digest("hex"), sizeBytes: this.#sizeBytes };
  }

  async discard(): Promise<void> {
    await this.#close();
    await rm(this.path, { force: true });
    underWay.delete(this.path);
  }

  async #close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#file.close();
  }
}

export function tooLarge(what: "file" | "body", limitBytes: number): Refusal {
  return new Refusal(
    "file_too_large",
    `The ${what} is larger than ${limitBytes.toLocaleString("en-US")} bytes.`,
  );
}

/** Removes what killed processes have left behind. Returns the number of files. */
export async function sweepIncoming(before: Date): Promise<number> {
  let removed = 0;
  await mkdir(folder(), { recursive: true, mode: 0o700 });
  for await (const { name } of await opendir(folder())) {
    const path = join(folder(), name);
    const left = await stat(path).catch(() => null);
    if (!left || left.mtime >= before) continue;
    await rm(path, { force: true });
    removed++;
  }
  return removed;
}
