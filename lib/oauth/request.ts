/** Requests for authorization, as programs write them and as the library understands them. */
import { assistantScopes } from "#lib/core/scopes.ts";

/** Of OpenID Connect, which is not offered: to ask for it all the same does no harm. */
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
 * The query of a request. Who names no scope of ours asks for all of them, and the person chooses. Consent is always
 * asked for; `offline_access` needs it to be, and everyone gets refresh tokens, whether they ask for it or not.
 */
export function normalized(search: string): string {
  const query = new URLSearchParams(search);
  for (const name of ignored) query.delete(name);
  const [scope, ...more] = query.getAll("scope");
  // What is there twice the library refuses.
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
