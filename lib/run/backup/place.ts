/**
 * Where backups are stored: a folder or a bucket. In both, a file is named by its hash, so an existing one is not
 * copied again.
 */
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { z } from "zod";
import { Refusal } from "#lib/core/errors.ts";
import type { Backend } from "#lib/storage/backend.ts";
import { disk } from "#lib/storage/disk.ts";
import { Receiver } from "#lib/storage/incoming.ts";
import { bucketAt } from "#lib/storage/store.ts";

/** The folder of the tables' rows, beside the folders of the workspaces' files. */
export const rowsFolder = "rows";

const Table = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  sha256: z.string(),
  sizeBytes: z.number(),
  rows: z.number(),
});

/** The list of a backup's contents. It is written last: without it there is no backup. */
export const Manifest = z.object({
  version: z.literal(2),
  at: z.iso.datetime(),
  /** The newest migration. The rows fit only the tables of that version. */
  migration: z.string(),
  /** Identifies the SECRET_KEY without revealing anything about it. */
  keyFingerprint: z.string(),
  /** The number of secrets that can only be decrypted with that key. */
  secrets: z.object({ webhooks: z.number(), signingKeys: z.number(), letters: z.number() }),
  tables: z.array(Table),
  sequences: z.array(z.object({ name: z.string(), value: z.string() })),
  files: z.array(z.tuple([z.string(), z.string()])),
  /** Checkpoints, each with the hash of its content. */
  records: z.array(z.tuple([z.string(), z.string()])),
});

export type Manifest = z.infer<typeof Manifest>;

export interface Place {
  backend: Backend;
  /** Stores a file. Returns the hash and the size of its actual content. */
  write(
    organizationId: string,
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<{ sha256: string; sizeBytes: number }>;
}

export async function placeAt(address: string): Promise<Place> {
  const bucket = await bucketAt(address);
  const folder = resolve(address);
  const backend = bucket ?? disk(folder);
  return {
    backend,
    async write(organizationId, bytes) {
      // Receives on the same disk, so that the file can be moved instead of copied.
      const receiver = await Receiver.open(undefined, bucket ? undefined : join(folder, "incoming"));
      try {
        for await (const chunk of bytes) await receiver.write(chunk);
        const { path, sha256, sizeBytes } = await receiver.finish();
        await backend.put({ organizationId, sha256 }, path, sizeBytes);
        return { sha256, sizeBytes };
      } finally {
        await receiver.discard();
      }
    },
  };
}

const folderOfManifests = "backups/";

export async function writeManifest({ backend }: Place, manifest: Manifest): Promise<string> {
  const name = `${folderOfManifests}${manifest.at.replaceAll(":", "-")}.json`;
  await backend.records.put(name, Buffer.from(JSON.stringify(manifest)));
  return name.slice(folderOfManifests.length, -".json".length);
}

/** Reads the manifest of the named backup, or of the newest one. */
export async function readManifest({ backend }: Place, name?: string): Promise<Manifest> {
  const { records } = backend;
  const newest = async () => (await records.list(folderOfManifests)).filter(isManifest).at(-1);
  const path = name === undefined ? await newest() : `${folderOfManifests}${name}.json`;
  if (path === undefined) throw new Refusal("not_found", "There is no backup here.");
  const text = await recordIn(backend, path);
  if (!text) throw new Refusal("not_found", `There is no backup ${name} here.`);
  const { data, error } = Manifest.safeParse(parsed(text));
  if (data) return data;
  throw new Refusal(
    "conflict",
    `The backup cannot be read: its list is damaged, or was written by another version of Countersign (${z.prettifyError(error)}).`,
  );
}

/** Reads a record of a backup. Returns null if it is missing. */
export async function recordIn({ records }: Backend, name: string): Promise<Buffer | null> {
  return records.read(name).catch((error) => {
    if (/ENOENT|NoSuchKey/.test(`${error.code} ${error.name}`)) return null;
    throw error;
  });
}

function parsed(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString("utf8"));
  } catch {
    return null;
  }
}

const isManifest = (path: string) => path.endsWith(".json");

/** Opens a file of a backup. Returns null if it is missing. */
export async function openFile(
  { backend }: Place,
  organizationId: string,
  sha256: string,
): Promise<Readable | null> {
  const key = { organizationId, sha256 };
  const found = await backend.find(key);
  return found && backend.open(key, found);
}
