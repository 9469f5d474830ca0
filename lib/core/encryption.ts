/**
 * Encrypts secrets at rest that must be readable again: AES-256-GCM, with a key derived from SECRET_KEY for each
 * purpose. The purpose is authenticated too, so a secret of one kind cannot be passed off as another.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { settings } from "./env.ts";

/** Version, nonce, tag, ciphertext. */
const version = 1;
const nonceBytes = 12;
const tagBytes = 16;
const textAt = 1 + nonceBytes + tagBytes;

/** A secret cannot be decrypted. The message is for the operator and reveals nothing of the secret. */
export class CannotUnseal extends Error {
  override name = "CannotUnseal";
}

export function seal(text: string, purpose: string): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", keyFor(purpose), nonce, {
    authTagLength: tagBytes,
  });
  cipher.setAAD(context(purpose));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return new Uint8Array(Buffer.concat([[version], nonce, cipher.getAuthTag(), sealed].map(Buffer.from)));
}

/** Decrypts with SECRET_KEY, or with the previous one while an operator replaces it. */
export function unseal(sealed: Uint8Array, purpose: string): string {
  if (sealed[0] !== version || sealed.length < textAt) throw new CannotUnseal("This was not sealed here.");
  const { SECRET_KEY_PREVIOUS } = settings();
  const text =
    open(sealed, purpose, currentKey()) ??
    (SECRET_KEY_PREVIOUS === undefined ? null : open(sealed, purpose, SECRET_KEY_PREVIOUS));
  if (text !== null) return text;
  throw new CannotUnseal(
    `A ${purpose} cannot be decrypted: SECRET_KEY is not the one it was sealed with, or it was altered.`,
  );
}

/** Re-encrypts a secret with the current SECRET_KEY; null if it is already encrypted with that. */
export function reseal(sealed: Uint8Array, purpose: string): Uint8Array<ArrayBuffer> | null {
  const text = unseal(sealed, purpose);
  return open(sealed, purpose, currentKey()) === null ? seal(text, purpose) : null;
}

/** Null if it was encrypted with another key. */
function open(sealed: Uint8Array, purpose: string, secretKey: string): string | null {
  const [nonce, tag] = [sealed.subarray(1, 1 + nonceBytes), sealed.subarray(1 + nonceBytes, textAt)];
  const key = keyFor(purpose, secretKey);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(context(purpose)).setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(sealed.subarray(textAt)), decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}

/** A MAC that proves that this server produced a text: HMAC-SHA256. */
export function mac(text: string, purpose: string): Buffer {
  return createHmac("sha256", keyFor(purpose)).update(text).digest();
}

function currentKey(): string {
  const { SECRET_KEY } = settings();
  if (!SECRET_KEY) throw new Error("SECRET_KEY is not set, and no embedded database has created one.");
  return SECRET_KEY;
}

const context = (purpose: string) => Buffer.from(`countersign ${version} ${purpose}`);

const keys = new Map<string, Buffer>();

/** The key for a purpose. Cached, since deriving one takes ten times as long as using it. */
export function keyFor(purpose: string, secretKey = currentKey()): Buffer {
  const name = `${purpose} ${secretKey}`;
  const known = keys.get(name);
  if (known) return known;
  const key = Buffer.from(hkdfSync("sha256", secretKey, "countersign", context(purpose), 32));
  keys.set(name, key);
  return key;
}
