/** The position of a field on a displayed page, and the size of its text. */
import type { ShownPage } from "#components/pdf/pages.tsx";
import { captionHeight } from "#lib/documents/typeset/mark-layout.ts";
import type { OthersField } from "#lib/doors/sign-client.ts";

type Place = Pick<OthersField, "xPct" | "yPct" | "wPct" | "hPct">;

const smallest = 8;
const largest = 16;

export function layoutOf(place: Place, page: ShownPage) {
  const { xPct, yPct, wPct, hPct } = place;
  const high = (page.height * hPct) / 100;
  return {
    /** The space left free below a signature for its stamped caption, in pixels. */
    bottom: captionHeight(pointsOf(place, page), 1) * page.scale,
    style: { left: `${xPct}%`, top: `${yPct}%`, width: `${wPct}%`, height: `${hPct}%` },
    height: high,
    fontSize: Math.min(largest, Math.max(smallest, high * 0.55)),
  };
}

/** Returns a field's size in points, whatever the page's scale. */
export function pointsOf({ wPct, hPct }: Place, { width, height, scale }: ShownPage) {
  const rounded = (pixels: number) => Math.max(0.1, Math.round((pixels / scale) * 10) / 10);
  return { width: rounded((width * wPct) / 100), height: rounded((height * hPct) / 100) };
}
