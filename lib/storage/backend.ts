/** Where files are stored: on a disk, or in an S3-compatible store. Both identify a file by workspace and sha256. */
import type { Readable } from "node:stream";

/** Identifies a file in the store. Workspaces never share a file, even if its bytes are the same. */
export interface Key {
  organizationId: string;
  sha256: string;
}

export interface FileInfo {
  sizeBytes: number;
  modifiedAt: Date;
  /** Changes whenever the bytes may have changed: bytes verified under a stamp need no further verification. */
  stamp: string;
}

/** Bytes from `start` to `end`, both included. */
export interface Range {
  start: number;
  end: number;
}

/** Files that are written once, by name, and never changed, swept or removed: they must outlive the database. */
export interface RecordStore {
  /** Writes a record durably. An existing record of that name is left unchanged. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** The names below a folder (`a/b/`), in order. */
  list(folder: string): Promise<string[]>;
  read(name: string): Promise<Buffer>;
}

/** The file was stored again since it was found, as happens when the same bytes are uploaded again. */
export class Replaced extends Error {
  override name = "Replaced";
}

export interface Backend {
  readonly records: RecordStore;
  /** Makes the bytes of a local file durable under their key. The file may be moved. */
  put(key: Key, path: string, sizeBytes: number): Promise<void>;
  find(key: Key): Promise<FileInfo | null>;
  /** Reads what `find` found; throws Replaced if the file is a different one by now. */
  open(key: Key, found: FileInfo, range?: Range): Promise<Readable>;
  /** A path at which processes on this machine can read the bytes; null if there is none. */
  pathOf(key: Key): string | null;
  remove(key: Key): Promise<void>;
  list(): AsyncIterable<Key & { modifiedAt: Date }>;
}
