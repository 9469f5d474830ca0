/** Images of signatures, re-encoded as small PNGs before they leave the browser. */

const widest = 1000;
const highest = 400;
const maxBytes = 256 * 1024;

/** Draws a file's image onto a canvas, within size limits. Throws if it is not an image. */
export async function canvasOf(file: File): Promise<HTMLCanvasElement> {
  if (!["image/png", "image/jpeg"].includes(file.type)) throw new TypeError("neither PNG nor JPEG");
  const image = await createImageBitmap(file);
  const canvas = drawn(image, Math.min(1, widest / image.width, highest / image.height));
  image.close();
  return canvas;
}

/** Encodes a canvas as a PNG in Base64, scaled down until it has at most 256 kB. */
export async function pngOf(canvas: HTMLCanvasElement): Promise<string> {
  let scale = Math.min(1, widest / canvas.width, highest / canvas.height);
  for (;;) {
    const blob = await new Promise<Blob | null>((resolve) =>
      drawn(canvas, scale).toBlob(resolve, "image/png"),
    );
    if (!blob) throw new Error("The browser made no image.");
    if (blob.size <= maxBytes) return base64(new Uint8Array(await blob.arrayBuffer()));
    scale *= 0.75;
  }
}

function drawn(image: HTMLCanvasElement | ImageBitmap, scale: number): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(image.width * scale));
  canvas.height = Math.max(1, Math.round(image.height * scale));
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}
