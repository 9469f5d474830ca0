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

/** Sets the settings that the start determines itself; returns how to unset them. */
export function provideEmbedded(url: string): () => void {
  const { DATA_DIR, SECRET_KEY } = settings();
  provideSettings({ DATABASE_URL: url, SECRET_KEY: SECRET_KEY ?? secretKeyIn(DATA_DIR) });
  // Empty counts as unset: the next one in this process opens the embedded one again.
  return () => provideSettings({ DATABASE_URL: "", SECRET_KEY: SECRET_KEY ?? "" });
}

/**
 * Without SECRET_KEY, uses a key of this machine's own. That is enough for one server; several that share a database
 * need the same one, which is logged.
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
 * The key that secrets of this data folder are encrypted with, made at its first start. Processes that
 * make it at once agree: a link to the finished file exists or does not, and only one can make it.
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
