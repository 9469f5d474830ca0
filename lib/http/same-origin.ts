/** Whether a request comes from our own pages. A cookie alone does not say so: browsers send it for others too. */
import { settings } from "#lib/core/env.ts";
import { Refusal } from "#lib/core/errors.ts";
import { refuseHost } from "./host.ts";

/** Refuses what another site's page sent. Browsers set both headers, and no page can change them. */
export function refuseForeign(header: (name: string) => string | undefined): void {
  refuseHost(header);
  const site = header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin") throw foreign();
  if (!isOwnOrigin(header)) throw foreign();
}

/** Refuses pages of other sites, and lets programs pass, which send no origin. */
export function refuseForeignPage(header: (name: string) => string | undefined): void {
  refuseHost(header);
  if (header("origin") !== undefined && !isOwnOrigin(header)) throw foreign();
}

function isOwnOrigin(header: (name: string) => string | undefined): boolean {
  const origin = URL.parse(header("origin") ?? "");
  const base = new URL(settings().BASE_URL);
  if (!origin) return false;
  // The address that the operator gave, or the one under which this browser found us, if no less safe.
  const isSafe = origin.protocol === "https:" || base.protocol === "http:";
  return origin.origin === base.origin || (origin.host === header("host") && isSafe);
}

/** The same for a GET that has an effect: from our pages, or typed into the address bar. */
export function refuseForeignGet(header: (name: string) => string | undefined): void {
  refuseHost(header);
  if (!["same-origin", "none"].includes(header("sec-fetch-site") ?? "none")) throw foreign();
}

function foreign(): Refusal {
  return new Refusal(
    "forbidden",
    "This is only for Countersign's own pages. Programs use the API with a key.",
  );
}
