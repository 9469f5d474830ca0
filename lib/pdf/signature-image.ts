/**
 * Takes a drawn or uploaded signature from a browser: a PNG, checked, decoded within bounds and written
 * anew, so that nothing but pixels of an agreed size reaches the document. Empty margins are cut off.
 */
import { crc32, deflateSync, inflateSync } from "node:zlib";

export const signatureImageLimits = { bytes: 512 * 1024, width: 2000, height: 1000 } as const;

/** The message can be shown to whoever sent the image. */
export class BadSignatureImage extends Error {
  override name = "BadSignatureImage";
}

interface Header {
  width: number;
  height: number;
  colorType: number;
}

interface Pixels {
  width: number;
  height: number;
  /** Red, green, blue, alpha. */
  rgba: Uint8Array;
}

const magic = Buffer.from("89504e470d0a1a0a", "hex");
const channels: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Throws BadSignatureImage when it is no such image, or one on which nothing is drawn. */
export function cleanSignatureImage(png: Uint8Array): Uint8Array {
  const cut = cutMargins(decode(png));
  if (!cut) throw new BadSignatureImage("The image is empty: draw or choose a signature.");
  return encode(cut);
}

function decode(png: Uint8Array): Pixels {
  if (png.length > signatureImageLimits.bytes)
    throw new BadSignatureImage("The image is larger than 512 kB.");
  const { header, data, palette, transparency } = readChunks(Buffer.from(png));
  const { width, height, colorType } = header;
  const rows = unfilter(inflate(data, height * (1 + width * channels[colorType]!)), header);
  const rgba = new Uint8Array(width * height * 4);
  for (let at = 0; at < width * height; at++)
    rgba.set(colour(rows, at, colorType, palette, transparency), at * 4);
  return { width, height, rgba };
}

function readChunks(png: Buffer) {
  if (!png.subarray(0, 8).equals(magic)) throw new BadSignatureImage("The image is not a PNG.");
  const found = new Map<string, Buffer[]>();
  for (let at = 8; at + 12 <= png.length; ) {
    const length = png.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > png.length) break;
    const body = png.subarray(at + 4, end - 4);
    if (crc32(body) !== png.readUInt32BE(end - 4)) break;
    const type = body.toString("latin1", 0, 4);
    found.set(type, found.get(type) ?? []);
    found.get(type)!.push(body.subarray(4));
    if (type === "IEND") {
      const palette = found.get("PLTE")?.[0] ?? Buffer.alloc(0);
      const transparency = found.get("tRNS")?.[0] ?? Buffer.alloc(0);
      return {
        header: readHeader(found.get("IHDR")?.[0]),
        data: found.get("IDAT") ?? [],
        palette,
        transparency,
      };
    }
    at = end;
  }
  throw new BadSignatureImage("The image is damaged.");
}

function readHeader(header: Buffer | undefined): Header {
  if (header?.length !== 13) throw new BadSignatureImage("The image is damaged.");
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth, colorType, , , interlace] = header.subarray(8);
  const limits = signatureImageLimits;
  if (width < 1 || height < 1 || width > limits.width || height > limits.height) {
    throw new BadSignatureImage(`The image is larger than ${limits.width} × ${limits.height} pixels.`);
  }
  if (depth !== 8 || interlace !== 0 || channels[colorType!] === undefined) {
    throw new BadSignatureImage("The image must be a PNG with 8 bits a channel that is not interlaced.");
  }
  return { width, height, colorType: colorType! };
}

function inflate(parts: Buffer[], expected: number): Buffer {
  try {
    const bytes = inflateSync(Buffer.concat(parts), { maxOutputLength: expected });
    if (bytes.length === expected) return bytes;
  } catch {
    // Told below, like an image that is too short.
  }
  throw new BadSignatureImage("The image is damaged.");
}

function unfilter(filtered: Buffer, { width, height, colorType }: Header): Uint8Array {
  const step = channels[colorType]!;
  const stride = width * step;
  const out = new Uint8Array(stride * height);
  for (let row = 0; row < height; row++) {
    const kind = filtered[row * (stride + 1)]!;
    if (kind > 4) throw new BadSignatureImage("The image is damaged.");
    for (let x = 0; x < stride; x++) {
      const at = row * stride + x;
      const left = x >= step ? out[at - step]! : 0;
      const up = row > 0 ? out[at - stride]! : 0;
      const corner = x >= step && row > 0 ? out[at - stride - step]! : 0;
      const raw = filtered[row * (stride + 1) + 1 + x]!;
      out[at] = raw + predicted(kind, left, up, corner);
    }
  }
  return out;
}

function predicted(kind: number, left: number, up: number, corner: number): number {
  if (kind === 0) return 0;
  if (kind === 1) return left;
  if (kind === 2) return up;
  if (kind === 3) return (left + up) >> 1;
  const estimate = left + up - corner;
  const [a, b, c] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

type Rgba = [number, number, number, number];

function colour(rows: Uint8Array, at: number, type: number, palette: Buffer, alpha: Buffer): Rgba {
  const start = at * channels[type]!;
  const [first, second, third, fourth] = rows.subarray(start, start + 4) as unknown as Rgba;
  if (type === 6) return [first, second, third, fourth];
  if (type === 2) return [first, second, third, 255];
  if (type === 4) return [first, first, first, second];
  if (type === 0) return [first, first, first, 255];
  const entry = palette.subarray(first * 3, first * 3 + 3);
  return [entry[0] ?? 0, entry[1] ?? 0, entry[2] ?? 0, alpha[first] ?? 255];
}

/** The part that holds ink (what is neither transparent nor nearly white); null where there is none. */
function cutMargins({ width, height, rgba }: Pixels): Pixels | null {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 4;
      const isInk = rgba[at + 3]! > 16 && Math.min(rgba[at]!, rgba[at + 1]!, rgba[at + 2]!) < 240;
      if (!isInk) continue;
      [left, right] = [Math.min(left, x), Math.max(right, x)];
      [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
    }
  }
  if (right < 0) return null;
  const cut = { width: right - left + 1, height: bottom - top + 1 };
  const out = new Uint8Array(cut.width * cut.height * 4);
  for (let y = 0; y < cut.height; y++) {
    const from = ((top + y) * width + left) * 4;
    out.set(rgba.subarray(from, from + cut.width * 4), y * cut.width * 4);
  }
  return { ...cut, rgba: out };
}

function encode({ width, height, rgba }: Pixels): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const rows = Buffer.alloc(height * (width * 4 + 1));
  for (let y = 0; y < height; y++) {
    rows.set(rgba.subarray(y * width * 4, (y + 1) * width * 4), y * (width * 4 + 1) + 1);
  }
  const parts = [chunk("IHDR", header), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([magic, ...parts]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  out.set(body, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}
