/** The form of an API key: `csk_`, 8 characters to name it, `_`, 43 of randomness, 6 of checksum. */
import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const form = /^csk_[0-9A-Za-z]{8}_[0-9A-Za-z]{49}$/;

const random = (length: number) => Array.from({ length }, () => alphabet[randomInt(62)]).join("");

/** A new key, and the part of it that lists may show. 43 characters of base62 hold 256 bits. */
export function newKey(): { key: string; publicId: string } {
  const publicId = random(8);
  const body = `csk_${publicId}_${random(43)}`;
  return { key: body + checksum(body), publicId };
}

/** Whether a text can be a key at all: a mistyped one is refused without asking the database. */
export function isWellFormedKey(text: string): boolean {
  return form.test(text) && checksum(text.slice(0, -6)) === text.slice(-6);
}

/** What is stored of a key. A fast hash is enough: no one can search 256 bits. */
export function keyHash(key: string): Buffer {
  return hash("sha256", key, "buffer");
}

/** CRC-32 in base62, six digits. */
function checksum(body: string): string {
  let rest = crc32(body);
  let digits = "";
  for (let place = 0; place < 6; place++) {
    digits = alphabet[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
