/**
 * Files, content-addressed by sha256 within each workspace. Bytes are stored before the row that references them, so
 * a crash leaves at most unreferenced bytes; lib/storage/sweep.ts removes those. Bytes are verified against their
 * hash before any of them is returned.
 */
import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { LRUCache } from "lru-cache";
import { settings } from "#lib/core/env.ts";
import { log } from "#lib/core/log.ts";
import { type Backend, type FileInfo, type Key, type Range, Replaced } from "./backend.ts";
import { disk } from "./disk.ts";
import { type Incoming, Receiver } from "./incoming.ts";

export type Bytes = Uint8Array | AsyncIterable<Uint8Array>;

/** How a row references a stored file. sha256 is lower-case hex. */
export interface Stored {
  sha256: string;
  sizeBytes: number;
}

/** A referenced file is missing or damaged. It is never served. */
export class DamagedObject extends Error {
  override name = "DamagedObject";
}

let chosen: Promise<Backend> | undefined;

/** By key: the stamp under which the bytes were verified. */
const verified = new LRUCache<string, string>({ max: 10_000 });

/** The store selected by the settings. */
async function choose(): Promise<Backend> {
  const { STORAGE, DATA_DIR } = settings();
  return (await bucketAt(STORAGE)) ?? disk(DATA_DIR);
}

/** The store at s3://bucket/prefix; null for any other address. */
export async function bucketAt(address: string): Promise<Backend | null> {
  const { S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = settings();
  const [, bucket, prefix = ""] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(address) ?? [];
  if (!bucket) return null;
  // Imported on demand: its client takes a tenth of a second and 30 MB.
  const { s3 } = await import("./s3.ts");
  const hasKeys = S3_ACCESS_KEY_ID && S3_SECRET_ACCESS_KEY;
  return s3({
    bucket,
    prefix: prefix === "" ? "" : prefix.replace(/\/*$/, "/"),
    endpoint: S3_ENDPOINT,
    region: S3_REGION,
    credentials: hasKeys
      ? { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY }
      : undefined,
  });
}

export function backend(): Promise<Backend> {
  chosen ??= choose();
  return chosen;
}

/** Stores bytes durably. Throws `file_too_large` above `limitBytes`. */
export async function store(
  organizationId: string,
  bytes: Bytes,
  { limitBytes }: { limitBytes?: number } = {},
): Promise<Stored> {
  return withCopy(bytes, (copy) => storeIncoming(organizationId, copy), limitBytes);
}

async function withCopy<T>(
  bytes: Bytes,
  work: (copy: Incoming) => Promise<T>,
  limitBytes?: number,
): Promise<T> {
  const receiver = await Receiver.open(limitBytes);
  try {
    for await (const chunk of bytes instanceof Uint8Array ? [bytes] : bytes) await receiver.write(chunk);
    return await work(await receiver.finish());
  } finally {
    await receiver.discard();
  }
}

/** Stores received bytes durably in the workspace. */
export async function storeIncoming(organizationId: string, incoming: Incoming): Promise<Stored> {
  const { sha256, sizeBytes, path } = incoming;
  await (await backend()).put({ organizationId, sha256 }, path, sizeBytes);
  return { sha256, sizeBytes };
}

export interface StoredFile {
  sizeBytes: number;
  /** Reads the file, or its bytes from `start` to `end`, both included. */
  open(range?: Range): Promise<Readable>;
}

/** Finds a stored file and verifies its bytes: throws DamagedObject before any of it is read. */
export async function findStored(organizationId: string, sha256: string): Promise<StoredFile> {
  const key = { organizationId, sha256 };
  let found = await verify(key);
  return {
    sizeBytes: found.sizeBytes,
    open: (range) =>
      unlessReplaced(
        async () => (await backend()).open(key, found, range),
        async () => {
          found = await verify(key);
        },
      ),
  };
}

/** Opens a stored file, or a range of it. Throws DamagedObject before the first byte. */
async function openStored(
  organizationId: string,
  sha256: string,
  range?: Range,
): Promise<{ stream: Readable; sizeBytes: number }> {
  const { open, sizeBytes } = await findStored(organizationId, sha256);
  return { stream: await open(range), sizeBytes };
}

/** A stored file's bytes. */
export async function readStored(organizationId: string, sha256: string): Promise<Buffer> {
  const { stream } = await openStored(organizationId, sha256);
  return Buffer.concat(await stream.toArray());
}

/** Runs `work` with a path at which this machine's processes can read a stored file; it must not change the file. */
export async function withStoredFile<T>(
  organizationId: string,
  sha256: string,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const key = { organizationId, sha256 };
  const path = (await backend()).pathOf(key);
  if (path !== null) {
    await verify(key);
    return work(path);
  }
  const { stream } = await openStored(organizationId, sha256);
  return withCopy(stream, (copy) => work(copy.path));
}

const maxTries = 10;

/** Retries if the same bytes are stored again while they are read, which replaces the file. */
async function unlessReplaced<T>(read: () => Promise<T>, find?: () => Promise<void>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof Replaced) || tries === maxTries) throw error;
      await find?.();
    }
  }
}

/** Hashes the bytes, unless they were hashed already and cannot have changed since. */
const verify = (key: Key) => unlessReplaced(() => verifyFound(key));

async function verifyFound(key: Key): Promise<FileInfo> {
  const opened = await backend();
  const name = `${key.organizationId} ${key.sha256}`;
  const found = await opened.find(key);
  if (!found) throw damaged(key, "is missing");
  if (verified.get(name) === found.stamp) return found;
  const hash = createHash("sha256");
  for await (const chunk of await opened.open(key, found)) hash.update(chunk);
  if (hash.digest("hex") !== key.sha256) throw damaged(key, "is damaged");
  verified.set(name, found.stamp);
  return found;
}

function damaged(key: Key, what: string): DamagedObject {
  log().error({ alert: "stored file", ...key }, `a stored file ${what}: restore it from a backup`);
  return new DamagedObject(`The stored file ${key.sha256} of ${key.organizationId} ${what}.`);
}
