/** Whether a host can only be reached from this machine: a loopback address, or `localhost`. */
import ip from "ipaddr.js";

export function isLoopback(host: string): boolean {
  const bare = host.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  return bare === "localhost" || (ip.isValid(bare) && ip.process(bare).range() === "loopback");
}
