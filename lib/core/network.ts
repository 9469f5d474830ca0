/** Where someone calls from, and whether a host is this machine. */
import ip from "ipaddr.js";

/** As far as it tells one caller from another: whoever has one address of IPv6 has all that begin with the same 64 bits. */
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
