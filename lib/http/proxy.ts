/** Determines the caller's address behind reverse proxies. */
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { settings } from "#lib/core/env.ts";
import { log } from "#lib/core/log.ts";

/**
 * The caller's address. As many entries of x-forwarded-for are trusted as there are proxies of ours (TRUSTED_PROXIES),
 * counted from the right: the caller may have forged the others. Invalid addresses are ignored.
 */
export function callerAddress(socket: string | undefined, forwarded: string | undefined): string | null {
  const proxies = settings().TRUSTED_PROXIES;
  const direct = socket?.replace(/^::ffff:/, "") ?? null;
  if (!forwarded) return direct;
  if (proxies === 0) {
    warnOfProxy();
    return direct;
  }
  const hops = forwarded.split(",").map((hop) => hop.trim().replace(/^::ffff:(?=[\d.]+$)/i, ""));
  const hop = hops[Math.max(0, hops.length - proxies)] ?? "";
  return isIP(hop) ? hop : direct;
}

let hasWarned = false;

/** Logged once, for the first such request. The caller may have sent the header itself; then nothing is wrong. */
function warnOfProxy(): void {
  if (hasWarned) return;
  hasWarned = true;
  log().warn(
    { alert: "proxy", setting: "TRUSTED_PROXIES" },
    "Requests carry X-Forwarded-For, which is not believed: TRUSTED_PROXIES is 0. If reverse proxies of yours stand " +
      "in front of this server, set TRUSTED_PROXIES to how many: until then the log, certificates and limits take " +
      "everyone for the proxy.",
  );
}

/** Carries the caller's address from the server in front (serve.ts) to the code that Next runs. */
export const addressHeader = "x-countersign-address";

/** Tells pages that a request's x-forwarded-for was not trusted: "ignored". */
export const forwardedHeader = "x-countersign-forwarded";

/** Sets the address header, overwriting whatever the caller sent in it. */
export function setAddressHeader(request: IncomingMessage): void {
  const forwarded = request.headers["x-forwarded-for"];
  const address = callerAddress(
    request.socket.remoteAddress,
    Array.isArray(forwarded) ? forwarded.join(", ") : forwarded,
  );
  delete request.headers[addressHeader];
  delete request.headers[forwardedHeader];
  if (forwarded && settings().TRUSTED_PROXIES === 0) request.headers[forwardedHeader] = "ignored";
  if (address !== null) request.headers[addressHeader] = address;
}
