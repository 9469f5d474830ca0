/** Bytes on their way in: written to a temporary file and hashed as they come, in memory of constant size. */
import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, opendir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { settings } from "#lib/env.ts";
import { Refusal } from "#lib/errors.ts";

/** Received in full and not yet anybody's. Whoever received it discards it, kept or not. */
export interface Incoming {
  path: string;
  sha256: string;
  sizeBytes: number;
  discard(): Promise<void>;
}

const folder = () => join(settings().DATA_DIR, "incoming");

export function tooLarge(limitBytes: number): Refusal {
  return new Refusal(
    "file_too_large",
    `The file is larger than ${limitBytes.toLocaleString("en-US")} bytes. Send a smaller one.`,
  );
}

/** Takes bytes in. More than `limitBytes` are refused as soon as they come, and no more is asked for. */
export async function receive(
  bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  limitBytes = Number.POSITIVE_INFINITY,
): Promise<Incoming> {
  await mkdir(folder(), { recursive: true, mode: 0o700 });
  const path = join(folder(), randomUUID());
  const discard = () => rm(path, { force: true });
  const hash = createHash("sha256");
  let sizeBytes = 0;
  const file = await open(path, "wx", 0o600);
  try {
    for await (const chunk of bytes) {
      sizeBytes += chunk.length;
      if (sizeBytes > limitBytes) throw tooLarge(limitBytes);
      hash.update(chunk);
      await file.writeFile(chunk);
    }
    await file.sync();
  } catch (error) {
    await discard();
    throw error;
  } finally {
    await file.close();
  }
  return { path, sha256: hash.digest("hex"), sizeBytes, discard };
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
