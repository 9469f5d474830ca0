/** Who is calling, where reverse proxies stand between. */
import type { IncomingMessage } from "node:http";
import { settings } from "#lib/env.ts";

/**
 * The caller's address. Only as many entries of x-forwarded-for are believed as there are proxies of ours
 * (TRUSTED_PROXIES), counted from the right: what stands before them the caller may have made up.
 */
export function callerAddress(socket: string | undefined, forwarded: string | undefined): string | null {
  const proxies = settings().TRUSTED_PROXIES;
  const direct = socket?.replace(/^::ffff:/, "") ?? null;
  if (proxies === 0 || !forwarded) return direct;
  const hops = forwarded.split(",").map((hop) => hop.trim());
  return hops[Math.max(0, hops.length - proxies)] || direct;
}

/** How the server in front (serve.ts) tells the caller's address to what Next runs. */
export const addressHeader = "x-countersign-address";

/** Puts the caller's address where the address header is, whatever the caller put there. */
export function noteAddress(request: IncomingMessage): void {
  const forwarded = request.headers["x-forwarded-for"];
  const address = callerAddress(
    request.socket.remoteAddress,
    Array.isArray(forwarded) ? forwarded.join(", ") : forwarded,
  );
  delete request.headers[addressHeader];
  if (address !== null) request.headers[addressHeader] = address;
}
