/** The layout of a document's pages on the screen: one below the other, with only the visible ones drawn. */

/** In points, as displayed: rotated, and cropped to its crop box. */
export interface PageSize {
  width: number;
  height: number;
}

/** A4, for a page whose size is unknown. */
export const defaultSize: PageSize = { width: 595, height: 842 };

export interface PlacedPage {
  /** Counted from 1. */
  number: number;
  top: number;
  width: number;
  height: number;
}

export const gapPixels = 12;

/** A point is 1/72 of an inch, a CSS pixel 1/96. */
const pixelsPerPoint = 96 / 72;

/** Phones cannot create canvases with more pixels than this. */
const maxPixels = 16_000_000;

/** Returns the device pixel ratio for drawing a page of this size in CSS pixels. */
export function pixelRatioFor({ width, height }: { width: number; height: number }): number {
  return Math.min(globalThis.devicePixelRatio ?? 1, 2, Math.sqrt(maxPixels / (width * height)));
}

export const zoomSteps = [0.5, 0.75, 1, 1.25, 1.5, 2, 3] as const;

/** A factor, where 1 is the actual size, or `fit` for the available width. */
export type Zoom = "fit" | number;

/**
 * Returns the scale in pixels per point. `fit` uses the widest page, so that every page fits the available
 * width.
 */
export function scaleFor(zoom: Zoom, sizes: PageSize[], roomPixels: number): number {
  if (zoom !== "fit") return zoom * pixelsPerPoint;
  const widest = Math.max(1, ...sizes.map(({ width }) => width));
  return Math.max(0.1, (roomPixels - 2 * gapPixels) / widest);
}

/** Returns the next zoom step in or out from a scale. */
export function nextZoom(scale: number, direction: 1 | -1): number {
  const now = scale / pixelsPerPoint;
  const steps = direction === 1 ? zoomSteps : zoomSteps.toReversed();
  const next = steps.find((step) => (direction === 1 ? step > now + 0.01 : step < now - 0.01));
  return next ?? steps.at(-1)!;
}

export const percent = (scale: number) => Math.round((scale / pixelsPerPoint) * 100);

export function placePages(sizes: PageSize[], scale: number): { pages: PlacedPage[]; height: number } {
  let top = gapPixels;
  const pages = sizes.map(({ width, height }, index) => {
    const page = { number: index + 1, top, width: width * scale, height: height * scale };
    top += page.height + gapPixels;
    return page;
  });
  return { pages, height: top };
}

/** Returns the visible pages, and one more on each side, so that it is already drawn when scrolled to. */
export function visiblePages(pages: PlacedPage[], top: number, height: number): PlacedPage[] {
  const first = pages.findIndex((page) => page.top + page.height >= top);
  const after = pages.findIndex((page) => page.top > top + height);
  const end = after < 0 ? pages.length : after;
  return pages.slice(Math.max(0, first - 1), end + 1);
}

/** Returns the number of the page at the middle of the viewport. */
export function pageAt(pages: PlacedPage[], top: number, height: number): number {
  const middle = top + height / 2;
  return (pages.findLast((page) => page.top <= middle) ?? pages[0])?.number ?? 1;
}
