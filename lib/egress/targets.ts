/** Where outbound requests may go: what a URL, a name and an address tell of it. */
import { isIP } from "node:net";
import ip from "ipaddr.js";

export const inside = "must not lead to this machine or to a private network";

/**
 * Why a URL cannot be a target, as far as it tells by itself; null where it may. The URL parser has made every
 * notation of an IPv4 address (2130706433, 0x7f.1, 127.1) the usual one.
 */
export function problemOf(url: string, allowPrivate: boolean): string | null {
  const target = URL.parse(url);
  if (!target) return "must be a URL";
  const { protocol, username, password, port, hostname } = target;
  if (protocol !== "https:" && !(allowPrivate && protocol === "http:")) {
    return `must be a URL that starts with https://${allowPrivate ? " or http://" : ""}`;
  }
  if (username || password) return "must not contain a user name or a password";
  if (port === "0") return "must not have the port 0";
  return allowPrivate || isOutside(hostname.replace(/^\[|\]$/g, "")) ? null : inside;
}

/** Names that never lead outside, whatever a resolver says: RFC 6761, 6762, 8375 and ICANN's .internal. */
const insideName = /(^|\.)(localhost|local|internal|home\.arpa)\.*$/i;

/** Of a name that may lead outside, its addresses tell. */
function isOutside(host: string): boolean {
  return isIP(host) ? isPublic(host) : !insideName.test(host);
}

const globalUnicast = ip.IPv6.parseCIDR("2000::/3");
const nat64 = ip.IPv6.parseCIDR("64:ff9b::/96");

export function isPublic(address: string): boolean {
  if (!ip.isValid(address)) return false;
  const parsed = ip.parse(address);
  if (parsed instanceof ip.IPv4) return parsed.range() === "unicast";
  // In a network without IPv4, DNS64 answers with this for every name that has IPv4 only.
  if (parsed.match(nat64)) return new ip.IPv4(parsed.toByteArray().slice(12)).range() === "unicast";
  return parsed.range() === "unicast" && parsed.match(globalUnicast);
}
