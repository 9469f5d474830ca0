/** The format of an API key: `csk_`, 8 characters of public id, `_`, 43 random characters, 6 of checksum. */
import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const form = /^csk_[0-9A-Za-z]{8}_[0-9A-Za-z]{49}$/;

const random = (length: number) => Array.from({ length }, () => alphabet[randomInt(62)]).join("");

/** Creates a key and its public id, the part that lists may show. 43 characters of base62 hold 256 bits. */
export function newKey(): { key: string; publicId: string } {
  const publicId = random(8);
  const body = `csk_${publicId}_${random(43)}`;
  return { key: body + checksum(body), publicId };
}

/** Whether a text can be a key, so that a mistyped key is rejected without a query. */
export function isWellFormedKey(text: string): boolean {
  return form.test(text) && checksum(text.slice(0, -6)) === text.slice(-6);
}

/** The hash of a key, which is what the database stores. A fast hash is enough: 256 bits cannot be guessed. */
export function keyHash(key: string): Buffer {
  return hash("sha256", key, "buffer");
}

/** The CRC-32 as six digits in base62. */
function checksum(body: string): string {
  let rest = crc32(body);
  let digits = "";
  for (let place = 0; place < 6; place++) {
    digits = alphabet[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
