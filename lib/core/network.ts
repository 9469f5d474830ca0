/** Where someone calls from, as far as it tells one caller from another. */
import ipaddr from "ipaddr.js";

/** Whoever has one address of IPv6 has all that begin with the same 64 bits. */
export function networkOf(address: string | null): string {
  if (!address || !ipaddr.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  const network = parsed.toByteArray().slice(0, 8);
  return Buffer.from(network).toString("hex");
}
