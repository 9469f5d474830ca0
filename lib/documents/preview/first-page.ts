/** A PDF's first page as an image, drawn as the viewer draws it; runs only in the child process. */
import { readFile } from "node:fs/promises";
import { createCanvas } from "@napi-rs/canvas";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { PDFPageProxy } from "pdfjs-dist/types/src/display/api.js";
import { projectPath } from "#lib/core/root.ts";

/** The width of a page of paper; it stays readable at half of it. */
const maxWidth = 1000;
const maxHeight = 1500;
/** A page full of words then has 150 kB. */
const quality = 75;
/** Larger pictures are left out; a scan of A4 at 600 dpi has 35 million pixels. */
const maxImagePixels = 40_000_000;

export interface FirstPage {
  width: number;
  height: number;
  /** WebP, in base64. */
  image: string;
}

export async function drawFirstPage({ path }: { path: string }): Promise<FirstPage> {
  refuseAddons();
  const loading = getDocument({
    data: new Uint8Array(await readFile(path)),
    cMapUrl: data("cmaps"),
    standardFontDataUrl: data("standard_fonts"),
    wasmUrl: data("wasm"),
    iccUrl: data("iccs"),
    verbosity: 0,
    useSystemFonts: false,
    disableFontFace: true,
    maxImageSize: maxImagePixels,
  });
  try {
    return await draw(await (await loading.promise).getPage(1));
  } finally {
    await loading.destroy();
  }
}

const data = (folder: string) => `${projectPath("node_modules", "pdfjs-dist", folder)}/`;

async function draw(page: PDFPageProxy): Promise<FirstPage> {
  const viewport = fitting(page);
  const [width, height] = [Math.max(1, Math.round(viewport.width)), Math.max(1, Math.round(viewport.height))];
  const canvas = createCanvas(width, height);
  await page.render({ canvas: canvas as unknown as HTMLCanvasElement, viewport, background: "#ffffff" })
    .promise;
  return { width, height, image: canvas.toBuffer("image/webp", quality).toString("base64") };
}

function fitting(page: PDFPageProxy) {
  const { width, height } = page.getViewport({ scale: 1 });
  return page.getViewport({ scale: Math.min(maxWidth / width, maxHeight / height) });
}

/** The only native library, which draws, is loaded by now: a file that takes over this process can load no other. */
function refuseAddons(): void {
  const refuse = () => {
    throw new Error("This program loads no other library.");
  };
  Object.defineProperty(process, "dlopen", { value: refuse, writable: false, configurable: false });
}
