/** Translates authorization requests from what programs send to what the library understands. */
import { assistantScopes } from "#lib/core/scopes.ts";

/** Parameters of OpenID Connect, which is not supported. Sending them does no harm. */
const ignored = [
  "nonce",
  "max_age",
  "claims",
  "claims_locales",
  "id_token_hint",
  "acr_values",
  "response_mode",
];

/**
 * Normalizes the query of a request. A program that names no known scope asks for all of them, and the person chooses.
 * Consent is always requested, except with `prompt=none`; `offline_access` requires it. Every program gets refresh
 * tokens, whether it asks for them or not.
 */
export function normalized(search: string): string {
  const query = new URLSearchParams(search);
  for (const name of ignored) query.delete(name);
  const [scope, ...more] = query.getAll("scope");
  // The library rejects a duplicate parameter.
  if (more.length === 0) query.set("scope", knownScopes(scope ?? "").join(" "));
  if (query.get("prompt") !== "none") query.set("prompt", "consent");
  return query.toString();
}

function knownScopes(scope: string): string[] {
  const named = new Set(scope.split(" "));
  const known = assistantScopes.filter((one) => named.has(one));
  const offline = named.has("offline_access") ? ["offline_access"] : [];
  return [...(known.length > 0 ? known : assistantScopes), ...offline];
}
