/**
 * Secrets that must be read again, encrypted at rest: AES-256-GCM, with a key derived from SECRET_KEY for
 * each purpose. The purpose is authenticated too, so a secret of one kind cannot be passed off as another.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { settings } from "./env.ts";

/** Version, nonce, tag, ciphertext. */
const version = 1;
const nonceBytes = 12;
const tagBytes = 16;
const textAt = 1 + nonceBytes + tagBytes;

/** What was sealed cannot be opened. The message is for the operator and tells nothing of the secret. */
export class CannotUnseal extends Error {
  override name = "CannotUnseal";
}

export function seal(text: string, purpose: string): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", keyFor(purpose), nonce, { authTagLength: tagBytes });
  cipher.setAAD(context(purpose));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return new Uint8Array(Buffer.concat([[version], nonce, cipher.getAuthTag(), sealed].map(Buffer.from)));
}

export function unseal(sealed: Uint8Array, purpose: string): string {
  if (sealed[0] !== version || sealed.length < textAt) throw new CannotUnseal("This was not sealed here.");
  const [nonce, tag] = [sealed.subarray(1, 1 + nonceBytes), sealed.subarray(1 + nonceBytes, textAt)];
  const decipher = createDecipheriv("aes-256-gcm", keyFor(purpose), nonce, { authTagLength: tagBytes });
  decipher.setAAD(context(purpose)).setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(sealed.subarray(textAt)), decipher.final()]).toString("utf8");
  } catch (cause) {
    const message = `A ${purpose} cannot be decrypted: SECRET_KEY is not the one it was sealed with, or it was altered.`;
    throw new CannotUnseal(message, { cause });
  }
}

const context = (purpose: string) => Buffer.from(`countersign ${version} ${purpose}`);

const keys = new Map<string, Buffer>();

/** Kept: deriving one takes ten times as long as using it. */
function keyFor(purpose: string): Buffer {
  const { SECRET_KEY } = settings();
  const name = `${purpose} ${SECRET_KEY}`;
  const known = keys.get(name);
  if (known) return known;
  if (!SECRET_KEY) throw new Error("SECRET_KEY is not set, and no embedded database has made one.");
  const key = Buffer.from(hkdfSync("sha256", SECRET_KEY, "countersign", context(purpose), 32));
  keys.set(name, key);
  return key;
}

/** A key of its own for a purpose that seals elsewhere. */
export function derivedKey(purpose: string): Buffer {
  return keyFor(purpose);
}
