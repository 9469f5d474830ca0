/** The authorization server for assistants. It is loaded with the first request, since most processes never need it. */
import type { Provider } from "oidc-provider";
import { outageOf } from "#lib/core/connections/outage.ts";
import { settings } from "#lib/core/env.ts";
import { log } from "#lib/core/log.ts";
import { assistantScopes } from "#lib/core/scopes.ts";
import { documentFetcher } from "./client-document.ts";
import { configuration } from "./configuration.ts";

/** Creates an authorization server. */
export async function createProvider(fetchDocument = documentFetcher()): Promise<Provider> {
  const library = await import("oidc-provider");
  const provider = new library.Provider(settings().BASE_URL, configuration(library, fetchDocument));
  // Host and protocol come from BASE_URL: lib/doors/oauth.ts puts them where the library looks for them.
  provider.proxy = true;
  // Errors are logged only once, in `server_error`.
  provider.silent = true;
  const failures = new WeakMap<object, unknown>();
  provider.on("server_error", (ctx, error) => failures.set(ctx, error));
  provider.use(async (ctx, next) => {
    await next();
    if (failures.has(ctx)) logFailure(ctx, failures.get(ctx));
    // The library lists scopes of OpenID Connect, which is not offered.
    if (ctx.oidc?.route === "discovery") ctx.body = { ...ctx.body, scopes_supported: assistantScopes };
  });
  return provider;
}

interface FailedResponse {
  status: number;
  set(name: string, value: string): void;
}

function logFailure(ctx: FailedResponse, error: unknown): void {
  const away = outageOf(error);
  const text = error instanceof Error ? error.stack : String(error);
  if (!away) {
    log().error({ error: text }, "authorization failed");
    return;
  }
  log().warn({ alert: away, error: text }, "authorization failed: a service is unavailable");
  if (ctx.status !== 500) return;
  ctx.status = 503;
  ctx.set("retry-after", "1");
}

type Handler = ReturnType<Provider["callback"]>;

let opened: Promise<Handler> | undefined;

/** Returns the request handler, which is created once per process. */
export function authorizationServer(): Promise<Handler> {
  opened ??= createProvider().then(
    (provider) => provider.callback(),
    (error) => {
      opened = undefined;
      throw error;
    },
  );
  return opened;
}
