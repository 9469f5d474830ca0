/**
 * The hosts under which pages are served and cookies accepted. Otherwise a foreign name that points to this server's
 * address (DNS rebinding) would give another site's page our origin.
 */
import { settings } from "#lib/core/env.ts";
import { Refusal } from "#lib/core/errors.ts";
import { isLoopback } from "#lib/core/network.ts";

/**
 * Whether a request's host is that of BASE_URL. The port is ignored, since reverse proxies often omit it. This
 * machine's own names are accepted, too: proxies that do not pass on the host and health checks use them.
 */
export function isOwnHost(host: string | undefined): boolean {
  const [, name] = /^(\[[\da-f:.]+\]|[^\s:/?#@[\]]+)(?::\d*)?$/i.exec(host?.trim() ?? "") ?? [];
  if (name === undefined) return false;
  const bare = name.toLowerCase().replace(/\.$/, "");
  return bare === new URL(settings().BASE_URL).hostname || isLoopback(bare);
}

export const foreignHost = () =>
  `This server answers at ${settings().BASE_URL}. Open that address. Whoever runs the server can set BASE_URL to another.`;

/** Rejects requests for another host. */
export function refuseHost(header: (name: string) => string | undefined): void {
  if (!isOwnHost(header("host"))) throw new Refusal("forbidden", foreignHost());
}

/** The header that makes browsers use only https from then on, if BASE_URL is https. */
export function strictTransport(): Record<string, string> {
  if (!settings().BASE_URL.startsWith("https:")) return {};
  return { "strict-transport-security": "max-age=63072000; includeSubDomains" };
}
