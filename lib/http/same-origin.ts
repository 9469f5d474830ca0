/**
 * Checks that a request comes from our own pages. A cookie does not prove that: browsers also send it from other sites.
 */
import { settings } from "#lib/core/env.ts";
import { Refusal } from "#lib/core/errors.ts";
import { refuseHost } from "./host.ts";

/** Rejects requests from another site's page. Browsers set both headers, and pages cannot change them. */
export function refuseForeign(header: (name: string) => string | undefined): void {
  refuseHost(header);
  const site = header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin") throw foreign();
  if (!isOwnOrigin(header)) throw foreign();
}

/** Rejects requests from other sites' pages, but not from programs, which send no origin. */
export function refuseForeignPage(header: (name: string) => string | undefined): void {
  refuseHost(header);
  if (header("origin") !== undefined && !isOwnOrigin(header)) throw foreign();
}

function isOwnOrigin(header: (name: string) => string | undefined): boolean {
  const origin = URL.parse(header("origin") ?? "");
  const base = new URL(settings().BASE_URL);
  if (!origin) return false;
  // The operator's configured address, or the one under which this browser reached us, if that is no less secure.
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
