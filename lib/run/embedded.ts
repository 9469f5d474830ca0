/** Settings that come with an embedded database, besides its address. */
import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { BadSetting, provideSettings, settings } from "#lib/core/env.ts";

/** Sets the settings that come with the embedded database. Returns a function that unsets them. */
export function provideEmbedded(url: string): () => void {
  const { DATA_DIR, SECRET_KEY } = settings();
  provideSettings({ DATABASE_URL: url, SECRET_KEY: SECRET_KEY ?? secretKeyIn(DATA_DIR) });
  // An empty value counts as unset: the next caller in this process opens the embedded database again.
  return () => provideSettings({ DATABASE_URL: "", SECRET_KEY: SECRET_KEY ?? "" });
}

/**
 * Without SECRET_KEY, uses this machine's own key. That is enough for one server. Servers that share a database need
 * the same key, which is logged.
 */
export function provideSecretKey(say: (line: string) => void): void {
  const { DATA_DIR, SECRET_KEY } = settings();
  if (SECRET_KEY) return;
  mkdirSync(DATA_DIR, { recursive: true });
  provideSettings({ SECRET_KEY: secretKeyIn(DATA_DIR) });
  say(
    `SECRET_KEY is not set: using ${join(DATA_DIR, "secret.key")}. All servers of a database need the same one.`,
  );
}

/**
 * Returns the key that encrypts the secrets of this data folder, and creates it at the first start. Concurrent
 * processes get the same key: it is written to a draft and then linked to its final name, which succeeds for only one
 * of them.
 */
export function secretKeyIn(dataDir: string): string {
  const path = join(dataDir, "secret.key");
  const known = read(path);
  if (known !== undefined) return known;
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  writeDurably(draft, `${randomBytes(32).toString("base64")}\n`);
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft);
  }
  syncFolder(dataDir);
  return read(path)!;
}

function read(path: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  if (Buffer.from(text, "base64").length === 32) return text;
  throw new BadSetting(`${path} is damaged: restore it from a backup. Secrets cannot be read without it.`);
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, "wx", 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function syncFolder(path: string): void {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
