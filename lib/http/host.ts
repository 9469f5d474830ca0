/**
 * Under which hosts pages are shown and cookies count. A name of someone else's that leads to this server's address
 * (DNS rebinding) would make their page in a browser one of ours.
 */
import { settings } from "#lib/core/env.ts";
import { Refusal } from "#lib/core/errors.ts";
import { isLoopback } from "#lib/core/network.ts";

/**
 * Whether the host that a request names is that of BASE_URL. The port does not count: reverse proxies often leave it
 * out. This machine's own names are no one else's: a proxy that passes no host on says them, and so do health checks.
 */
export function isOwnHost(host: string | undefined): boolean {
  const [, name] = /^(\[[\da-f:.]+\]|[^\s:/?#@[\]]+)(?::\d*)?$/i.exec(host?.trim() ?? "") ?? [];
  if (name === undefined) return false;
  const bare = name.toLowerCase().replace(/\.$/, "");
  return bare === new URL(settings().BASE_URL).hostname || isLoopback(bare);
}

export const foreignHost = () =>
  `This server answers at ${settings().BASE_URL}. Open that address. Whoever runs the server can set BASE_URL to another.`;

/** Refuses what is meant for another host, or says that it is. */
export function refuseHost(header: (name: string) => string | undefined): void {
  if (!isOwnHost(header("host"))) throw new Refusal("forbidden", foreignHost());
}

/** The header by which browsers come over https alone from then on, where BASE_URL says https. */
export function strictTransport(): Record<string, string> {
  if (!settings().BASE_URL.startsWith("https:")) return {};
  return { "strict-transport-security": "max-age=63072000; includeSubDomains" };
}
