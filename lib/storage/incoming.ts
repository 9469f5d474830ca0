/** Bytes on their way in: written to a temporary file and hashed as they come, in memory of constant size. */
import { createHash, type Hash, randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { type FileHandle, mkdir, open, opendir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { settings } from "#lib/core/env.ts";
import { Refusal } from "#lib/core/errors.ts";

/** Received in full and not yet anyone's. Whoever received it discards it, kept or not. */
export interface Incoming {
  path: string;
  sha256: string;
  sizeBytes: number;
}

const folder = () => join(settings().DATA_DIR, "incoming");

/** The files that are on their way in: however this process ends, short of a kill -9, none is left. */
const underWay = new Set<string>();
process.once("exit", () => {
  for (const path of underWay) rmSync(path, { force: true });
});

/** Takes bytes in, one piece after the other. More than the limit are refused as soon as they come. */
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

  /** Into the data folder, or into one that a file is to be moved within. */
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

  /** Everything is on the disk, not only on its way there. */
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

/** Removes what processes that were killed have left behind. Answers how many files. */
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
