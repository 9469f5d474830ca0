/** Who is calling, where reverse proxies stand between. */
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
