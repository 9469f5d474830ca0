/** Decodes base64 that arrives in pieces. Line breaks are skipped, since mail programs and shells insert them. */
export class Base64Decoder {
  #left = "";
  #isPadded = false;
  isMalformed = false;

  push(bytes: Uint8Array): Buffer {
    let text = this.#left + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
    if (/[\r\n]/.test(text)) text = text.replaceAll(/[\r\n]/g, "");
    if (this.#isPadded && text !== "") this.isMalformed = true;
    if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) this.isMalformed = true;
    if (this.isMalformed) return Buffer.alloc(0);
    const whole = text.length - (text.length % 4);
    this.#left = text.slice(whole);
    this.#isPadded = whole > 0 && text[whole - 1] === "=";
    return Buffer.from(text.slice(0, whole), "base64");
  }

  /** The end; padding may be missing. */
  finish(): Buffer {
    if (this.#left.length === 1 || this.#left.includes("=")) this.isMalformed = true;
    return this.isMalformed ? Buffer.alloc(0) : Buffer.from(this.#left, "base64");
  }
}
