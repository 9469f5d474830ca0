/**
 * The messages between this process and one that stays: JSON with bytes beside it. Neither side accepts anything
 * else, so a process taken over by a file cannot send anything that this one would run.
 */
import type { Readable, Writable } from "node:stream";

export interface Frame {
  message: object;
  bytes: Uint8Array;
}

/** Two lengths: of the JSON and of the bytes. */
const headBytes = 8;

export class FrameTooLarge extends Error {
  override name = "FrameTooLarge";
}

export function writeFrame(stream: Writable, { message, bytes }: Frame): void {
  const json = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(headBytes);
  head.writeUInt32LE(json.length, 0);
  head.writeUInt32LE(bytes.length, 4);
  for (const part of [head, json, bytes]) stream.write(part);
}

/** Reads frame by frame; null at the end. A frame longer than allowed is rejected before it is read. */
export class FrameReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #parts: Buffer[] = [];
  #length = 0;

  constructor(stream: Readable) {
    this.#chunks = stream.iterator({ destroyOnReturn: false });
  }

  async next(limitBytes = Number.POSITIVE_INFINITY): Promise<Frame | null> {
    const head = await this.#take(headBytes);
    if (!head) return null;
    const [ofJson, ofBytes] = [head.readUInt32LE(0), head.readUInt32LE(4)];
    if (ofJson + ofBytes > limitBytes) throw new FrameTooLarge();
    const body = await this.#take(ofJson + ofBytes);
    if (!body) return null;
    return { message: JSON.parse(body.toString("utf8", 0, ofJson)), bytes: body.subarray(ofJson) };
  }

  async #take(length: number): Promise<Buffer | null> {
    while (this.#length < length) {
      const { value, done } = await this.#chunks.next();
      if (done) return null;
      this.#parts.push(value);
      this.#length += value.length;
    }
    const all = Buffer.concat(this.#parts, this.#length);
    this.#parts = [all.subarray(length)];
    this.#length -= length;
    return all.subarray(0, length);
  }
}
