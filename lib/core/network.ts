/** Tells callers' networks apart, and whether a host is this machine. */
import ip from "ipaddr.js";

/**
 * The part of an address that identifies a caller: the owner of one IPv6 address has all with the same first 64 bits.
 */
export function networkOf(address: string | null): string {
  if (!address || !ip.isValid(address)) return "unknown";
  const parsed = ip.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  const network = parsed.toByteArray().slice(0, 8);
  return Buffer.from(network).toString("hex");
}

/** Whether a host can only be reached from this machine: a loopback address, or `localhost`. */
export function isLoopback(host: string): boolean {
  const bare = host.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  return bare === "localhost" || (ip.isValid(bare) && ip.process(bare).range() === "loopback");
}
