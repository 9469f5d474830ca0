/** Where stored files lie: on a disk, or in an S3-compatible store. Both know a file by workspace and sha256. */
import type { Readable } from "node:stream";

/** Names a file in the store. No workspace's file is another's, even where the bytes are the same. */
export interface Key {
  organizationId: string;
  sha256: string;
}

export interface Found {
  sizeBytes: number;
  modifiedAt: Date;
  /** Changes whenever the bytes may have: what was verified under it need not be verified again. */
  stamp: string;
}

/** Bytes from `start` to `end`, both included. */
export interface Range {
  start: number;
  end: number;
}

/** Files that are written once, under a name, and never changed, swept or removed: what is to outlive the database. */
export interface Records {
  /** Writes a record durably. One of that name that is there already stays as it is. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** The names below a folder (`a/b/`), in their order. */
  list(folder: string): Promise<string[]>;
  read(name: string): Promise<Buffer>;
}

/** The file was stored anew since it was found, as the same bytes are when they come again. */
export class Replaced extends Error {
  override name = "Replaced";
}

export interface Backend {
  readonly records: Records;
  /** Makes the bytes of a local file durable under their key. The file may be moved away. */
  put(key: Key, path: string, sizeBytes: number): Promise<void>;
  find(key: Key): Promise<Found | null>;
  /** Reads what `find` found; throws Replaced when it is not that any more. */
  open(key: Key, found: Found, range?: Range): Promise<Readable>;
  /** A path at which a process of this machine finds the bytes; null where there is none. */
  pathOf(key: Key): string | null;
  remove(key: Key): Promise<void>;
  list(): AsyncIterable<Key & { modifiedAt: Date }>;
}
