/** Where a field stands on a page as it is shown, and how large its text can be. */
import type { PageSize } from "#components/pdf/layout.ts";
import type { OthersField } from "#lib/doors/sign-client.ts";

type Place = Pick<OthersField, "xPct" | "yPct" | "wPct" | "hPct">;

const smallest = 8;
const largest = 16;

export function placeOf({ xPct, yPct, wPct, hPct }: Place, { height }: PageSize) {
  const high = (height * hPct) / 100;
  return {
    style: { left: `${xPct}%`, top: `${yPct}%`, width: `${wPct}%`, height: `${hPct}%` },
    height: high,
    fontSize: Math.min(largest, Math.max(smallest, high * 0.55)),
  };
}
