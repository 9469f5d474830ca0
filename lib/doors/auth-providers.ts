/** The providers at which people can sign in, configured for next-auth. */
import { createRequire } from "node:module";
import type { AuthOptions } from "next-auth";
import { settings } from "#lib/core/env.ts";

// With `import`, their exports are wrapped in another object, which their types do not show.
const require = createRequire(import.meta.url);
export const { default: NextAuth }: typeof import("next-auth") = require("next-auth");
export const { default: Credentials }: typeof import("next-auth/providers/credentials") =
  require("next-auth/providers/credentials");
const {
  default: Google,
}: typeof import("next-auth/providers/google") = require("next-auth/providers/google");

type Provider = AuthOptions["providers"][number];

/** A provider's claims about a person, as in OpenID Connect. */
export interface Claims {
  sub?: string;
  email?: string;
  email_verified?: boolean | string;
  name?: string;
  /** Seconds since 1970. */
  auth_time?: number;
}

const checks: ("pkce" | "state" | "nonce")[] = ["pkce", "state", "nonce"];

const profile = ({ sub }: Claims) => ({ id: String(sub) });

export function ssoProviders(): Provider[] {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME } = settings();
  const { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET } = settings();
  const providers: Provider[] = [];
  if (OIDC_ISSUER && OIDC_CLIENT_ID && OIDC_CLIENT_SECRET) {
    providers.push({
      id: "oidc",
      name: OIDC_NAME,
      type: "oauth",
      wellKnown: `${OIDC_ISSUER.replace(/\/+$/, "")}/.well-known/openid-configuration`,
      clientId: OIDC_CLIENT_ID,
      clientSecret: OIDC_CLIENT_SECRET,
      authorization: { params: { scope: "openid email profile" } },
      idToken: true,
      checks,
      profile,
    });
  }
  if (GOOGLE_CLIENT_ID && GOOGLE_CLIENT_SECRET) {
    providers.push({
      ...Google({ clientId: GOOGLE_CLIENT_ID, clientSecret: GOOGLE_CLIENT_SECRET }),
      checks,
      profile,
    } as Provider);
  }
  return providers;
}
