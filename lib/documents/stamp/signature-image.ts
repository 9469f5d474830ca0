/**
 * Accepts a drawn or uploaded signature: a PNG, validated, decoded within limits and re-encoded, so that only pixels
 * of a known size reach the document. Crops empty margins, and scales down what is larger than it will ever be
 * printed. Runs only in the child process.
 */
import { PNG } from "pngjs";

const signatureImageLimits = { bytes: 512 * 1024, width: 2000, height: 1000 } as const;

/** The stored size: 300 dpi in a field of two inches. */
const keptImage = { width: 600, height: 200 } as const;

/** The message can be shown to the sender of the image. */
export class BadSignatureImage extends Error {
  override name = "BadSignatureImage";
}

const magic = Buffer.from("89504e470d0a1a0a", "hex");
/** The magic number and the first chunk. */
const headerBytes = 33;

interface Pixels {
  width: number;
  height: number;
  /** Red, green, blue, alpha. */
  rgba: Uint8Array;
}

/** Throws BadSignatureImage if it is not such an image, or if nothing is drawn on it. */
export function cleanSignatureImage(png: Uint8Array): Uint8Array {
  const cut = cutMargins(decode(png));
  if (!cut) throw new BadSignatureImage("The image is empty: draw or choose a signature.");
  const { width, height, rgba } = shrink(cut);
  const image = new PNG({ width, height });
  image.data = Buffer.from(rgba);
  return PNG.sync.write(image);
}

function decode(png: Uint8Array): Pixels {
  const bytes = Buffer.from(png);
  refuseLarge(bytes);
  try {
    const { width, height, data } = PNG.sync.read(bytes);
    return { width, height, rgba: data };
  } catch {
    throw new BadSignatureImage("The image is damaged.");
  }
}

/**
 * Checks the size that the file declares before anything is decompressed; no more than that is decompressed later.
 */
function refuseLarge(png: Buffer): void {
  const limits = signatureImageLimits;
  if (png.length > limits.bytes) throw new BadSignatureImage("The image is larger than 512 kB.");
  if (png.length < headerBytes || !png.subarray(0, 8).equals(magic))
    throw new BadSignatureImage("The image is not a PNG.");
  const [width, height, interlace] = [png.readUInt32BE(16), png.readUInt32BE(20), png[28]];
  if (width > limits.width || height > limits.height)
    throw new BadSignatureImage(`The image is larger than ${limits.width} × ${limits.height} pixels.`);
  if (interlace !== 0) throw new BadSignatureImage("The image must be a PNG that is not interlaced.");
}

/** The part that has ink (neither transparent nor nearly white); null if there is none. */
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

/** Each new pixel is the mean of the pixels it replaces, weighted by how much of each it covers. */
function shrink(image: Pixels): Pixels {
  const scale = Math.min(1, keptImage.width / image.width, keptImage.height / image.height);
  if (scale === 1) return image;
  const width = Math.max(1, Math.floor(image.width * scale));
  const height = Math.max(1, Math.floor(image.height * scale));
  const rgba = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    const rows = span(y, image.height / height, image.height);
    for (let x = 0; x < width; x++) {
      rgba.set(mean(image, rows, span(x, image.width / width, image.width)), (y * width + x) * 4);
    }
  }
  return { width, height, rgba };
}

type Span = { at: number; weight: number }[];

/** Which old rows (or columns) a new one covers, and how much of each. */
function span(index: number, ratio: number, end: number): Span {
  const [from, to] = [index * ratio, Math.min(end, (index + 1) * ratio)];
  const parts: Span = [];
  for (let at = Math.floor(from); at < to; at++) {
    parts.push({ at, weight: Math.min(at + 1, to) - Math.max(at, from) });
  }
  return parts;
}

/** Colors are weighted by opacity: transparent pixels have no color. */
function mean({ width, rgba }: Pixels, rows: Span, columns: Span): number[] {
  let [red, green, blue, opacity, all] = [0, 0, 0, 0, 0];
  for (const row of rows) {
    for (const column of columns) {
      const at = (row.at * width + column.at) * 4;
      const weight = row.weight * column.weight;
      const ink = weight * rgba[at + 3]!;
      red += ink * rgba[at]!;
      green += ink * rgba[at + 1]!;
      blue += ink * rgba[at + 2]!;
      opacity += ink;
      all += weight;
    }
  }
  if (opacity === 0) return [0, 0, 0, 0];
  return [red / opacity, green / opacity, blue / opacity, opacity / all].map(Math.round);
}

/** What the child returns: the re-encoded image, or what is wrong with the given one. Both in base64. */
export function readSignatureImage({
  base64,
}: {
  path?: undefined;
  base64: string;
}): { png: string } | { wrong: string } {
  try {
    const png = cleanSignatureImage(Buffer.from(base64, "base64"));
    return { png: Buffer.from(png).toString("base64") };
  } catch (error) {
    if (error instanceof BadSignatureImage) return { wrong: error.message };
    throw error;
  }
}
