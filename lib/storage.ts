/**
 * Files, content-addressed by sha256 in each workspace. The bytes come first and the row that names them
 * second, so a crash leaves at most bytes that no row names; lib/storage/sweep.ts removes those. What is read
 * is checked against its name before any of it is handed out.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { LRUCache } from "lru-cache";
import { settings } from "./env.ts";
import { log } from "./log.ts";
import type { Backend, Found, Key, Range } from "./storage/backend.ts";
import { disk } from "./storage/disk.ts";
import { type Incoming, receive } from "./storage/incoming.ts";

export type Bytes = Uint8Array | AsyncIterable<Uint8Array>;

/** What names a stored file in a row. sha256 is lower-case hex. */
export interface Stored {
  sha256: string;
  sizeBytes: number;
}

/** A file that a row names is not there, or not as it was stored. It is never served. */
export class DamagedObject extends Error {
  override name = "DamagedObject";
}

interface Shared {
  backend: Backend;
  /** By key: the stamp under which the bytes were found to be what their name says. */
  verified: LRUCache<string, string>;
}

const shared = globalThis as { countersignStorage?: Shared };

function opened(): Shared {
  shared.countersignStorage ??= {
    backend: disk(join(settings().DATA_DIR, "files")),
    verified: new LRUCache({ max: 10_000 }),
  };
  return shared.countersignStorage;
}

export function backend(): Backend {
  return opened().backend;
}

/** Stores bytes durably. Refuses with `file_too_large` what is longer than `limitBytes`. */
export async function store(
  organizationId: string,
  bytes: Bytes,
  { limitBytes }: { limitBytes?: number } = {},
): Promise<Stored> {
  const incoming = await receive(bytes instanceof Uint8Array ? [bytes] : bytes, limitBytes);
  try {
    return await keep(organizationId, incoming);
  } finally {
    await incoming.discard();
  }
}

/** Makes received bytes the workspace's, durably. */
export async function keep(organizationId: string, incoming: Incoming): Promise<Stored> {
  const { sha256, sizeBytes, path } = incoming;
  await backend().put({ organizationId, sha256 }, path, sizeBytes);
  return { sha256, sizeBytes };
}

/** Opens a stored file, or `start` to `end` of it, both included. Throws DamagedObject before the first byte. */
export async function openStored(
  organizationId: string,
  sha256: string,
  range?: Range,
): Promise<{ stream: Readable; sizeBytes: number }> {
  const key = { organizationId, sha256 };
  const found = await verify(key);
  return { stream: await backend().open(key, found, range), sizeBytes: found.sizeBytes };
}

/** The whole of a stored file. */
export async function readStored(organizationId: string, sha256: string): Promise<Buffer> {
  const { stream } = await openStored(organizationId, sha256);
  return Buffer.concat(await stream.toArray());
}

/** Runs `work` with a path at which this machine's processes find a stored file; it must not change it. */
export async function withStoredFile<T>(
  organizationId: string,
  sha256: string,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const key = { organizationId, sha256 };
  const path = backend().pathOf(key);
  if (path !== null) {
    await verify(key);
    return work(path);
  }
  const { stream } = await openStored(organizationId, sha256);
  const copy = await receive(stream);
  try {
    return await work(copy.path);
  } finally {
    await copy.discard();
  }
}

/** Hashes the bytes, unless they were hashed before and cannot have changed since. */
async function verify(key: Key): Promise<Found> {
  const { backend, verified } = opened();
  const name = `${key.organizationId} ${key.sha256}`;
  const found = await backend.find(key);
  if (!found) throw damaged(key, "is missing");
  if (verified.get(name) === found.stamp) return found;
  const hash = createHash("sha256");
  for await (const chunk of await backend.open(key, found)) hash.update(chunk);
  if (hash.digest("hex") !== key.sha256) throw damaged(key, "is damaged");
  verified.set(name, found.stamp);
  return found;
}

function damaged(key: Key, what: string): DamagedObject {
  log().error({ alert: "stored file", ...key }, `a stored file ${what}: restore it from a backup`);
  return new DamagedObject(`The stored file ${key.sha256} of ${key.organizationId} ${what}.`);
}
